import type { Answer, AskedQuestion } from "../../frames/frames.ts"
import type { Database } from "../database.ts"
import { StoreError } from "../errors.ts"
import type { Approval, ApprovalFault, ApprovalResult, ApprovalState, ApprovalStore } from "../ports.ts"

export const APPROVAL_TABLE = `
  CREATE TABLE approval (
    id TEXT PRIMARY KEY, caller TEXT NOT NULL, binding TEXT NOT NULL, body TEXT NOT NULL,
    opened_at TEXT NOT NULL, expires_at TEXT NOT NULL, state TEXT NOT NULL,
    answers TEXT, answered_by TEXT, answered_at TEXT
  ) STRICT;
  CREATE INDEX approval_state ON approval (state)`

/** Why not, in words for whoever tried. */
const FAULTS = Object.freeze({
  unknown: "there is no such approval",
  own: "who caused a question may not answer it",
  answered: "it has been answered already",
  open: "it has not been answered yet",
  redeemed: "it has been used already",
  expired: "it has expired",
  withdrawn: "its operation was cancelled",
  changed: "the operation, the policy or a ceiling is not what was asked about any more",
  caller: "it is another caller's",
  answer: "the answers do not fit the questions",
} as const satisfies Record<ApprovalFault, string>)

/** How often the file is looked at for answers that another process gave: milliseconds. */
const LOOK_MS = 200

const fault = (name: ApprovalFault, message: string = FAULTS[name]): ApprovalResult => ({
  ok: false,
  fault: name,
  message,
})

/** Questions in a file: they outlive the process, and whatever changes their state does so in one transaction. */
export function approvalStore(db: Database, now: () => number = Date.now): ApprovalStore {
  const time = (): string => new Date(now()).toISOString()
  const waiting = new Map<string, Set<() => void>>()
  const find = (id: string): Approval | undefined => {
    const row = db.sql("SELECT * FROM approval WHERE id = ?").get(id)
    return row && approvalOf(row, now())
  }
  const tell = (id: string): void => {
    for (const look of waiting.get(id) ?? []) look()
  }
  /** Changes an approval if nothing stands against it. */
  const change = async (
    id: string,
    against: (approval: Approval) => ApprovalResult | undefined,
    set: (approval: Approval) => void,
  ): Promise<ApprovalResult> => {
    const result = await db.write((): ApprovalResult => {
      const approval = find(id)
      if (!approval) return fault("unknown")
      const refused = against(approval)
      if (refused) return refused
      set(approval)
      return { ok: true, approval: find(id)! }
    })
    if (result.ok) tell(id)
    return result
  }

  return {
    async open({ id, caller, binding, questions, event, expiresAt }) {
      if (Number.isNaN(Date.parse(expiresAt)))
        throw new StoreError(`\`${expiresAt}\` is no time`, "write it as ISO 8601")
      await db.write(() =>
        db
          .sql("INSERT INTO approval VALUES (?, ?, ?, ?, ?, ?, 'open', NULL, NULL, NULL)")
          .run(id, caller, binding, JSON.stringify({ questions, event }), time(), new Date(expiresAt).toISOString()),
      )
      return find(id)!
    },

    async get(id) {
      return find(id)
    },

    async list({ state, caller } = {}) {
      const rows = db.sql("SELECT * FROM approval ORDER BY opened_at, rowid").all()
      return rows
        .map((row) => approvalOf(row, now()))
        .filter(
          (one) => (state === undefined || one.state === state) && (caller === undefined || one.caller === caller),
        )
    },

    answer: (id, answers, by) =>
      change(
        id,
        ({ caller, state, questions }) => {
          // INVARIANT: nobody answers what it caused, whatever the state (test/store/approvals.test.ts).
          if (caller === by.id) return fault("own")
          if (state !== "open") return fault(state)
          return misfit(questions, answers)
        },
        () =>
          db
            .sql("UPDATE approval SET state = 'answered', answers = ?, answered_by = ?, answered_at = ? WHERE id = ?")
            .run(JSON.stringify(answers), JSON.stringify({ id: by.id, known: by.known }), time(), id),
      ),

    redeem: (id, by) =>
      change(
        id,
        ({ caller, binding, state }) => {
          if (caller !== by.caller) return fault("caller")
          if (state !== "answered") return fault(state)
          return binding === by.binding ? undefined : fault("changed")
        },
        () => db.sql("UPDATE approval SET state = 'redeemed' WHERE id = ?").run(id),
      ),

    async withdraw(id) {
      const result = await change(
        id,
        ({ state }) => (state === "open" || state === "answered" ? undefined : fault(state)),
        () => db.sql("UPDATE approval SET state = 'withdrawn' WHERE id = ?").run(id),
      )
      return result.ok
    },

    settled: (id, signal) =>
      new Promise((resolve, reject) => {
        const looks = waiting.get(id) ?? new Set()
        waiting.set(id, looks)
        const done = (): void => {
          clearInterval(timer)
          looks.delete(look)
          if (looks.size === 0 && waiting.get(id) === looks) waiting.delete(id)
          signal?.removeEventListener("abort", look)
        }
        const look = (): void => {
          try {
            const approval = find(id)
            if (approval?.state === "open" && !signal?.aborted) return
            done()
            resolve(approval)
          } catch (cause) {
            done()
            reject(cause)
          }
        }
        const timer = setInterval(look, LOOK_MS)
        looks.add(look)
        signal?.addEventListener("abort", look)
        look()
      }),
  }
}

/** One answer for each question, and each one that it takes. */
function misfit(questions: readonly AskedQuestion[], answers: readonly Answer[]): ApprovalResult | undefined {
  if (answers.length !== questions.length) {
    return fault("answer", `it asks ${questions.length} questions and got ${answers.length} answers`)
  }
  for (const [at, { question, choices = ["yes", "no"] }] of questions.entries()) {
    const answer = answers[at]!
    if (![...choices, "no"].includes(answer)) {
      return fault("answer", `\`${answer}\` is no answer to \`${question}\`: it takes ${choices.join(", ")}`)
    }
  }
  return undefined
}

function approvalOf(row: Readonly<Record<string, unknown>>, now: number): Approval {
  const text = row as Record<string, string | null>
  const { questions, event } = JSON.parse(text.body!) as Pick<Approval, "questions" | "event">
  const state = text.state as ApprovalState
  const late = Date.parse(text.expires_at!) <= now
  return {
    id: text.id!,
    caller: text.caller!,
    binding: text.binding!,
    questions,
    event,
    openedAt: text.opened_at!,
    expiresAt: text.expires_at!,
    // Nothing has to run for an approval to expire: it is said when it is read.
    state: late && (state === "open" || state === "answered") ? "expired" : state,
    ...(text.answers === null
      ? {}
      : {
          answers: JSON.parse(text.answers!),
          answeredBy: JSON.parse(text.answered_by!),
          answeredAt: text.answered_at!,
        }),
  }
}
