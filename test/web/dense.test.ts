/** Laws of dense charts: tiles, thinned lines, one path a colour, what is packed for the worker. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { colourBuckets, packScene } from "../../src/web/chart/dense/scene.ts"
import { placement, tileRanges } from "../../src/web/chart/dense/tiles.ts"
import {
  columnsOf,
  drawScene,
  traceRow,
  type Strokes,
  type Tile,
} from "../../src/web/chart/dense/trace.ts"

type Point = readonly [number, number]

/** Keeps the runs of points between moves. */
function recorder() {
  const runs: Point[][] = []
  const pen = {
    moveTo: (x: number, y: number) => void runs.push([[x, y]]),
    lineTo: (x: number, y: number) => void runs.at(-1)!.push([x, y]),
  }
  return { runs, pen }
}

const bounds = { left: { min: 0, max: 1000 } }
const value = fc.option(fc.integer({ min: 0, max: 1000 }))
const rowOf = (drawn: readonly (number | null | undefined)[], colour = "red") => {
  return { scale: "left", colour, drawn }
}
const timesOf = (count: number) => Array.from({ length: count }, (_, i) => i * 10)

test("tiles lie side by side, and a tile of the range that is shown covers the area", () => {
  const range = fc
    .tuple(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1000, max: 1e9 }))
    .map(([startMs, length]) => ({ startMs, endMs: startMs + length }))
  fc.assert(
    fc.property(range, range, (seen, other) => {
      const [middle, left, right] = tileRanges(seen, [0, 2e12])
      assert.deepEqual(middle, seen)
      assert.equal(right!.startMs, seen.endMs)
      if (left !== null) assert.equal(left!.endMs, seen.startMs)
      const domain = { range: seen, bounds: bounds.left }
      assert.deepEqual(placement(domain, domain), { left: 0, top: 0, width: 1, height: 1 })
      // A time of the tile is at the same place whichever tile shows it.
      const area = { range: other, bounds: { min: 100, max: 300 } }
      const at = placement(domain, area)
      const next = placement({ ...domain, range: right! }, area)
      assert.ok(Math.abs(at.left + at.width - next.left) <= 1e-6 * Math.abs(next.left) + 1e-6)
      // The value 300 is at the top of the area.
      assert.ok(Math.abs(at.top + at.height * 0.7) < 1e-9)
    }),
  )
})

test("a tile without data is not drawn, but for the one that is seen", () => {
  const seen = { startMs: 1000, endMs: 2000 }
  assert.deepEqual(
    tileRanges(seen, [1000, 1500, 2000]).map((range) => range !== null),
    [true, false, false],
  )
  assert.deepEqual(
    tileRanges(seen, [500, 1500, 2500]).map((range) => range !== null),
    [true, true, true],
  )
  assert.deepEqual(
    tileRanges(seen, []).map((range) => range !== null),
    [true, false, false],
  )
})

test("packed rows keep values within the axis, gaps, and times that are no column", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (row) => {
      const { heights } = packScene(timesOf(row.length), [rowOf(row)], bounds)
      for (const [i, one] of row.entries()) {
        if (one === null) assert.ok(Number.isNaN(heights[i]))
        else assert.ok(Math.abs(heights[i]! - (1000 - one) / 1000) < 1e-6)
      }
    }),
  )
  const { heights } = packScene([0, 10], [rowOf([undefined, 1000])], bounds)
  assert.deepEqual([...heights], [Infinity, 0])
  assert.throws(() => packScene([0, 10], [rowOf([1])], bounds), /2 values in row 0, got 1/)
})

test("each row is in the bucket of its colour, once", () => {
  const colour = fc.constantFrom("red", "green", "blue")
  fc.assert(
    fc.property(fc.array(colour, { maxLength: 50 }), (colours) => {
      const rows = colours.map((one) => rowOf([1], one))
      const scene = packScene([0], rows, bounds)
      const buckets = colourBuckets(scene)
      assert.equal(buckets.length, new Set(colours).size)
      const all = buckets.flatMap((bucket, tone) =>
        bucket.map((row) => {
          assert.equal(scene.colours[tone], colours[row])
          return row
        }),
      )
      assert.deepEqual(
        all.sort((a, b) => a - b),
        [...colours.keys()],
      )
    }),
  )
})

