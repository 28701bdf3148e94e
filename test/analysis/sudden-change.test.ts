import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { suddenChange } from "../../src/analysis/sudden-change.ts"
import { noise } from "./element.ts"

const line = (at: (i: number) => number): number[] => Array.from({ length: 24 }, (_, i) => at(i))
const flat = line((i) => 100 + noise(i))

test("|projected − observed| / |projected| of a line through the 24 values before", () => {
  // y = 10 + 2i goes on to 10 + 2·24 = 58; 29 is half of it.
  const change = suddenChange(
    line((i) => 10 + 2 * i),
    29,
  )!
  assert.ok(Math.abs(change.projected - 58) < 1e-9)
  assert.ok(Math.abs(change.change - 0.5) < 1e-9)
  assert.equal(change.direction, "lower")
})

test("a steady metric that jumps by half is a sudden change, in either direction", () => {
  assert.equal(suddenChange(flat, 150)!.direction, "upper")
  assert.equal(suddenChange(flat, 50)!.direction, "lower")
  assert.ok(Math.abs(suddenChange(flat, 150)!.change - 0.5) < 0.02)
})

test("confidence: a value within the scatter of the others is no change", () => {
  assert.equal(suddenChange(flat, 101.5), undefined)
})

test("good fit: values that scatter as much as they measure project nothing", () => {
  assert.equal(
    suddenChange(
      line((i) => 100 + 90 * noise(i)),
      600,
    ),
    undefined,
  )
})

test("a fall that carries on a known fall is none, a leap beyond it is", () => {
  const falling = line((i) => 200 - 2 * i + 0.5 * noise(i))
  assert.equal(suddenChange(falling, 140), undefined)
  assert.equal(suddenChange(falling, 60)!.direction, "lower")
  assert.equal(suddenChange(falling, 165)!.direction, "upper")
})

test("one missing or sparse value, or a missing observation, ends it", () => {
  fc.assert(
    fc.property(fc.nat(23), (missing) => {
      assert.equal(suddenChange(flat.with(missing, NaN), 150), undefined)
    }),
  )
  assert.equal(suddenChange(flat, NaN), undefined)
})

test("the change does not depend on the unit, and mirrors with the sign", () => {
  fc.assert(
    fc.property(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 300 }), (e, seen) => {
      const unit = 2 ** e
      const plain = suddenChange(flat, seen)
      const scaled = suddenChange(
        flat.map((y) => y * unit),
        seen * unit,
      )
      assert.equal(scaled?.change, plain?.change)
      const mirrored = suddenChange(
        flat.map((y) => -y),
        -seen,
      )
      assert.equal(mirrored?.change, plain?.change)
      if (plain !== undefined) assert.notEqual(mirrored!.direction, plain.direction)
    }),
  )
})

test("a projection of 0 has no share, an equal value no change", () => {
  assert.equal(
    suddenChange(
      line(() => 0),
      5,
    ),
    undefined,
  )
  assert.equal(
    suddenChange(
      line(() => 7),
      7,
    ),
    undefined,
  )
  assert.equal(
    suddenChange(
      line(() => 7),
      14,
    )!.change,
    1,
  )
})
