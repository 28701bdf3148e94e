/** Laws of the page of an incident: spans, cells of cycles, marks of charts, what was before it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type {
  CycleDetail,
  PolicyCondition,
  PolicyEvent,
} from "../../src/web/api/incident/incident-answer.ts"
import type { ListedEvent } from "../../src/web/api/event/event-answer.ts"
import type { ComparedNumbers } from "../../src/web/api/incident/compared.ts"
import { leftOfTime, shownSpan } from "../../src/web/chart/plot/plot-area.ts"
import { beforeLines } from "../../src/web/pages/incident/before-lines.ts"
import { marksOf } from "../../src/web/pages/incident/condition-rows.ts"
import {
  cycleMs,
  cyclesWithin,
  cycleTable,
  shownCyclesMax,
  tableSpan,
} from "../../src/web/pages/incident/cycle-table.ts"
import { foundSentence } from "../../src/web/pages/incident/found-sentence.ts"
import {
  chartSpan,
  draggedSpan,
  holdingOf,
  holdingSpan,
  isReopened,
  neededHolding,
} from "../../src/web/pages/incident/holding.ts"

const beginMs = Date.UTC(2026, 0, 5)
const cycles = fc.integer({ min: 0, max: 1_000 })

test("a table shows whole cycles, at most its limit, around the first or the last firing", () => {
  const part = fc.constantFrom("start" as const, "end" as const)
  fc.assert(
    fc.property(
      cycles,
      cycles,
      fc.integer({ min: 1, max: 288 }),
      part,
      (first, more, needed, of) => {
        const firstMs = beginMs + first * cycleMs
        const lastMs = firstMs + more * cycleMs
        const nowMs = lastMs + 2 * cycleMs
        const span = tableSpan({ firstMs, lastMs, needed, nowMs }, of)
        const count = (span.endMs - span.startMs) / cycleMs
        assert.ok(Number.isInteger(count) && count >= 1 && count <= shownCyclesMax)
        assert.equal(span.startMs % cycleMs, 0)
        const within = of === "start" ? firstMs : lastMs
        assert.ok(span.startMs <= within && within < span.endMs)
        const lead = Math.min(needed - 1, shownCyclesMax - 5)
        if (of === "start") assert.ok(span.startMs <= firstMs - lead * cycleMs)
        // Two before those that are needed, and one after the last: the cycle of now is not closed.
        assert.equal(span.isPart, more + Math.min(needed, shownCyclesMax - 4) + 3 > shownCyclesMax)
      },
    ),
  )
})

const condition: PolicyCondition = {
  metric: "cpu",
  wildcard: null,
  analytic: "actual",
  operator: ">",
  level: 90,
  metricThresholdLevel: null,
}

const values = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), {
  minLength: 1,
  maxLength: 24,
})

function detailOf(given: readonly (number | null)[]): CycleDetail {
  const holds = given.map((value) => value !== null && value > 90)
  return {
    timestamps: given.map((_, i) => beginMs + i * cycleMs),
    conditions: [{ id: "0", metricFqn: "cpu", values: [...given], holds }],
    fires: holds,
  }
}

function eventAt(timestamp: number, value: number): PolicyEvent {
  const compared = [{ ...latency, metricFqn: "cpu", value, threshold: 90 }]
  return {
    timestamp,
    policy: null,
    results: { conditions: [{ id: "0", violating: true, expression: "", compared }] },
  }
}

function eventsOf({ timestamps, conditions, fires }: CycleDetail): PolicyEvent[] {
  return timestamps.flatMap((ms, i) => (fires[i] ? [eventAt(ms, conditions[0]!.values[i]!)] : []))
}

test("equal values differ nowhere; another value differs in its cycle alone", () => {
  fc.assert(
    fc.property(values, fc.nat(), (given, at) => {
      const detail = detailOf(given)
      const events = eventsOf(detail)
      const same = cycleTable(detail, [condition], events)
      assert.equal(same.isChanged, false)
      for (const [i, { state, value }] of same.rows[0]!.cells.entries()) {
        assert.equal(value, given[i])
        assert.equal(state, value === null ? "noValue" : value > 90 ? "holds" : "not")
      }
      const [fired] = events.slice(at % Math.max(1, events.length))
      if (fired === undefined) return
      const i = detail.timestamps.indexOf(fired.timestamp)
      const late = detailOf(given.with(i, 10))
      const table = cycleTable(late, [condition], events)
      assert.equal(table.isChanged, true)
      assert.equal(table.rows[0]!.cells[i]!.recorded, given[i])
      assert.deepEqual(table.firing[i], { fires: false, recorded: true })
      assert.equal(table.firing.filter(({ recorded }) => recorded !== null).length, 1)
    }),
  )
})

test("a cycle without a band says so, if the condition compares with one", () => {
  const detail = detailOf([50, 50])
  const [one] = detail.conditions
  const conditions = [{ ...one!, lower: [null, 10], upper: [null, 90] }]
  const banded = { ...condition, analytic: "baselineDeviation" }
  const { rows } = cycleTable({ ...detail, conditions }, [banded], [])
  assert.deepEqual(
    rows[0]!.cells.map(({ state }) => state),
    ["noBand", "not"],
  )
  const given = { conditions: [banded], named: ["cpu"], firstMs: beginMs, needed: 1 }
  assert.deepEqual(marksOf(null, given)[0]!.bands, ["baseline"])
})

const style = { locale: "en-US" }
const latency: ComparedNumbers = {
  metricFqn: "http.latency",
  unit: "milliseconds",
  analytic: "actual",
  operator: ">",
  value: 782.61,
  changePercent: null,
  threshold: 300,
  thresholdUnit: "milliseconds",
  lower: null,
  upper: null,
}

test("a sentence has the numbers with three digits and their units", () => {
  const sentence = (changes: Partial<ComparedNumbers>, violating = true, by = condition) => {
    const found = { id: "0", violating, expression: "", compared: [{ ...latency, ...changes }] }
    return foundSentence(found, by, style).replaceAll("\u00a0", " ")
  }
  const opening = "The current value of http.latency is 783 ms"
  assert.equal(sentence({}), `${opening}; this is above the static threshold of 300 ms.`)
  assert.equal(
    sentence({ operator: "<=" }, false),
    `${opening}; this is not at or below the static threshold of 300 ms.`,
  )
  const band = { analytic: "baselineDeviation", threshold: null, thresholdUnit: null }
  assert.equal(
    sentence({ ...band, lower: 39.2344, upper: 48.8594 }),
    `${opening}; this is above the baseline band from 39.2 ms to 48.9 ms.`,
  )
  assert.equal(sentence(band), `${opening}; it has no baseline band yet.`)
  const change = { analytic: "suddenDeviation", threshold: 50, thresholdUnit: "percent" }
  assert.equal(
    sentence({ ...change, changePercent: 62.537 }),
    `${opening}, a sudden change of 62.5 %; this is above the static threshold of 50 %.`,
  )
  assert.equal(sentence(change, false), "The value of http.latency shows no sudden change.")
  const other = { ...condition, metricThresholdLevel: "limit" }
  assert.equal(
    sentence({ threshold: 0.5, thresholdUnit: "s" }, true, other),
    `${opening}; this is above the threshold of limit, 500 ms.`,
  )
  assert.equal(
    sentence({ threshold: null }, false, other),
    `${opening}; this is not compared: limit has no value.`,
  )
  assert.equal(sentence({ value: null }), "The metric http.latency has no value in this cycle.")
})

test("a sentence is the recorded one without numbers, and keeps the count of other metrics", () => {
  const expression =
    "The current value of a is 1; this is above it. The same goes for 3 more metrics."
  const found = { id: "0", violating: true, expression }
  assert.equal(foundSentence(found, condition, style), expression)
  const numbered = foundSentence({ ...found, compared: [latency] }, condition, style)
  assert.match(numbered, /300\u00a0ms\. The same goes for 3 more metrics\.$/)
})

test("marks are the joined cycles in which a condition holds, and no others", () => {
  fc.assert(
    fc.property(values, (given) => {
      const detail = detailOf(given)
      const policy = { conditions: [condition], named: [], firstMs: beginMs, needed: 1 }
      const [marks] = marksOf(detail, policy)
      assert.equal(marks!.level, 90)
      for (const [i, ms] of detail.timestamps.entries()) {
        const within = marks!.holds.filter((span) => span.startMs <= ms && ms < span.endMs)
        assert.equal(within.length, detail.conditions[0]!.holds[i] ? 1 : 0)
      }
      for (const [i, { startMs }] of marks!.holds.entries()) {
        if (i > 0) assert.ok(startMs > marks!.holds[i - 1]!.endMs)
      }
    }),
  )
})

const minute = 60_000
const at = (cycle: number) => beginMs + cycle * cycleMs

/** A replay of a policy of `needed` cycles in a row. */
function replayOf(given: readonly (number | null)[], needed: number) {
  const detail = detailOf(given)
  const [{ holds }] = detail.conditions as [CycleDetail["conditions"][number]]
  const fires = holds.map(
    (_, i) => i + 1 >= needed && holds.slice(i + 1 - needed, i + 1).every(Boolean),
  )
  const starts = fires.flatMap((one, i) => (one && fires[i - 1] !== true ? [i] : []))
  const incidentList = starts.map((start) => {
    const end = fires.indexOf(false, start)
    return { start: at(start), end: at(end < 0 ? fires.length : end) }
  })
  return { cycleDetail: { ...detail, fires }, incidentList }
}

