import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Digest } from "../../src/digest/digest.ts"
import { type Shape, seededNumbers, shapes } from "../support/ingest/samples.ts"
import { assertQuantiles, populationOf, rankOf } from "./rank-oracle.ts"

function digestOf(values: ArrayLike<number>, pendingMax?: number): Digest {
  const digest = new Digest(pendingMax)
  digest.addAll(Float64Array.from(values), 0, values.length)
  return digest
}

function judge(values: Float64Array, digest: Digest, what: string): void {
  assertQuantiles(values, (p) => digest.quantile(p), what)
  const sorted = values.slice().sort()
  assert.equal(digest.count, values.length)
  assert.equal(digest.min, sorted[0])
  assert.equal(digest.max, sorted.at(-1))
}

test("percentiles are within 0.5 % of rank in the body, 0.05 % at the ends, in any shape", () => {
  for (const shape of Object.keys(shapes) as Shape[]) {
    for (const length of [1440, 4032, 20_160]) {
      for (const seed of [1, 2, 3]) {
        const values = populationOf(shape, length, seed)
        judge(values, digestOf(values), `${shape} of ${length}`)
      }
    }
  }
})

test("percentiles of 14 and of 288 merged digests are within the same bounds", () => {
  const part = new Digest(256)
  for (const shape of Object.keys(shapes) as Shape[]) {
    for (const [parts, length] of [
      [14, 14 * 1440],
      [288, 288 * 60],
      [288, 288 * 5],
    ] as const) {
      const values = populationOf(shape, length, 5)
      const merged = new Digest(4096)
      const size = length / parts
      for (let i = 0; i < parts; i++) {
        part.reset()
        part.addAll(values, i * size, (i + 1) * size)
        merged.mergeFrom(part)
      }
      judge(values, merged, `${parts} parts of ${shape}`)
    }
  }
})

test("merge order does not matter within the bounds, and not at all for count, min and max", () => {
  const values = populationOf("gauge", 6000, 9)
  const parts = Array.from({ length: 20 }, (_, i) =>
    digestOf(values.subarray(i * 300, i * 300 + 300)),
  )
  for (const order of [parts, parts.toReversed(), [...parts.slice(7), ...parts.slice(0, 7)]]) {
    const merged = new Digest()
    for (const one of order) merged.mergeFrom(one)
    judge(values, merged, "order")
  }
})

test("a digest in which every value stands alone answers as the exact rule does", () => {
  const few = fc.array(
    fc.integer({ min: -500, max: 500 }).map((i) => i / 10),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(few, fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
      const sorted = [...values].sort((a, b) => a - b)
      const position = Math.min(sorted.length, Math.max(1, (sorted.length + 1) * q))
      const low = sorted[Math.floor(position) - 1]!
      const high = sorted[Math.ceil(position) - 1]!
      const want = low + (high - low) * (position - Math.floor(position))
      assert.ok(Math.abs(digestOf(values).quantile(q) - want) < 1e-9)
    }),
  )
})

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const weightedValues = fc.array(
  fc.tuple(
    fc.oneof(double, fc.integer({ min: -9, max: 9 }), fc.constantFrom(1 / 3, 0.1)),
    fc.oneof(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0.25, max: 8, noNaN: true })),
  ),
  { minLength: 1, maxLength: 400 },
)

test("quantiles never fall, lie in [min, max], and cdf never falls either", () => {
  fc.assert(
    fc.property(weightedValues, (pairs) => {
      const digest = new Digest(64)
      for (const [value, weight] of pairs) digest.add(value, weight)
      let last = -Infinity
      let lastPart = 0
      for (let i = 0; i <= 200; i++) {
        const x = digest.quantile(i / 200)
        assert.ok(x >= last && x >= digest.min && x <= digest.max, `${x} after ${last}`)
        const part = digest.cdf(x)
        assert.ok(part >= lastPart && part <= 1, `${part} after ${lastPart}`)
        last = x
        lastPart = part
      }
      assert.equal(digest.cdf(digest.max), 1)
    }),
  )
})

test("the sum of weights is kept, exactly for whole weights", () => {
  fc.assert(
    fc.property(weightedValues, (pairs) => {
      const whole = pairs.map(([value, weight]) => [value, Math.ceil(weight)] as const)
      const digest = new Digest(64)
      for (const [value, weight] of whole) digest.add(value, weight)
      const { weights, length } = digest.state()
      const want = whole.reduce((sum, [, weight]) => sum + weight, 0)
      assert.equal(digest.count, want)
      assert.equal(
        weights.subarray(0, length).reduce((sum, w) => sum + w, 0),
        want,
      )
    }),
  )
})

test("cdf is about the inverse of quantile", () => {
  for (const shape of ["smooth", "gauge", "heavyTailed"] as const) {
    const digest = digestOf(populationOf(shape, 5000, 4))
    for (const q of [0.02, 0.1, 0.3, 0.5, 0.8, 0.97]) {
      assert.ok(Math.abs(digest.cdf(digest.quantile(q)) - q) < 0.005, `${shape} ${q}`)
    }
  }
})

test("a value that makes up much of a population comes out as itself", () => {
  const f = (value: number) => {
    const random = seededNumbers(2)
    const values = Float64Array.from({ length: 3000 }, () =>
      random() < 0.4 ? value : random() * 9,
    )
    const digest = digestOf(values)
    const sorted = values.slice().sort()
    const middle = (rankOf(sorted, value, false) + rankOf(sorted, value, true)) / 2 / 3000
    assert.equal(digest.quantile(middle), value)
  }
  f(0)
  f(4.2)
  f(1 / 3)
})

test("the same values in the same order give the same digest, after a reset too", () => {
  const values = populationOf("heavyTailed", 3000, 1)
  const first = digestOf(values).state()
  const digest = digestOf(populationOf("bimodal", 2000, 2))
  digest.reset()
  assert.equal(digest.count, 0)
  assert.ok(Number.isNaN(digest.quantile(0.5)) && Number.isNaN(digest.cdf(1)))
  digest.addAll(values, 0, values.length)
  const again = digest.state()
  assert.deepEqual(again.means.subarray(0, again.length), first.means.subarray(0, first.length))
  assert.deepEqual(again.weights.subarray(0, again.length), first.weights.subarray(0, first.length))
})

test("extreme values and weights neither break order nor bounds", () => {
  const digest = new Digest()
  for (const value of [Number.MAX_VALUE, -Number.MAX_VALUE, 0, 5e-324, 1e300, -1e300]) {
    for (let i = 0; i < 300; i++) digest.add(value, 1 + i)
  }
  digest.add(7, 0)
  digest.add(7, -1)
  let last = -Infinity
  for (let i = 0; i <= 100; i++) {
    const x = digest.quantile(i / 100)
    assert.ok(x >= last && Math.abs(x) <= Number.MAX_VALUE)
    last = x
  }
  assert.throws(() => digest.add(NaN))
  assert.throws(() => digest.add(1, Infinity))
})
