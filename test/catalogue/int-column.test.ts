import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { IntColumn } from "../../src/catalogue/int-column.ts"

test("a column that was filled in order keeps what is not removed, set once or twice", () => {
  const length = 9000
  const range = fc.tuple(fc.nat(length - 1), fc.nat(5000))
  fc.assert(
    fc.property(range, fc.array(range, { maxLength: 4 }), (twice, removals) => {
      const column = new IntColumn()
      const expected = new Int32Array(length + 1).fill(-1)
      const set = (index: number, value: number): void => {
        column.set(index, value)
        expected[index] = value
      }
      for (let index = 0; index < length; index++) set(index, index)
      for (const index of indexesOf(twice, length)) set(index, 2 * index)
      for (const removal of removals) {
        for (const index of indexesOf(removal, length)) {
          column.remove(index)
          expected[index] = -1
        }
      }
      set(length, 7)
      assert.deepEqual(
        expected.map((_, index) => column.get(index)),
        expected,
      )
    }),
    { numRuns: 40 },
  )
})

function indexesOf([from, count]: [number, number], end: number): number[] {
  return Array.from({ length: Math.min(count, end - from) }, (_, i) => from + i)
}
