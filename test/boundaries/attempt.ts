import type { BOUNDARIES, BoundaryId } from "../../daemon/boundaries.ts"

type Table = typeof BOUNDARIES

/** The boundaries that say of themselves that they hold. */
export type Enforced = { [Id in BoundaryId]: Table[Id]["state"] extends "enforced" ? Id : never }[BoundaryId]

/**
 * Tries to get round a boundary on one surface; the answer is whether that worked. Without the boundary the same thing is done
 * where it does not stand: then it has to work, or the try shows nothing.
 */
export type Attempt = (bounded: boolean) => Promise<boolean>

/** One attempt for every surface that a boundary's row names. */
export type Attempts<Id extends Enforced> = Readonly<Record<Table[Id]["surfaces"][number], Attempt>>
