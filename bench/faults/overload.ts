/**
 * A long overload run: `node --import tsx bench/faults/overload.ts [seconds]`. Ten times the
 * capacity over 2,000 connections; prints what was taken, refused and held. A promise about speed
 * is broken if a second run breaks it, too.
 */

import { brokenLaws, brokenPromises, overloadText } from "../../test/abuse/overload-laws.ts"
import { overloadRun } from "../../test/abuse/overload-run.ts"

const [secondsText = "60", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0

console.log(`${secondsText} s, seed ${seed}`)
const overloadMs = Number(secondsText) * 1000
/** The first flushes and V8's compilers take half as long again; they run before. */
const capacityMs = 20_000
/** Sentences of what a run broke. */
async function brokenBy(): Promise<readonly string[]> {
  const result = await overloadRun({ seed, nowMs: Date.now(), capacityMs, overloadMs })
  console.log(overloadText(result))
  const broken = brokenPromises(result)
  for (const sentence of broken) console.log(sentence)
  if (brokenLaws(result).length > 0) process.exitCode = 1
  return broken
}

const broken = await brokenBy()
if (broken.length > 0 && process.exitCode === undefined) {
  console.log("Once more:")
  const again = await brokenBy()
  if (again.some((sentence) => broken.includes(sentence))) process.exitCode = 1
}
