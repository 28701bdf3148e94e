/** Alerts of pages: values as text, targets of changes, changes in parts, groups of events, bars. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { IncidentFilter } from "../../src/web/api/incident/listed.ts"
import { barsOf, markedRange, movedMark, type BarMark } from "../../src/web/chart/strip/bar-mark.ts"
import { comparedSide, comparedText, type Compared } from "../../src/web/format/compared-text.ts"
import { targetOfKeys, withGroups, type GroupLine } from "../../src/web/pages/alerts/alert-row.ts"
import { changeAll } from "../../src/web/pages/alerts/change-parts.ts"
import { groupEvents, type EventsBy } from "../../src/web/api/event/event-groups.ts"

const style = { locale: "en" }
const compared: Compared = {
  unit: "ms",
  analytic: "actual",
  operator: ">",
  value: 782.61,
  changePercent: null,
  threshold: 300,
  thresholdUnit: "ms",
  lower: null,
  upper: null,
}
const band: Compared = {
  ...compared,
  unit: "percent",
  analytic: "baselineDeviation",
  threshold: null,
  thresholdUnit: null,
  lower: 36.72,
  upper: 47.31,
}

test("a comparison has three digits, and its unit once if both sides have the same", () => {
  const shown = (change: object, base = compared) =>
    comparedText({ ...base, ...change }, style)?.replaceAll("\u00a0", " ")
  assert.equal(shown({}), "783 > 300 ms")
  assert.equal(shown({ value: 1_204 }), "1.2 s > 300 ms")
  assert.equal(shown({ unit: "", thresholdUnit: "", operator: "<=" }), "783 ≤ 300")
  assert.equal(shown({ value: 96 }, band), "96 > 47.3 %")
  assert.equal(shown({ value: 12 }, band), "12 < 36.7 %")
  assert.equal(shown({ value: 40 }, band), "40 in 36.7–47.3 %")
  const change = { analytic: "suddenDeviation", changePercent: 42.25, threshold: 20 }
  assert.equal(shown({ ...change, thresholdUnit: "percent" }), "42.3 > 20 %")
  const noChange = { ...change, changePercent: null }
  for (const missing of [{ value: null }, { threshold: null }, noChange]) {
    assert.equal(shown(missing), undefined)
  }
  const alone = (given: Compared) => comparedSide(given, style)?.replaceAll("\u00a0", " ")
  assert.deepEqual([alone(compared), alone({ ...compared, ...change })], ["783 ms", "42.3 %"])
  assert.equal(alone({ ...compared, ...noChange }), undefined)
})

const filter: IncidentFilter = { state: "open", levels: [], text: "" }
const groupOf = (id: string, count: number) =>
  ({ kind: "group", key: `${id}/`, by: "policy", group: { id, count } }) as unknown as GroupLine

test("a selected group is all of its alerts, of which each counts once", () => {
  const groups = [groupOf("cpu", 2_000), groupOf("disk", 3)]
  const target = targetOfKeys(filter, new Set(["cpu/", "cpu/a", "disk/b", "/c"]), groups)
  assert.deepEqual(target, {
    ids: ["b", "c"],
    filters: [{ ...filter, policyId: "cpu" }],
    count: 2_002,
  })
  assert.equal(targetOfKeys(filter, new Set(["gone/"]), groups).count, 0)
})

test("an alert of a selected group is selected; without it the group is not", () => {
  const keys = new Set(["cpu/"])
  const selection = withGroups({
    keys,
    isAll: false,
    has: (key) => keys.has(key),
    set: (changed, isSelected) => changed.forEach((key) => !isSelected && keys.delete(key)),
    selectAll: () => {},
    clear: () => {},
  })
  assert.deepEqual([selection.has("cpu/a"), selection.has("disk/a")], [true, false])
  selection.set(["cpu/a"], false)
  assert.equal(keys.size, 0)
})

test("alerts are changed in parts; one that fails is reported with those after it", async () => {
  const sizes: number[] = []
  let failsAt = -1
  const all = Array.from({ length: 2_500 }, (_, i) => `i${i}`)
  const calls = {
    idsOf: async () => all,
    async changePart(ids: readonly string[]) {
      if (sizes.length === failsAt) throw new Error("Busy")
      sizes.push(ids.length)
      return { changed: ids.length, failed: [] }
    },
  }
  const progress: number[] = []
  const target = { ids: ["i0"], filters: [filter] }
  const run = () => changeAll(calls, target, ({ done }) => progress.push(done))
  assert.deepEqual(await run(), { changed: 2_500, failures: 0, reason: "" })
  assert.deepEqual(
    [sizes, progress],
    [
      [1_000, 1_000, 500],
      [0, 1_000, 2_000],
    ],
  )
  sizes.length = 0
  failsAt = 1
  assert.deepEqual(await run(), { changed: 1_000, failures: 1_500, reason: "Busy" })
})

test("firings of one policy are one line, the others stay in their order", () => {
  const event = (id: string, timestamp: number, policy: string | null) => ({
    id,
    timestamp,
    category: { name: "warning" as const },
    type: "INFO",
    title: null,
    source: null,
    policy: policy === null ? null : { id: policy, name: policy },
  })
  const events = [
    event("note", 900, null),
    event("a", 600, "cpu"),
    event("b", 600, "disk"),
    event("c", 600, "cpu"),
    event("other note", 600, null),
    event("d", 300, "cpu"),
  ]
  const shown = (hasOlder: boolean, by: EventsBy) =>
    groupEvents(events, hasOlder, by).map(({ events: own, isCut }) => {
      return own.map(({ id }) => id).join("+") + (isCut ? "…" : "")
    })
  assert.deepEqual(shown(false, "cycle"), ["note", "a+c", "b", "other note", "d"])
  assert.deepEqual(shown(true, "cycle"), ["note", "a+c", "b", "other note", "d…"])
  // Of one element all firings of a policy are together, and older ones may be among any of them.
  assert.deepEqual(shown(false, "policy"), ["note", "a+c+d", "b", "other note"])
  assert.deepEqual(shown(true, "policy"), ["note", "a+c+d…", "b…", "other note"])
})

test("keys move the mark within the bars, and Shift keeps where it began", () => {
  const press = (mark: BarMark | null, ...keys: string[]) =>
    keys.reduce<BarMark | null | undefined>((former, key) => {
      const isExtended = key.startsWith("Shift ")
      return movedMark(former ?? null, key.replace("Shift ", ""), isExtended, 72)
    }, mark)
  assert.deepEqual(press(null, "ArrowLeft"), { from: 71, at: 71 })
  assert.deepEqual(press(null, "ArrowRight"), { from: 0, at: 0 })
  assert.deepEqual(press(null, "Home", "ArrowLeft", "PageDown"), { from: 20, at: 20 })
  assert.deepEqual(press(null, "End", "Shift PageUp", "Shift ArrowLeft"), { from: 71, at: 50 })
  assert.deepEqual(press({ from: 3, at: 9 }, "ArrowRight"), { from: 10, at: 10 })
  assert.equal(press({ from: 3, at: 9 }, "a"), undefined)
  const bars = { startMs: 1_000, stepMs: 10 }
  assert.deepEqual(markedRange({ from: 5, at: 3 }, bars), { startMs: 1_030, endMs: 1_060 })
})

test("a bar is a cycle of five minutes, as long as the bars are neither few nor many", () => {
  const bars = (minutes: number) => barsOf({ startMs: 0, endMs: minutes * 60_000 })
  assert.deepEqual([15, 60, 90, 360, 1_440].map(bars), [12, 12, 18, 72, 96])
})

test("of a summary equal events from outside are one line too, annotations never are", () => {
  const event = (id: string, changes: { title: string; source?: string; type?: string }) => ({
    id,
    timestamp: 0,
    category: { name: id === "c" ? ("critical" as const) : ("info" as const) },
    type: "INFO",
    source: "ci",
    policy: null,
    ...changes,
  })
  const events = [
    event("a", { title: "Deploy" }),
    event("b", { title: "Deploy", type: "ANNOTATION" }),
    event("c", { title: "Deploy" }),
    event("d", { title: "Deploy", type: "ANNOTATION" }),
    event("e", { title: "Deploy", source: "agent" }),
  ]
  const shown = groupEvents(events, true, "title").map(({ events: own, level, isCut }) => {
    return [own.map(({ id }) => id).join("+"), level, isCut]
  })
  assert.deepEqual(shown, [
    ["a+c", "critical", true],
    ["b", "info", false],
    ["d", "info", false],
    ["e", "info", true],
  ])
})
