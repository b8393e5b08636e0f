/** Which rows are wanted; all that are given must hold. */
export interface AuditQuery {
  readonly outcome?: string
  /** the id of a hook that ran or was skipped */
  readonly hook?: string
  readonly caller?: string
  /** a tool's name, or `server/tool` */
  readonly tool?: string
  /** ISO 8601; rows of this time and later */
  readonly since?: string
  /** rows before this time */
  readonly until?: string
  /** rows after this one */
  readonly after?: number
  /** at most that many, the newest; in the order in which they were written all the same */
  readonly last?: number
}
