/** Home without a browser: main metrics of types, tiles and what is asked for them, alerts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { levels } from "../../src/web/api/element-words.ts"
import type { StatusMap } from "../../src/web/api/overview/overview-answer.ts"
import type { SeriesLine } from "../../src/web/api/series-answer.ts"
import { cellSize } from "../../src/web/frame/map/cells.ts"
import { mainMetric } from "../../src/web/pages/home/tiles/main-metric.ts"
import type { ListedIncident } from "../../src/web/api/incident/listed.ts"
import { shownAlerts } from "../../src/web/pages/home/shown-alerts.ts"
import { fqnsToAsk, tileGroups } from "../../src/web/pages/home/tiles/tile-groups.ts"
import { tileMove } from "../../src/web/pages/home/tiles/tile-move.ts"

/** A metric: in `counted` the greatest number is that of its elements. */
function line(metricFqn: string, min: number, max: number): SeriesLine {
  const last = max
  const summary = { min, max, avg: max, last, lastTime: 0, sum: max, count: 1, p95: null }
  const texts = { elementId: "", elementFqn: "", elementName: "", elementType: "", metricId: "" }
  return { ...texts, metricFqn, unit: "", group: null, isCounter: false, summary, values: {} }
}

test("a marked metric comes first, then that of most elements, then that which moves most", () => {
  const counted = [line("flat", 0, 20), line("moving", 0, 20), line("rare", 0, 1)]
  const averaged = [line("flat", 5, 5), line("moving", 1, 9), line("rare", 0, 100)]
  assert.equal(mainMetric({ marked: [], counted, averaged }), "moving")
  assert.equal(mainMetric({ marked: [line("flat", 5, 5)], counted, averaged }), "flat")
  const both = [line("moving", 1, 9), line("flat", 5, 5)]
  assert.equal(mainMetric({ marked: both, counted, averaged }), "flat", "by name")
  assert.equal(mainMetric({ marked: [], counted: [], averaged: [] }), null)
})

interface Made {
  readonly name: string
  readonly type: number
  readonly level: number
  readonly open: number
}

const none = { ok: 0, info: 0, warning: 0, critical: 0, noData: 0, maintenance: 0 }

function statusOf(made: readonly Made[]): StatusMap {
  const types = ["A", "B"].map((type, i) => {
    const total = made.filter((one) => one.type === i).length
    return { type, total, levels: none }
  })
  return {
    levels: [...levels],
    counts: { total: made.length, levels: none, types },
    silences: [],
    columns: {
      fqn: made.map((_, i) => `e${i}`),
      name: made.map(({ name }) => name),
      type: made.map(({ type }) => type),
      level: made.map(({ level }) => level),
      openIncidents: made.map(({ open }) => open),
    },
  }
}

const fleet = fc.array(
  fc.record({
    name: fc.nat(120).map((i) => `web-${i}`),
    type: fc.nat(1),
    level: fc.nat(levels.length - 1),
    open: fc.nat(3),
  }),
  { maxLength: 300 },
)

test("tiles are in order of level and then of the numbers in names", () => {
  const names = (level: number) => ["web-10", "web-9"].map((name) => ({ name, type: 0, level }))
  const made = [...names(0), ...names(3)].map((one) => ({ ...one, open: 0 }))
  const [first] = tileGroups(statusOf(made))
  assert.deepEqual(
    first!.cells.map(({ name, level }) => `${name} ${level}`),
    ["web-9 critical", "web-10 critical", "web-9 ok", "web-10 ok"],
  )
})

test("tiles in sight are asked for, with some around them, and none twice", () => {
  fc.assert(
    fc.property(fleet, fc.nat(300), (made, at) => {
      const groups = tileGroups(statusOf(made))
      const all = groups.flatMap(({ cells }) => cells.map(({ fqn }) => fqn))
      const inSight = new Set(all.slice(at, at + 30))
      const asked = fqnsToAsk(groups, inSight)
      assert.ok([...inSight].every((fqn) => asked.includes(fqn)))
      assert.equal(new Set(asked).size, asked.length)
      assert.ok(asked.length <= 100, `${asked.length}`)
      assert.deepEqual(fqnsToAsk(groups, new Set()), [])
    }),
  )
})

test("arrows reach every tile and leave none", () => {
  const f = (key: string, at: number) => tileMove(key, { at, columns: 4, count: 10 })
  assert.deepEqual([f("ArrowRight", 3), f("ArrowLeft", 4), f("ArrowRight", 9)], [4, 3, 9])
  assert.deepEqual([f("ArrowDown", 1), f("ArrowDown", 7), f("ArrowDown", 8)], [5, 9, 8])
  assert.deepEqual([f("ArrowUp", 9), f("ArrowUp", 2), f("Home", 7), f("End", 2)], [5, 2, 0, 9])
  assert.equal(f("a", 1), null)
})

test("cells shrink with the number of elements", () => {
  const sizes = [24, 300, 301, 1_000, 3_000, 3_001, 50_000].map(cellSize)
  assert.deepEqual(sizes, [20, 20, 16, 14, 12, 5, 5])
})

const alert = (elementFqn: string, changes: Partial<ListedIncident> = {}): ListedIncident => ({
  incidentId: elementFqn,
  policyId: "slow",
  policyName: "Slow",
  level: "info",
  elementFqn,
  elementName: elementFqn,
  tsFirstFired: Date.UTC(2026, 0, 5),
  tsClosed: null,
  closeReason: null,
  acked: false,
  ackedBy: null,
  note: null,
  violatingMetricFqns: [],
  compared: [],
  ...changes,
})

test("of a filter the alerts of its elements are listed by policy, and all of them counted", () => {
  const down = { policyId: "down", level: "critical", acked: true } as const
  const incidents = [alert("e0"), alert("other", down), alert("e1", down), alert("e1")]
  const found = { incidents, total: 400 }
  const made = [
    { name: "a", type: 0, level: 3, open: 5 },
    { name: "b", type: 0, level: 0, open: 1 },
  ]
  const shown = shownAlerts(found, statusOf(made))
  assert.deepEqual(
    shown?.groups.map(({ id, level, count, acked, incidents: [newest] }) => {
      return [id, level, count, acked, newest?.elementFqn]
    }),
    [
      ["down", "critical", 1, 1, "e1"],
      ["slow", "info", 2, 0, "e0"],
    ],
  )
  assert.deepEqual([shown?.total, shown?.isOfAll], [6, false])
  assert.equal(shownAlerts(found, null), null, "not known yet")
})

test("without a filter all are shown, and with one of too many elements that is said", () => {
  const whole = shownAlerts({ groups: [], total: 400 }, null)
  assert.deepEqual(whole, { groups: [], total: 400, isOfAll: false })
  const incidents = Array.from({ length: 30 }, (_, i) => alert(`e${i}`, { policyId: `p${i}` }))
  const tooMany = shownAlerts({ incidents, total: 400 }, { columns: null })
  assert.deepEqual([tooMany?.groups.length, tooMany?.total, tooMany?.isOfAll], [12, 400, true])
})
