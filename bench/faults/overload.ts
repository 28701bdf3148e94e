/**
 * A long overload run: `node --import tsx bench/faults/overload.ts [seconds]`. Ten times the
 * capacity over 2,000 connections; prints what was taken, refused and held.
 */

import { overloadRun, overloadText } from "../../test/hostile/overload-run.ts"
import { removeFolder } from "../../test/support/folder.ts"
import { buildBundle } from "../../test/support/server.ts"

const [secondsText = "60", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0
const bundle = buildBundle()

console.log(`${secondsText} s, seed ${seed}`)
try {
  const overloadMs = Number(secondsText) * 1000
  const { program } = bundle
  console.log(overloadText(await overloadRun({ program, seed, capacityMs: 5_000, overloadMs })))
} finally {
  removeFolder(bundle.folder)
}
