import { goldenCases } from "../../golden.ts"

// Every case under fixtures/cases, one test each; `detent test fixtures/cases` runs the same.
goldenCases(new URL("../../fixtures/cases", import.meta.url))
