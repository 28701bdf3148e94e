/**
 * A long overload run: `node --import tsx bench/faults/overload.ts [seconds]`. Ten times the
 * capacity over 2,000 connections; prints what was taken, refused and held.
 */

import { brokenPromises, overloadRun, overloadText } from "../../test/hostile/overload-run.ts"
import { removeFolder } from "../../test/support/folder.ts"
import { buildBundle } from "../../test/support/server.ts"

const [secondsText = "60", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0
const bundle = buildBundle()

console.log(`${secondsText} s, seed ${seed}`)
try {
  const overloadMs = Number(secondsText) * 1000
  const { program } = bundle
  const result = await overloadRun({ program, seed, capacityMs: 5_000, overloadMs })
  console.log(overloadText(result))
  const broken = brokenPromises(result, 1)
  for (const sentence of broken) console.log(sentence)
  if (broken.length > 0) process.exitCode = 1
} finally {
  removeFolder(bundle.folder)
}
