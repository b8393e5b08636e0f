import { isPoint, POINT_NAMES, pointRow } from "./points.ts"

/** What a happening carries: its type, and the fields of the event that it is about. */
const HAPPENING_FIELDS: readonly string[] = Object.freeze([
  ...new Set([
    "type",
    "seq",
    "hook",
    "outcome",
    "durationMs",
    "failed",
    "approval",
    "questions",
    "answers",
    "answeredBy",
    "expiresAt",
    "params",
    ...POINT_NAMES.flatMap((point) => Object.keys(pointRow(point).fields)),
  ]),
])

/** What a placeholder may stand for: the fields of the point's events; of any happening's for an observe prefix. */
export const rootsOf = (on: string): readonly string[] =>
  isPoint(on) ? Object.keys(pointRow(on).fields) : HAPPENING_FIELDS

/** What a workflow's steps see besides: what came of the steps before. */
export const STEPS = "steps"
