/** Laws of charts: colours that stay, ticks, bounds, stacks, gaps, what the cursor points at. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { isOutside, runs } from "../../src/web/chart/plot/line-areas.ts"
import { joinColumns, stacked, type ChartLine } from "../../src/web/chart/model.ts"
import { PointedColumns } from "../../src/web/chart/plot/pointed.ts"
import { loneIndexes, type PlotRow } from "../../src/web/chart/plot/plot-input.ts"
import { assignTones, seriesColourCount } from "../../src/web/chart/plot/series-colours.ts"
import { fittingTexts, timeTicks } from "../../src/web/chart/plot/time-ticks.ts"
import { axisBounds, valueTicks } from "../../src/web/chart/plot/value-ticks.ts"
import { unitCodes } from "../../src/web/format/units.ts"
import { visibleText } from "../../src/web/format/visible-text.ts"
import { Zone } from "../../src/web/format/zone.ts"

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 40 })

const firstOf = (ranking: readonly string[]) => ranking.slice(0, seriesColourCount)
const colourOf = (tone: number | undefined) => tone! % seriesColourCount

/** A ranking of all, and those of two charts of it. */
const rankings = ids.chain((all) =>
  fc
    .array(fc.boolean(), { minLength: all.length, maxLength: all.length })
    .map((sides) => [all, all.filter((_, i) => sides[i]), all.filter((_, i) => !sides[i])]),
)

test("the first eight of each ranking have eight colours, and no two series look the same", () => {
  fc.assert(
    fc.property(rankings, rankings, (before, now) => {
      const tones = assignTones(now, assignTones(before, new Map()))
      assert.deepEqual([...tones.keys()].sort(), [...now[0]!].sort())
      assert.equal(new Set(tones.values()).size, now[0]!.length)
      for (const ranking of now) {
        const first = firstOf(ranking)
        assert.equal(new Set(first.map((id) => colourOf(tones.get(id)))).size, first.length)
      }
      for (const id of firstOf(now[0]!)) assert.ok(tones.get(id)! < 8, "Expected a full line")
    }),
  )
})

test("a series loses its colour to a better one of the first eight alone", () => {
  fc.assert(
    fc.property(rankings, rankings, (before, now) => {
      const former = assignTones(before, new Map())
      const tones = assignTones(now, former)
      const isLost = (id: string) => {
        return former.has(id) && colourOf(former.get(id)) !== colourOf(tones.get(id))
      }
      for (const id of now[0]!.filter(isLost)) {
        const better = now.map(firstOf).filter((first) => first.includes(id))
        const winners = better.flatMap((first) => first.slice(0, first.indexOf(id)))
        assert.ok(winners.some((one) => colourOf(tones.get(one)) === colourOf(former.get(id))))
      }
      assert.deepEqual(assignTones(now, tones), tones)
    }),
  )
})

test("colours do not follow from the order of those after the first eight", () => {
  const orders = ids.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all.slice(8), { minLength: Math.max(0, all.length - 8) }),
    ),
  )
  fc.assert(
    fc.property(orders, ([all, others]) => {
      const tones = assignTones([all], new Map())
      assert.deepEqual(assignTones([[...firstOf(all), ...others]], new Map()), tones)
    }),
  )
})

test("up to eight series have the colours in their order, more by what they are", () => {
  const nine = Array.from({ length: 9 }, (_, i) => `web-${i}`)
  const few = fc.shuffledSubarray(nine.slice(0, 8))
  fc.assert(
    fc.property(few, (given) => {
      const tones = [...assignTones([given], new Map()).values()]
      assert.deepEqual(tones, [...given.keys()])
    }),
  )
  const tones = assignTones([nine], new Map())
  assert.ok(tones.get("web-8")! >= 8, "Expected the ninth to be dashed on paper")
  const alone = assignTones([nine.slice(8)], tones)
  assert.equal(alone.get("web-8"), colourOf(tones.get("web-8")))
})

test("the first five of many series have the colours that differ most", () => {
  const many = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 9 })
  fc.assert(
    fc.property(many, (all) => {
      const tones = assignTones([all], new Map())
      const colours = all.slice(0, 5).map((id) => tones.get(id)!)
      assert.deepEqual(colours.sort(), [0, 1, 2, 3, 4])
    }),
  )
})

