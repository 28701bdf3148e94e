/** Small charts: paths inside their box, gaps kept, axes, marks of events. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { eventMarks, marksSentence } from "../../src/web/chart/marks/event-marks.ts"
import { timeScale, valueScale } from "../../src/web/chart/small/small-scale.ts"
import { Zone } from "../../src/web/format/zone.ts"
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

const numbers = { locale: "en-US" }

test("a small axis holds its values, and shares of a whole begin at zero", () => {
  const textsOf = (values: readonly number[], unit: string) =>
    valueScale([values], unit, numbers).labels.map(({ text }) => text.replaceAll("\u00a0", " "))
  assert.deepEqual(textsOf([48, 52], "percent"), ["0", "20", "40 %"])
  assert.deepEqual(textsOf([20, 96], "percent"), ["0", "50", "100 %"])
  assert.deepEqual(textsOf([310, 783], "ms"), ["0", "500 ms"])
  assert.deepEqual(textsOf([12_000, 39_364], "requests"), ["0", "20 k", "40 k"])
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom("percent", "ms", "bytes", ""), (values, unit) => {
      const { least, greatest, labels } = valueScale([values], unit, numbers)
      assert.ok(least < greatest && labels.length >= 1 && labels.length <= 5)
      for (const one of values) {
        if (one !== null) assert.ok(one >= least && (one <= greatest || unit === "percent"))
      }
      for (const { share } of labels) assert.ok(share >= -1e-6 && share <= 1 + 1e-6)
    }),
  )
})

test("a small time axis has a few labels, and none at its edges", () => {
  const style = { zone: new Zone("UTC"), clock: "24" } as const
  const startMs = Date.UTC(2026, 0, 5, 8, 25)
  const labels = timeScale({ startMs, endMs: startMs + 6 * 3_600_000 }, style)
  assert.deepEqual(
    labels.map(({ text }) => text),
    ["10:00", "12:00", "14:00"],
  )
  for (const { share } of labels) assert.ok(share > 0.05 && share < 0.95)
})

test("firings of a policy are spans of time, other events ticks, close ones are joined", () => {
  const minute = 60_000
  const range = { startMs: 0, endMs: 360 * minute }
  const fired = (at: number, policyId: string) => {
    return { timestamp: at * minute, level: "warning", title: policyId, policyId } as const
  }
  const note = (at: number, title: string) => {
    return { timestamp: at * minute, level: "info", title, policyId: null } as const
  }
  const events = [fired(60, "Slow"), fired(50, "Slow"), fired(55, "Slow"), fired(55, "Hot")]
  const marks = eventMarks(
    [...events, fired(200, "Slow"), note(30, "Deploy"), note(31, "Config"), note(400, "Later")],
    range,
  )
  assert.deepEqual(
    marks.map(({ startMs, endMs, titles }) => [startMs / minute, endMs / minute, ...titles]),
    [
      [50, 65, "Slow"],
      [200, 205, "Slow"],
      [55, 60, "Hot"],
      [30, 31, "Deploy", "Config"],
    ],
  )
  assert.equal(marksSentence(marks, range), "7 events in 4 marks")
  assert.equal(marksSentence(marks, { startMs: 0, endMs: 40 * minute }), "2 events in 1 mark")
  assert.equal(marksSentence(eventMarks([note(30, "Deploy")], range), range), "1 event")
  assert.equal(marksSentence(marks, { startMs: 70 * minute, endMs: 90 * minute }), "")
  const storm = eventMarks(
    Array.from({ length: 9 }, (_, i) => ({
      ...note(30, `n${i}`),
      level: i === 4 ? "critical" : "info",
    })),
    range,
  )
  assert.deepEqual(storm, [
    {
      startMs: 30 * minute,
      endMs: 30 * minute,
      isTick: true,
      level: "critical",
      count: 9,
      titles: ["n0", "n1", "n2"],
      more: 6,
    },
  ])
})
