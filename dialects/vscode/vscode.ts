import { type Dialect, ofClaudesNames } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

export const VSCODE: Dialect = {
  name: "vscode",
  title: "VS Code",
  moments: MOMENTS,
  nameIn: ["hookEventName", "hook_event_name"],
  fits: ({ hookEventName, hook_event_name, timestamp, turn_id }) => {
    const name = hookEventName ?? hook_event_name
    return typeof name === "string" && ofClaudesNames(name) && typeof timestamp === "string" && turn_id === undefined
  },
  answer,
}
