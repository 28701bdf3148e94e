/**
 * `.ci/run` and `.ci/nightly`, after their installations: all stages run though one is red, and a
 * table of them with what was red is at the end. The night takes words of names of stages, and is
 * red for each test that passed only the second time.
 */

import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { noteNight } from "./night-log.ts"
import { countOf, reportText, verdictOf } from "./report.ts"
import { gateStages, nightlyStages } from "./stages.ts"
import { runStage, type Stage, type StageResult } from "./stage.ts"

const [which, ...words] = process.argv.slice(2)
const isNight = which === "nightly"
const seedsOfNight = 3

function chosenStages(): readonly Stage[] {
  if (!isNight) return gateStages
  const seeds = Array.from({ length: seedsOfNight }, () => randomInt(2 ** 32))
  const isNamed = ({ name }: Stage) => words.some((word) => name.includes(word))
  return nightlyStages(seeds).filter((one) => words.length === 0 || isNamed(one))
}

/** At night a test that passed only the second time is red, too. */
function strictly(result: StageResult): StageResult {
  const isFlaky = countOf(result.outcomes, "flaky") > 0
  return isNight && isFlaky && result.status === 0 ? { ...result, status: 1 } : result
}

const stages = chosenStages()
if (stages.length === 0) throw new Error(`No stage's name contains ${words.join(" or ")}`)
const folder = mkdtempSync(join(tmpdir(), "tidegauge-ci-"))
try {
  const results: StageResult[] = []
  for (const stage of stages) {
    console.log(`\n== ${stage.name}`)
    const result = strictly(await runStage(stage, folder))
    console.log(`== ${stage.name}: ${verdictOf(result)} after ${result.seconds} s`)
    results.push(result)
    if (isNight) noteNight(result)
  }
  console.log(`\n${reportText(results)}`)
  process.exitCode = results.some(({ status }) => status !== 0) ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
