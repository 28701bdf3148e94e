import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { encodeDigest } from "../../src/digest/codec.ts"
import { Digest } from "../../src/digest/digest.ts"
import { MergedQuantiles } from "../../src/digest/merged-quantiles.ts"
import { type Shape, seededNumbers, shapes } from "../support/ingest/samples.ts"
import { assertedQuantiles, assertQuantiles, populationOf, rankOf } from "./rank-oracle.ts"

const asked = Float64Array.of(0, ...assertedQuantiles, 1)

function digestOf(values: ArrayLike<number>): Digest {
  const digest = new Digest(256)
  digest.addAll(Float64Array.from(values), 0, values.length)
  return digest
}

function addDigest(union: MergedQuantiles, digest: Digest): void {
  const writer = new ByteWriter()
  encodeDigest(writer, digest)
  const bytes = writer.finish()
  const reader = new ByteReader(bytes)
  union.readFrom(reader)
  assert.equal(reader.position, bytes.length)
}

function addValues(union: MergedQuantiles, values: Float64Array): void {
  union.addValues(values.slice(), new Float64Array(values.length).fill(1), values.length)
}

function quantilesOf(union: MergedQuantiles, qs = asked): Float64Array {
  const found = new Float64Array(qs.length)
  union.quantiles(qs, found)
  return found
}

function unionOf(digests: readonly Digest[]): MergedQuantiles {
  const union = new MergedQuantiles()
  for (const digest of digests) addDigest(union, digest)
  return union
}

function judge(values: Float64Array, union: MergedQuantiles, what: string): void {
  const found = quantilesOf(union)
  assertQuantiles(values, (p) => found[asked.indexOf(p)]!, what)
  assert.equal(union.count, values.length)
}

test("percentiles of digests and values together are as true as those of one digest", () => {
  const union = new MergedQuantiles()
  for (const shape of Object.keys(shapes) as Shape[]) {
    for (const [parts, size] of [
      [14, 1440],
      [60, 520],
      [30, 1440],
      [3, 5000],
    ] as const) {
      const values = populationOf(shape, (parts + 1) * size, 5)
      union.reset()
      for (let i = 0; i < parts; i++)
        addDigest(union, digestOf(values.subarray(i * size, (i + 1) * size)))
      addValues(union, values.subarray(parts * size))
      judge(values, union, `${parts} parts of ${size} ${shape}`)
    }
  }
})

test("so are those of more values than are kept apart", () => {
  for (const shape of Object.keys(shapes) as Shape[]) {
    const values = populationOf(shape, 30_000, 3)
    const union = new MergedQuantiles()
    addValues(union, values)
    judge(values, union, shape)
  }
})

test("a union of one digest lies where that digest does", () => {
  for (const shape of Object.keys(shapes) as Shape[]) {
    const digest = digestOf(populationOf(shape, 3000, 7))
    const found = quantilesOf(unionOf([digest]))
    asked.forEach((q, i) => {
      const step = 1.5 / digest.count
      const x = found[i]!
      assert.ok(digest.quantile(Math.max(0, q - step)) <= x, `${shape} ${q}: ${x}`)
      assert.ok(x <= digest.quantile(Math.min(1, q + step)), `${shape} ${q}: ${x}`)
    })
  }
})

test("a value that makes up much of a population comes out as itself", () => {
  const f = (value: number) => {
    const random = seededNumbers(2)
    const values = Float64Array.from({ length: 9000 }, () =>
      random() < 0.4 ? value : random() * 9,
    )
    const parts = [0, 3000, 6000].map((from) => digestOf(values.subarray(from, from + 3000)))
    const sorted = values.slice().sort()
    const middle = (rankOf(sorted, value, false) + rankOf(sorted, value, true)) / 2 / 9000
    assert.equal(quantilesOf(unionOf(parts), Float64Array.of(middle))[0], value)
  }
  f(0)
  f(4.2)
  f(1 / 3)
})

test("around a gap in the values a quantile is one of its ends, not between them", () => {
  const union = unionOf([digestOf([1, 1, 1, 1, 7]), digestOf([7, 7, 7])])
  assert.deepEqual(
    quantilesOf(union, Float64Array.of(0.2, 0.4, 0.6, 0.8)),
    Float64Array.of(1, 1, 7, 7),
  )
})

test("digests in another order give the same but for rounding, whatever was there before", () => {
  const all = populationOf("heavyTailed", 6000, 9)
  const parts = Array.from({ length: 20 }, (_, i) => digestOf(all.subarray(i * 300, i * 300 + 300)))
  const union = unionOf(parts)
  const want = quantilesOf(union)
  for (const order of [parts.toReversed(), [...parts.slice(7), ...parts.slice(0, 7)]]) {
    union.reset()
    assert.ok(quantilesOf(union).every(Number.isNaN))
    for (const one of order) addDigest(union, one)
    // Sums of masses may be rounded in another way.
    quantilesOf(union).forEach((x, i) => {
      assert.ok(Math.abs(x - want[i]!) <= 1e-9 * Math.abs(x), `${x}, ${want[i]}`)
    })
  }
})

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const value = fc.oneof(
  double,
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(1e300, -1e300, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
)
const weight = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.double({ min: 1e-9, max: 8, noNaN: true }),
)
const lists = fc.array(fc.array(fc.tuple(value, weight), { minLength: 1, maxLength: 200 }), {
  minLength: 1,
  maxLength: 9,
})

test("between values that differ in their last digits the quantiles do not fall", () => {
  const [low, high] = [-1.7976931348623137e308, -1.7976931348623133e308]
  const union = new MergedQuantiles()
  union.addValues(Float64Array.of(low, high, 0), Float64Array.of(1e-9, 50, 4), 3)
  const found = quantilesOf(
    union,
    Float64Array.from({ length: 1001 }, (_, i) => i / 1000),
  )
  found.forEach((x, i) => assert.ok(i === 0 || x >= found[i - 1]!, `${x} at ${i}`))
})

test("of any values and weights the quantiles do not fall and lie within the ends", () => {
  fc.assert(
    fc.property(lists, ([first, ...others]) => {
      const union = new MergedQuantiles()
      const values = Float64Array.from(first!, ([one]) => one)
      union.addValues(
        values,
        Float64Array.from(first!, ([, many]) => many),
        values.length,
      )
      for (const list of others) {
        const digest = new Digest()
        for (const [one, many] of list) digest.add(one, many)
        addDigest(union, digest)
      }
      const all = [first!, ...others].flat().map(([one]) => one)
      const found = quantilesOf(union)
      assert.equal(found[0], Math.min(...all))
      assert.equal(found.at(-1), Math.max(...all))
      found.forEach((x, i) => assert.ok(i === 0 || x >= found[i - 1]!, `${x} at ${i}`))
    }),
  )
})
