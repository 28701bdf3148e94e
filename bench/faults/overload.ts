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

/** Runs and prints once; returns the sentences of laws, and of laws and promises, that it broke. */
async function run(): Promise<{
  readonly laws: readonly string[]
  readonly all: readonly string[]
}> {
  const result = await overloadRun({ seed, nowMs: Date.now(), capacityMs, overloadMs })
  console.log(overloadText(result))
  const all = brokenPromises(result)
  for (const sentence of all) console.log(sentence)
  return { laws: brokenLaws(result), all }
}

const first = await run()
const isInDoubt = first.laws.length === 0 && first.all.length > 0
const last = isInDoubt ? await run() : first
const isBroken = last.all.some((sentence) => first.all.includes(sentence))
if (last.laws.length > 0 || isBroken) process.exitCode = 1
