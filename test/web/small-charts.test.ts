/** Paths of small charts: inside their box, gaps kept. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { areaPath, boxOf, linePath } from "../../src/web/chart/small/line-path.ts"

const size = { width: 100, height: 30 }
const value = fc.option(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { nil: null })
const row = fc.array(value, { maxLength: 40 })

/** The coordinates of a path, in pairs. */
function pointsOf(path: string): [number, number][] {
  return [...path.matchAll(/[ML](-?[\d.e+-]+) (-?[\d.e+-]+)/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
}

test("a line has a point for each value, all inside its box, and a part for each run", () => {
  fc.assert(
    fc.property(row, (values) => {
      const path = linePath(values, boxOf([values], size))
      const points = pointsOf(path)
      assert.equal(points.length, values.filter((one) => one !== null).length)
      for (const [x, y] of points) {
        assert.ok(x >= 0 && x <= size.width && y >= 0 && y <= size.height, `${x} ${y}`)
      }
      const runs = values.filter((one, i) => one !== null && (values[i - 1] ?? null) === null)
      assert.equal(path.split("M").length - 1, runs.length)
    }),
  )
})

test("an area is closed, and covers runs in which both rows have values", () => {
  const f = (low: (number | null)[], high: (number | null)[]) =>
    areaPath(low, high, { ...size, least: 0, greatest: 10 })
  assert.equal(f([0, 0], [10, 10]), "M0 1L100 1L100 29L0 29Z")
  assert.equal(f([0, null, 1], [10, 10, 10]), "")
  assert.equal(f([0, 0, null, 0, 0], [5, 5, 5, 5, 5]).split("Z").length - 1, 2)
})

test("a flat line is in the middle", () => {
  assert.equal(linePath([5, 5], boxOf([[5, 5]], size)), "M0 15L100 15")
  assert.equal(linePath([], boxOf([[]], size)), "")
})
