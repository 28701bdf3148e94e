/**
 * The seed of a run. In CI it is the commit, so that a run of the same commit draws the same cases
 * and a failure is reproduced; elsewhere it is the clock, so that each run draws other cases.
 * `TIDEGAUGE_SEED` replays a seed that a run printed.
 */

import { execFileSync } from "node:child_process"
import fc from "fast-check"
import { rootFolder } from "../project-paths.ts"

/** A whole number in [0, 2³²). */
export const runSeed = seedOf(process.env["TIDEGAUGE_SEED"], process.env["CI"])

// Properties draw from it too, and print it when they fail.
if (process.env["CI"] !== undefined || process.env["TIDEGAUGE_SEED"] !== undefined) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed | 0 })
}

function seedOf(given: string | undefined, ci: string | undefined): number {
  if (given !== undefined) return Number(given) >>> 0
  if (ci === undefined) return Date.now() >>> 0
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: rootFolder, encoding: "utf8" })
  return Number.parseInt(commit.slice(0, 8), 16)
}