const zones = ["Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "UTC"]

test("ticks of time ascend within the range, at times that the zone's clocks show", () => {
  const starts = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2036, 0) })
  const lengths = fc.integer({ min: 1000, max: 10 * 365 * 86_400_000 })
  fc.assert(
    fc.property(starts, lengths, fc.constantFrom(...zones), (startMs, length, name) => {
      const style = { zone: new Zone(name), clock: "24" } as const
      const range = { startMs, endMs: startMs + length }
      const ticks = timeTicks(range, 10, style)
      assert.ok(ticks.length <= 30, `${ticks.length} ticks`)
      for (const [i, { ms }] of ticks.entries()) {
        assert.ok(ms >= range.startMs && ms <= range.endMs)
        if (i > 0) assert.ok(ms > ticks[i - 1]!.ms)
      }
    }),
  )
})

test("ticks are whole hours before and after clocks change, and the new offset is shown", () => {
  const style = { zone: new Zone("Europe/Zurich"), clock: "24" } as const
  const day = { startMs: Date.parse("2026-10-24T22:00Z"), endMs: Date.parse("2026-10-25T23:00Z") }
  const ticks = timeTicks(day, 9, style)
  assert.deepEqual(
    ticks.map(({ label }) => label),
    ["00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "00:00"],
  )
  assert.deepEqual([ticks[0]!.second, ticks[1]!.second], ["2026-10-25", "+01:00"])
  const second = {
    startMs: Date.parse("2026-10-25T01:05Z"),
    endMs: Date.parse("2026-10-25T01:45Z"),
  }
  assert.deepEqual(
    timeTicks(second, 4, style).map(({ label, ms }) => [label, ms - second.startMs]),
    [
      ["02:10", 300_000],
      ["02:20", 900_000],
      ["02:30", 1_500_000],
      ["02:40", 2_100_000],
    ],
  )
  const week = { startMs: Date.parse("2026-10-20T00:00Z"), endMs: Date.parse("2026-10-28T00:00Z") }
  const days = timeTicks(week, 8, style)
  assert.deepEqual(days[1], {
    ms: Date.parse("2026-10-21T22:00Z"),
    label: "2026-10-22",
    second: "",
  })
})

test("a label that the edge of a chart would cut is left out, and no other", () => {
  const range = { startMs: 0, endMs: 1_000 }
  const ticks = [0, 900, 980, 1_000].map((ms) => ({ ms, label: "16:00", second: "2026-11-25" }))
  const space = { width: 500, margin: 16, characterWidth: 7 }
  const both = "16:00\n2026-11-25"
  assert.deepEqual(fittingTexts(ticks, range, space), [both, both, "16:00", ""])
  assert.equal(fittingTexts(ticks, range, { ...space, margin: 18 })[3], "16:00")
})

test("ticks of values are multiples of one step within the axis", () => {
  const bounds = fc
    .tuple(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-2, max: 1e12, noNaN: true }),
    )
    .map(([min, length]) => ({ min, max: min + length }))
  fc.assert(
    fc.property(bounds, fc.constantFrom(...unitCodes), ({ min, max }, unit) => {
      const ticks = valueTicks(min, max, 6, unit)
      assert.ok(ticks.length <= 8, `${ticks.length} ticks`)
      for (const tick of ticks) {
        assert.ok(tick >= min - (max - min) * 1e-6 && tick <= max + (max - min) * 1e-6)
      }
    }),
  )
  assert.deepEqual(valueTicks(0, 100, 5, "percent"), [0, 20, 40, 60, 80, 100])
  assert.deepEqual(valueTicks(0, 2048, 4, "bytes"), [0, 512, 1024, 1536, 2048])
  assert.deepEqual(valueTicks(0, 3600, 4, "s"), [0, 900, 1800, 2700, 3600])
})

test("an axis holds its values, and begins at zero if that hides little", () => {
  const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(value, value, fc.boolean(), (a, b, isFromZero) => {
      const [least, greatest] = [Math.min(a, b), Math.max(a, b)]
      const { min, max } = axisBounds(least, greatest, { isFromZero, unit: "" })
      assert.ok(min <= least && max >= greatest && min < max, `${min} to ${max}`)
      if (isFromZero) assert.ok(min <= 0 && max >= 0)
    }),
  )
  const axis = (least: number, greatest: number, unit = "percent") =>
    axisBounds(least, greatest, { isFromZero: false, unit })
  assert.equal(axis(10, 60).min, 0)
  assert.ok(axis(-5, -5).min < -5 && axis(-5, -5).max > -5)
  assert.ok(axis(90, 95).min > 85)
  assert.equal(axis(10, 99).max, 100)
  assert.deepEqual(axis(Infinity, -Infinity), { min: 0, max: 1 })
})

const cell = fc.option(fc.integer({ min: 0, max: 1000 }))

