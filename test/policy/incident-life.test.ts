/** An incident keeps numbers of its latest event. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { fire } from "../../src/policy/incident-life.ts"
import { createPolicyEvent } from "../../src/policy/policy-event.ts"
import { conditionOf, cycleOf, matcherOf } from "./cycles.ts"

const tenantUuid = "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001"
const element = { id: "e", fqn: "web", name: "web", type: "SERVER", location: null, tags: [] }
const matcher = matcherOf({
  anyCondition: true,
  conditions: [
    conditionOf({ level: 90 }),
    conditionOf({ metric: "requests", level: 100 }),
    conditionOf({ wildcard: "disk", level: 80 }),
  ],
})

type Values = Readonly<Record<string, number>>

function fired(window: number, values: Values) {
  const rows = Object.entries(values).map(([fqn, value]) => ({ fqn, values: [value] }))
  const results = matcher.results(cycleOf(...rows))
  const { policy } = matcher
  const cause = "cycle" as const
  const moment = { window: String(window), timeMs: window }
  const match = { policy, element, cause, results, ...moment }
  const event = createPolicyEvent(match, { tenantUuid, processedMs: window })
  return { cause, subject: "", event, results }
}

test("an incident has the first value of each violating condition of its latest event", () => {
  const valuesOf = (open: ReturnType<typeof fire>) =>
    open.incident.compared?.map(({ metricFqn, value }) => `${metricFqn} ${value}`)
  const first = fire(
    undefined,
    fired(1, { "cpu.total": 95, requests: 5, "disk.a": 81, "disk.b": 82 }),
  )
  assert.deepEqual(valuesOf(first), ["cpu.total 95", "disk.a 81"])
  const next = fire(first, fired(2, { "cpu.total": 10, requests: 812 }))
  assert.deepEqual(valuesOf(next), ["requests 812"])
  assert.deepEqual(valuesOf(fire(next, fired(2, { "cpu.total": 99 }))), ["requests 812"])
  const { event } = fired(3, { requests: 812 })
  const results = { violating: true, conditions: [], metrics: [] }
  const checked = fire(next, { cause: "cycle", subject: "", event, results })
  assert.equal(valuesOf(checked), undefined)
})
