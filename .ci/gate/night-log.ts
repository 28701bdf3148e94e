/** bench/results/nightly.md: a line for each stage of each night. */

import { execFileSync } from "node:child_process"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { rootFolder } from "../../test/support/project-paths.ts"
import { countOf, verdictOf } from "./report.ts"
import type { StageResult } from "./stage.ts"

export function noteNight(result: StageResult): void {
  const { stage, seconds, outcomes } = result
  const git = ["rev-parse", "--short=8", "HEAD"]
  const commit = execFileSync("git", git, { cwd: rootFolder, encoding: "utf8" }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const flaky = countOf(outcomes, "flaky")
  const counts = `${seconds} s, ${outcomes.length} tests, ${flaky} flaky`
  const line = `- ${day} ${commit} ${verdictOf(result)}: ${stage.name}, ${counts}`
  const path = join(rootFolder, "bench/results/nightly.md")
  appendFileSync(path, `${line}\n`)
}