test("a scene is one path a colour, however many rows it has", () => {
  const rows = Array.from({ length: 300 }, (_, i) => rowOf([i, i], ["red", "green"][i % 2]))
  const strokes: string[] = []
  let paths = 0
  const context: Strokes = {
    strokeStyle: "",
    lineWidth: 0,
    lineJoin: "miter",
    globalAlpha: 1,
    beginPath: () => void paths++,
    stroke: () => void strokes.push(String(context.strokeStyle)),
    moveTo() {},
    lineTo() {},
  }
  const tile = { range: { startMs: 0, endMs: 10 }, width: 100, height: 100, lineWidth: 1 }
  drawScene(context, packScene([0, 10], rows, bounds), tile)
  assert.equal(paths, 2)
  assert.deepEqual(strokes, ["red", "green"])
})

test("a line with room for its columns has a point for each, and a gap for each gap", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 40 }), (row) => {
      const times = timesOf(row.length)
      const range = { startMs: 0, endMs: times.at(-1)! }
      const tile: Tile = { range, width: 1000, height: 1000 }
      const { runs, pen } = recorder()
      traceRow(packScene(times, [rowOf(row)], bounds), 0, tile, pen)
      const gaps = row.map((one, i) => one !== null && (i === 0 || row[i - 1] === null))
      assert.equal(runs.length, gaps.filter(Boolean).length)
      // A single point becomes a dot of two points.
      const singles = runs.filter((run) => run.length === 2 && run[0]![1] === run[1]![1])
      const points = runs.reduce((sum, run) => sum + run.length, 0)
      const known = row.filter((one) => one !== null).length
      assert.ok(points >= known && points <= known + singles.length)
    }),
  )
})

test("a thinned line keeps least and greatest of each pixel, and draws four at most", () => {
  const rows = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 60, maxLength: 400 })
  fc.assert(
    fc.property(rows, (row) => {
      const times = timesOf(row.length)
      const range = { startMs: 0, endMs: times.at(-1)! + 10 }
      const tile: Tile = { range, width: 20, height: 1000 }
      const { runs, pen } = recorder()
      const scene = packScene(times, [rowOf(row)], bounds)
      traceRow(scene, 0, tile, pen)
      const drawn = new Map<number, number[]>()
      for (const [x, y] of runs.flat()) {
        drawn.set(Math.floor(x), [...(drawn.get(Math.floor(x)) ?? []), y])
      }
      const given = new Map<number, number[]>()
      for (const [i, ms] of times.entries()) {
        const pixel = Math.floor((ms / range.endMs) * 20)
        given.set(pixel, [...(given.get(pixel) ?? []), scene.heights[i]! * 1000])
      }
      const isThinned = row.length - 1 > 40
      assert.ok(isThinned)
      for (const [pixel, heights] of given) {
        const shown = drawn.get(pixel)!
        assert.ok(shown.length <= 4, `${shown.length} points in a pixel`)
        assert.equal(Math.min(...shown), Math.min(...heights))
        assert.equal(Math.max(...shown), Math.max(...heights))
      }
    }),
  )
})

test("a tile is given one column beyond each of its edges, and no more", () => {
  const scene = packScene(timesOf(100), [rowOf(timesOf(100).map(() => 1))], bounds)
  const tile = (startMs: number, endMs: number): Tile => {
    return { range: { startMs, endMs }, width: 100, height: 10 }
  }
  assert.deepEqual(columnsOf(scene, tile(205, 305)), [20, 31])
  assert.deepEqual(columnsOf(scene, tile(-500, 5)), [0, 1])
  assert.deepEqual(columnsOf(scene, tile(985, 2000)), [98, 99])
})
