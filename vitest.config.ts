import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A spied or stubbed global of one test is no business of the next.
    restoreMocks: true,
    unstubEnvs: true,
  },
})
