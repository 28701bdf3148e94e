/**
 * Many power cuts: `node --import tsx bench/faults/power-cut.ts [--images 20000] [--from S]`, a
 * hundred images a seed. The same as the test of the suite.
 */

import { parseArgs } from "node:util"
import { cutPower } from "../../test/simulation/power-cut.ts"

const { values } = parseArgs({
  options: { images: { type: "string", default: "20000" }, from: { type: "string" } },
})
const imagesPerSeed = 100
const seeds = Math.ceil(Number(values.images) / imagesPerSeed)
const from = Number(values.from ?? Date.now() % 1_000_000_000)

console.log(`seeds ${from} to ${from + seeds - 1}`)
const during = new Map<string, number>()
for (let seed = from; seed < from + seeds; seed++) {
  for (const name of await cutPower(seed, imagesPerSeed)) {
    during.set(name, (during.get(name) ?? 0) + 1)
  }
}
console.log(`${seeds * imagesPerSeed} images, all opened with what was acknowledged`)
console.log([...during].map(([name, many]) => `${name} in ${many} stories`).join(", "))
