import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { pieceSize } from "../../src/rollup/bucket-tables.ts"
import { SelectionWorkspace, selectRanks } from "../../src/rollup/order-statistics.ts"
import { seededNumbers } from "../support/ingest/samples.ts"

const scratch = new SelectionWorkspace()

/**
 * Uniform, discrete, in two distant clusters, heavy-tailed, with an outlier, ascending, constant.
 */
const shapes: Readonly<Record<string, (random: () => number, i: number) => number>> = {
  even: (random) => random(),
  steps: (random) => Math.floor(random() * 5),
  clusters: (random) => (random() < 0.5 ? 1e-9 * random() : 1e9 + random()),
  tail: (random) => (1 - random()) ** -3,
  outlier: (random, i) => (i === 7 ? 1e300 : random()),
  rising: (_, i) => i,
  one: () => 42,
  ends: (random) => (random() < 0.5 ? -Number.MAX_VALUE : Number.MAX_VALUE),
}

test("selectRanks() equals a sort, for any distribution", () => {
  const counts = fc.oneof(
    fc.integer({ min: 1, max: 700 }),
    fc.constantFrom(40, 41, 288, 511, 512, 4032, pieceSize, pieceSize + 1, 20_000),
  )
  const shape = fc.constantFrom(...Object.keys(shapes))
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(
      counts,
      shape,
      parts,
      fc.nat(),
      fc.constantFrom("unknown", "closest", "wide"),
      (count, name, wanted, seed, bounds) => {
        const random = seededNumbers(seed)
        const values = Float64Array.from({ length: count }, (_, i) => shapes[name]!(random, i))
        const kept = values.slice()
        const sorted = values.slice().sort()
        const ranks = Int32Array.from(wanted, (part) => Math.round(part * (count - 1))).sort()
        const found = new Float64Array(ranks.length)
        const [low, high] = [sorted[0]!, sorted.at(-1)!]
        const wide = { low: low - Math.abs(low) - 1, high: high + 2 * Math.abs(high) + 1 }
        const range = { unknown: null, closest: { low, high }, wide }[bounds]
        selectRanks(values, count, ranks, found, scratch, range)
        assert.deepEqual(
          found,
          Float64Array.from(ranks, (rank) => sorted[rank]!),
        )
        assert.deepEqual(values, kept)
      },
    ),
    { numRuns: 400 },
  )
})
