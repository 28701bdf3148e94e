/** Alerts, events and policies of an element, as its page tells them. */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { ElementIncident, ElementPolicy } from "../../src/web/api/incident/watching.ts"
import { alertsByPolicy } from "../../src/web/pages/element/alerts/alert-groups.ts"
import { levelOfPolicy, policyWords } from "../../src/web/pages/element/alerts/policy-words.ts"
import { comparedValue } from "../../src/web/pages/events/event-value.ts"

const numbers = { locale: "en-US" }

function incident(policyId: string, level: "critical" | "warning", closedMs: number | null) {
  return {
    incidentId: `${policyId} ${level} ${closedMs}`,
    policyId,
    policyName: policyId,
    level,
    elementFqn: "web-1",
    elementName: "web-1",
    tsFirstFired: 0,
    tsLastFired: 0,
    tsClosed: closedMs,
    closeReason: null,
    acked: false,
    ackedBy: null,
    note: null,
    violatingMetricFqns: [],
    compared: [],
  } satisfies ElementIncident
}

test("alerts of a policy are one group, those with an open one first, with its level", () => {
  const groups = alertsByPolicy([
    incident("disk", "warning", 9),
    incident("cpu", "critical", 8),
    incident("cpu", "warning", null),
    incident("disk", "critical", 7),
  ])
  assert.deepEqual(
    groups.map(({ policyId, level, open, incidents }) => [policyId, level, open, incidents.length]),
    [
      ["cpu", "warning", 1, 2],
      ["disk", "critical", 0, 2],
    ],
  )
  assert.deepEqual(alertsByPolicy([]), [])
})

const policy: ElementPolicy = {
  id: "1",
  name: "CPU",
  enabled: true,
  duration: 600,
  anyCondition: false,
  conditions: [],
  eventConditions: [],
  checkCondition: null,
  actions: [],
}
const condition = {
  metric: "cpu.total",
  wildcard: null,
  analytic: "actual",
  operator: ">=",
  level: 90,
  metricThresholdLevel: null,
}
const units = new Map([["cpu.total", "percent"]])

test("what a policy watches is said with units, and how its conditions are combined", () => {
  const conditions = [
    condition,
    { ...condition, metricThresholdLevel: "cpu.limit" },
    { ...condition, analytic: "baselineDeviation", operator: "defined" },
    { ...condition, analytic: "suddenDeviation", operator: ">", level: 50 },
    { ...condition, metric: null, wildcard: "^disk", operator: "<", level: 5 },
  ]
  assert.deepEqual(policyWords({ ...policy, conditions }, units, numbers), {
    opening: "For 2 cycles in a row (10 min), all of",
    conditions: [
      "cpu.total ≥ 90\u00a0%",
      "cpu.total ≥ cpu.limit",
      "cpu.total outside of its baseline",
      "sudden change of cpu.total > 50 %",
      "/^disk/ < 5",
    ],
  })
  const one = { ...policy, duration: 300, anyCondition: true, conditions: [condition] }
  assert.equal(policyWords(one, units, numbers).opening, "In one cycle")
  const any = { ...one, conditions: [condition, condition] }
  assert.equal(policyWords(any, units, numbers).opening, "In one cycle, any of")
})

test("policies on events and checks say which, without cycles", () => {
  const none = { messageRegex: null, titleRegex: null, sourceRegex: null, level: null }
  const eventConditions = [none, { ...none, messageRegex: "gale", level: "critical" as const }]
  const checkCondition = { checkName: "heartbeat" }
  assert.deepEqual(policyWords({ ...policy, eventConditions, checkCondition }, units, numbers), {
    opening: "",
    conditions: [
      "an event",
      "an event of level Critical with the message /gale/",
      "the check heartbeat has expired",
    ],
  })
})

test("the level of a policy is that of its most severe action, a warning without one", () => {
  const level = (...categories: number[]) =>
    levelOfPolicy({ actions: [{}, ...categories.map((category) => ({ category }))] })
  assert.deepEqual(
    [level(), level(1), level(1, 3), level(2)],
    ["warning", "info", "critical", "warning"],
  )
})

test("the value of an event is what the first condition that held compared", () => {
  const compared = (value: number) => ({
    metricFqn: "cpu.total",
    unit: "percent",
    analytic: "actual",
    operator: ">",
    value,
    changePercent: null,
    threshold: 90,
    thresholdUnit: "percent",
    lower: null,
    upper: null,
  })
  const found = (violating: boolean, value: number) => {
    return { id: "0", violating, expression: "", compared: [compared(value)] }
  }
  const results = JSON.stringify({ conditions: [found(false, 3), found(true, 96)] })
  const of = { id: "1", name: "CPU" }
  assert.equal(comparedValue({ policy: of, data: { results } }, numbers), "96 > 90\u00a0%")
  assert.equal(comparedValue({ policy: null, data: { results } }, numbers), null)
  for (const wrong of [undefined, "no JSON", "{}"]) {
    assert.equal(comparedValue({ policy: of, data: { results: wrong } }, numbers), null)
  }
})