const firedOf = (first: number, needed: number) => {
  return { firstMs: at(first) + minute, lastMs: at(first + 2), needed, nowMs: at(first + 4) }
}

test("conditions hold since the first cycle of the unbroken run, not since the alert", () => {
  const values = [10, 95, 10, 95, 95, 95, 95, 95, 95, 95, 95, 10]
  const replay = replayOf(values, 3)
  const since = (first: number) => holdingOf(replay, firedOf(first, 3))
  assert.deepEqual(since(5), { ms: at(3), isBefore: false })
  // Reopened: by hand, by a maintenance or after a restart.
  assert.deepEqual(since(9), { ms: at(3), isBefore: false })
  const former = { incidentId: "a", tsFirstFired: at(5), tsLastFired: at(7), tsClosed: at(7) + 1 }
  const closed = { ...former, closeReason: "user" as const }
  assert.ok(isReopened(closed, since(9)))
  assert.ok(!isReopened({ ...closed, tsFirstFired: at(0), tsLastFired: at(1) }, since(9)))
  const before = replayOf([95, 95, 95, 95, 10], 1)
  assert.deepEqual(holdingOf(before, firedOf(2, 1)), { ms: at(0), isBefore: true })
  // By the values of now it does not fire then.
  assert.deepEqual(since(1), neededHolding(firedOf(1, 3)))
})