test("a stack ends at the sum of its values, and gaps stay gaps", () => {
  const rows = fc.integer({ min: 1, max: 6 }).chain((length) =>
    fc.array(fc.array(cell, { minLength: length, maxLength: length }), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  fc.assert(
    fc.property(rows, (given) => {
      const sums = stacked(given)
      for (const i of given[0]!.keys()) {
        const known = given.map((row) => row[i]!).filter((one) => one !== null)
        const highest = sums.map((row) => row[i]!).filter((one) => one !== null)
        assert.equal(highest.length, known.length)
        const sum = known.reduce<number>((all, one) => all + one, 0)
        assert.equal(highest.at(-1) ?? 0, sum)
      }
    }),
  )
})

test("runs hold every column without a gap once", () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), (row) => {
      const covered = runs({ lower: row, upper: row }).flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, i) => first + i),
      )
      const known = [...row.keys()].filter((i) => row[i] !== null)
      assert.deepEqual(covered, known)
    }),
  )
})

test("a value is outside a band above it and below it, and never without a value or band", () => {
  const band = { lower: [10, null, 10], upper: [20, 20, null] }
  assert.deepEqual(
    [9, 10, 20, 21].map((value) => isOutside(value, [band], 0)),
    [true, false, false, true],
  )
  assert.deepEqual([isOutside(5, [band], 1), isOutside(25, [band], 2)], [false, false])
  assert.equal(isOutside(null, [band], 0), false)
  assert.equal(isOutside(99, [], 0), false)
})

const summary = { min: 0, avg: 0, max: 0, last: 0, lastTime: 0, sum: 0, count: 1, p95: 0 }

function lineOf(name: string, values: readonly (number | null)[], step = 10): ChartLine {
  const columns = { start: 0, step, count: values.length }
  const rest = { envelope: null, bands: [], percentiles: {}, summary, tone: 0, series: null }
  return { id: name, name, unit: "", columns, values, ...rest }
}

test("a value between gaps is a dot, since no line leads to it", () => {
  assert.deepEqual(loneIndexes([1, null, 2, 3, null, 4]), [0, 5])
  assert.deepEqual(loneIndexes([1, undefined, 2, undefined, null, undefined, 3]), [6])
  assert.deepEqual(loneIndexes([null, undefined]), [])
})

test("lines of different columns share the union of their times", () => {
  const [fine, coarse] = [lineOf("a", [1, 2, 3], 10), lineOf("b", [4, null], 20)]
  const { times, spread } = joinColumns([fine, coarse])
  assert.deepEqual(times, [0, 10, 20])
  assert.deepEqual(spread(fine, fine.values), [1, 2, 3])
  assert.deepEqual(spread(coarse, coarse.values), [4, undefined, null])
})

test("the cursor lists the nearest line with its neighbours in the order of their values", () => {
  const values = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 1000 }), (given, top) => {
      const rows = given.map((value, i): PlotRow => {
        const areas = {
          scale: "left",
          colour: "",
          values: [value],
          envelope: null,
          bands: [],
          fan: [],
        }
        const stroke = { width: 1, focusedWidth: 1, alpha: 1, dash: [] }
        const look = { label: `${i}`, scale: "left", colour: "", ...stroke }
        const drawn = [value]
        return { line: lineOf(`${i}`, drawn), ...look, drawn, values: drawn, areas }
      })
      // Greater values are nearer to the top.
      const topOf = (row: PlotRow) => 1000 - (row.values[0] ?? 0)
      const columns = new PointedColumns(rows, topOf)
      const { lines, others } = columns.pointed(0, { top, focusId: null })
      assert.equal(lines.length, Math.min(8, given.length))
      assert.equal(lines.length + others, given.length)
      const shown = lines.map(({ value }) => value)
      assert.deepEqual(
        shown,
        [...shown].sort((a, b) => b - a),
      )
      const nearest = lines.filter(({ isNearest }) => isNearest)
      assert.equal(nearest.length, 1)
      const distances = given.map((value) => Math.abs(1000 - value - top))
      const least = distances.reduce((a, b) => Math.min(a, b))
      assert.equal(Math.abs(1000 - nearest[0]!.value - top), least)
      assert.equal(columns.nearest(0, top, least)?.line, nearest[0]!.line)
      assert.equal(columns.nearest(0, top, least - 1), null)
    }),
  )
})

test("characters that cannot be seen are named", () => {
  assert.equal(visibleText("a\u202eb\u0000c"), "a⟨U+202E⟩b⟨U+0000⟩c")
  assert.equal(visibleText("👩\u200d💻 ok"), "👩\u200d💻 ok")
  assert.equal(visibleText("a\u200db"), "a⟨U+200D⟩b")
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (given) => {
      assert.doesNotMatch(visibleText(given), /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
