import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  GroupAggregator,
  aggregations,
  type Aggregation,
} from "../../src/rollup/group-aggregator.ts"
import { statisticsOfNumbers } from "../support/store/dedup-model.ts"

const added = fc.array(
  fc.tuple(
    fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 1200 })),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  ),
  { minLength: 1 },
)

function acrossOf(
  aggregation: Aggregation,
  pairs: readonly (readonly [number, number])[],
): GroupAggregator {
  const across = new GroupAggregator(aggregation)
  // In two calls: the result must not depend on how values are divided into calls.
  for (const part of [pairs.slice(0, 3), pairs.slice(3)]) {
    const slots = Int32Array.from(part, ([slot]) => slot)
    across.add(
      slots,
      Float64Array.from(part, ([, value]) => value),
    )
  }
  return across
}

test("each index has the aggregate of the values that were added to it", () => {
  fc.assert(
    fc.property(added, fc.constantFrom(...aggregations), (pairs, aggregation) => {
      const across = acrossOf(aggregation, pairs)
      const bySlot = new Map<number, number[]>()
      for (const [slot, value] of pairs) bySlot.set(slot, [...(bySlot.get(slot) ?? []), value])
      assert.equal(across.length, Math.max(...bySlot.keys()) + 1)
      for (let slot = 0; slot < across.length; slot++) {
        const values = bySlot.get(slot)
        assert.equal(across.has(slot), values !== undefined)
        if (values === undefined) continue
        const want = statisticsOfNumbers(values)
        const wanted = aggregation === "cnt" ? want.count : want[aggregation]
        const off = Math.abs(across.value(slot) - wanted)
        assert.ok(off <= 1e-6, `${aggregation} of ${values.join()}: off by ${off}`)
      }
      across.release()
    }),
    { numRuns: 300 },
  )
})

test("addRun() equals add() of its indexes, also beyond a month of times", () => {
  const runs = fc.array(
    fc.tuple(
      fc.constantFrom(0, 3, 9210, 30_000),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
    ),
  )
  const valuesOf = (across: GroupAggregator) =>
    Array.from({ length: across.length }, (_, slot) => across.has(slot) && across.value(slot))
  fc.assert(
    fc.property(runs, fc.constantFrom(...aggregations), (added, aggregation) => {
      const told = [true, false].map((inRuns) => {
        const across = new GroupAggregator(aggregation)
        for (const [first, list] of added) {
          const values = Float64Array.from(list)
          if (inRuns) across.addRun(first, values)
          else
            across.add(
              Int32Array.from(list.keys(), (i) => first + i),
              values,
            )
        }
        const got = valuesOf(across)
        across.release()
        return got
      })
      assert.deepEqual(told[0], told[1])
    }),
    { numRuns: 50 },
  )
})

test("aggregators that exist together have values of their own", () => {
  const one = fc.record({ aggregation: fc.constantFrom(...aggregations), pairs: added })
  fc.assert(
    fc.property(fc.array(one, { minLength: 2, maxLength: 4 }), (all) => {
      const valuesOf = (across: GroupAggregator) =>
        Array.from({ length: across.length }, (_, slot) => across.has(slot) && across.value(slot))
      const alone = all.map(({ aggregation, pairs }) => {
        const across = acrossOf(aggregation, pairs)
        const values = valuesOf(across)
        across.release()
        return values
      })
      const together = all.map(({ aggregation }) => new GroupAggregator(aggregation))
      const longest = Math.max(...all.map(({ pairs }) => pairs.length))
      for (let i = 0; i < longest; i++) {
        for (const [k, { pairs }] of all.entries()) {
          const pair = pairs[i]
          if (pair === undefined) continue
          together[k]!.add(Int32Array.of(pair[0]), Float64Array.of(pair[1]))
        }
      }
      assert.deepEqual(together.map(valuesOf), alone)
      for (const across of together) across.release()
    }),
    { numRuns: 50 },
  )
})

test("decimals add up, and an average stays among its values", () => {
  const f = (aggregation: Aggregation, values: readonly number[], want: number) => {
    const pairs = values.map((value) => [0, value] as const)
    const across = acrossOf(aggregation, pairs)
    assert.equal(across.value(0), want)
    across.release()
  }

  f("sum", [0.1, 0.2, 0.3], 0.6)
  f("avg", [0.1, 0.2, 0.3], 0.2)
  f("sum", [1e308, 1e308], Number.MAX_VALUE)
  f("avg", [1e308, 1e308], 1e308)
  f("avg", [-0.1, -0.1, -0.1], -0.1)
  f("stddev", [7], 0)
  f("stddev", [1.7e308, -1.7e308, 1.7e308], Math.sqrt(Number.MAX_VALUE / 2))
})