test("a chart begins before its table, and one replay has the first firing", () => {
  const counts = fc.integer({ min: 1, max: 288 })
  fc.assert(
    fc.property(counts, cycles, (needed, more) => {
      const fired = { ...firedOf(0, needed), lastMs: at(more), nowMs: at(more + 2) }
      for (const part of ["start", "end"] as const) {
        const [chart, table] = [chartSpan(fired, part), tableSpan(fired, part)]
        assert.ok(chart.startMs < table.startMs && chart.endMs === table.endMs)
        const start = holdingSpan(fired)
        assert.ok(start.startMs <= at(0) && at(0) < start.endMs)
        assert.ok(chart.startMs >= start.startMs)
      }
    }),
  )
})

test("a range that a chart is dragged to is replayed in whole cycles, at most two weeks", () => {
  const length = fc.integer({ min: 1, max: 30 * 86_400_000 })
  fc.assert(
    fc.property(cycles, length, (first, ms) => {
      const range = { startMs: at(first) + minute, endMs: at(first) + minute + ms }
      const { startMs, endMs } = draggedSpan(range)
      assert.ok(startMs % cycleMs === 0 && endMs % cycleMs === 0 && endMs > range.endMs)
      assert.ok(endMs - startMs <= 14 * 86_400_000)
      assert.ok(startMs <= range.startMs || endMs - startMs === 14 * 86_400_000)
    }),
  )
})

