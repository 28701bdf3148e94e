/**
 * Repair of a store with many names: `node --import tsx bench/faults/many-names.ts [names] [seed]`.
 * More and more flipped bits, repaired; a list as long as that has ended repair before.
 */

import { manyNamesRun } from "../../test/process/many-names-run.ts"

const [namesText = "200000", seedText] = process.argv.slice(2)
const seed = Number(seedText ?? Date.now()) >>> 0

console.log(`${namesText} names, seed ${seed}`)
const tell = (line: string): void => console.log(line)
await manyNamesRun({ names: Number(namesText), seed, tell })
