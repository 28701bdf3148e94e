import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { IntColumn } from "../../src/catalogue/int-column.ts"
import { SeriesTable } from "../../src/catalogue/series-table.ts"

function filled(pairs: readonly (readonly [number, number])[]): SeriesTable {
  const elements = new IntColumn()
  const names = new IntColumn()
  const table = new SeriesTable(elements, names)
  pairs.forEach(([element, name], series) => {
    elements.set(series, element)
    names.set(series, name)
    table.add(series)
  })
  return table
}

test("a series table is a map of pairs", () => {
  const index = fc.oneof(fc.nat(8), fc.nat(2 ** 31 - 1))
  const options = { selector: ([element, name]: [number, number]) => `${element} ${name}` }
  const pairs = fc.uniqueArray(fc.tuple(index, index), { ...options, maxLength: 200 })
  fc.assert(
    fc.property(pairs, fc.tuple(index, index), (all, asked) => {
      const table = filled(all)
      const map = new Map(all.map(([element, name], series) => [`${element} ${name}`, series]))
      assert.equal(table.size, all.length)
      for (const pair of [...all, asked]) {
        const [element, name] = pair
        assert.equal(table.get(element, name), map.get(pair.join(" ")) ?? -1)
        assert.equal(table.get(-1, name), -1)
        assert.equal(table.get(element, -1), -1)
      }
    }),
  )
})

test("a series table is a map of the pairs that were not removed", () => {
  const few = fc.tuple(fc.nat(40), fc.nat(3))
  const options = { selector: ([element, name]: [number, number]) => `${element} ${name}` }
  const pairs = fc.uniqueArray(few, { ...options, maxLength: 160 })
  fc.assert(
    fc.property(pairs, fc.array(fc.nat(), { maxLength: 100 }), (all, removals) => {
      const table = filled(all)
      const left = new Set(all.keys())
      for (const removal of removals) {
        const series = [...left][removal % Math.max(1, left.size)]
        if (series === undefined) break
        table.remove(series)
        left.delete(series)
      }
      assert.equal(table.size, left.size)
      all.forEach((pair, series) => {
        assert.equal(table.get(...pair), left.has(series) ? series : -1)
      })
    }),
  )
})

test("a series table is the same map after it has grown", () => {
  const many = 5000
  const table = filled(Array.from({ length: many }, (_, i) => [i % 71, Math.floor(i / 71)]))
  for (let i = 0; i < many; i++) assert.equal(table.get(i % 71, Math.floor(i / 71)), i)
  assert.equal(table.get(72, 0), -1)
  assert.equal(table.get(0, many), -1)
})

test("a series table refuses a series without a known pair", () => {
  const table = new SeriesTable(new IntColumn(), new IntColumn())
  assert.throws(() => table.add(0), /Expected the name of the series/)
})
