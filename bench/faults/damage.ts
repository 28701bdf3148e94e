/**
 * A long damage run: `node --import tsx bench/faults/damage.ts [count] [seed]`. As the test
 * of the suite, for any number of flips and cuts.
 */

import { damageRun } from "../../test/process/damage-run.ts"

const [countText = "1000", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0

console.log(`${countText} flips and cuts, seed ${seed}`)
const tell = (line: string): void => console.log(line)
console.log(await damageRun({ count: Number(countText), seed, tell }))