test("the table has the cycles of the replay that lie in its span", () => {
  const replay = replayOf([10, 95, 95, 20, 96], 1).cycleDetail
  const shown = cyclesWithin(replay, { startMs: at(1), endMs: at(4) })
  assert.deepEqual(shown.timestamps, [at(1), at(2), at(3)])
  assert.deepEqual(shown.fires, [true, true, false])
  assert.deepEqual(shown.conditions[0]!.values, [95, 95, 20])
  assert.deepEqual(shown.conditions[0]!.holds, [true, true, false])
})

test("the bracket is over the cycles that the alert needed, within the shade, or nowhere", () => {
  const detail = replayOf([10, 95, 95, 95, 95, 95, 95, 10], 3).cycleDetail
  const bracket = (first: number, needed = 3, of = detail) => {
    const given = { conditions: [condition], named: [], firstMs: at(first) + minute, needed }
    return marksOf(of, given)[0]!.bracket
  }
  assert.deepEqual(bracket(3), { startMs: at(1), endMs: at(4) })
  assert.deepEqual(bracket(5), { startMs: at(3), endMs: at(6) })
  // One cycle needs none, and the end of a long alert is not where it fired first.
  assert.equal(bracket(3, 1), null)
  assert.equal(bracket(-2), null)
  assert.equal(bracket(7), null)
  // Of a condition that is one of several and does not hold then.
  const [one] = detail.conditions
  const other = { ...detail, conditions: [{ ...one!, holds: one!.holds.map(() => false) }] }
  assert.equal(bracket(3, 3, other), null)
})

test("what was posted is listed before firings, which are one line for each policy", () => {
  const event = (changes: Partial<ListedEvent>): ListedEvent => ({
    id: `${changes.timestamp} ${changes.title}`,
    timestamp: 0,
    category: { name: "info" },
    type: "INFO",
    title: null,
    source: "agent",
    elementFqn: "web-1",
    elementName: "web-1",
    policy: null,
    data: {},
    tags: [],
    ...changes,
  })
  const firings = Array.from({ length: 24 }, (_, i) => {
    const policy = i % 3 === 0 ? { id: "own", name: "Own" } : { id: "slow", name: "Slow" }
    const name = i === 7 ? ("critical" as const) : ("warning" as const)
    return event({ id: `f${i}`, timestamp: 1_000 - i, policy, category: { name } })
  })
  const posted = [
    event({ timestamp: 900, title: "Disk error" }),
    event({ timestamp: 800, title: "Disk error" }),
    event({ timestamp: 700, title: "Config" }),
    event({ timestamp: 600, title: "Deploy 1.2", type: "ANNOTATION", source: "user" }),
  ]
  const lines = beforeLines({ posted, firings, policyId: "own" })
  assert.deepEqual(
    lines.map(({ events: own, level }) => {
      const [{ title, policy }] = own
      return [title ?? policy?.name, level, own.length, own.at(-1)?.timestamp]
    }),
    [
      ["Deploy 1.2", "info", 1, 600],
      ["Disk error", "info", 2, 800],
      ["Config", "info", 1, 700],
      ["Slow", "critical", 16, 977],
    ],
  )
})

test("the shown part of a span is within the plot", () => {
  const ms = fc.integer({ min: -1_000, max: 2_000 })
  fc.assert(
    fc.property(ms, fc.nat({ max: 1_000 }), (startMs, length) => {
      const area = { width: 600, view: { startMs: 0, endMs: 1_000 } }
      const shown = shownSpan(area, { startMs, endMs: startMs + length })
      const isSeen = startMs <= 1_000 && startMs + length >= 0
      assert.equal(shown !== null, isSeen)
      if (shown === null) return
      assert.ok(shown.left >= 0 && shown.left + shown.width <= 600.001)
      if (startMs >= 0) assert.equal(shown.left, leftOfTime(area, startMs))
    }),
  )
})
