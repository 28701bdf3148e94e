/** The fleet's data, the pace at which it is posted, and who judges what was found of it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { verifyFleet, type FleetObservations } from "../../bench/demo/fleet-verification.ts"
import type { FoundRecord } from "../../bench/demo/fleet-results.ts"
import { fleetMetrics, heartbeat, jobsFailed, requests } from "../../bench/demo/fleet-metrics.ts"
import { loadScheduleOf } from "../../bench/demo/fleet-load.ts"
import { expectedOf, fleetPolicies } from "../../bench/demo/fleet-policies.ts"
import { elementName, Fleet, incidentOf, restartOf } from "../../bench/demo/fleet.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"

const firstDayMs = Date.UTC(2026, 0, 5)
const graceMs = 60_000
const first = firstDayMs / cycleMs
const end = first + (9 * dayMs) / cycleMs
const span = { startMs: first * cycleMs, endMs: end * cycleMs }

interface Posted {
  readonly id: string
  readonly samples: readonly { metricId: string; timestamp: number; val: number }[]
}

function wholeFleet() {
  const fleet = new Fleet({ elements: 3, metrics: 8, firstDayMs })
  const elements = JSON.parse(fleet.body({ from: first, to: end })) as Posted[]
  const valuesOf = (element: number, metricId: string) =>
    elements[element]!.samples.filter((sample) => sample.metricId === metricId)
  return { fleet, elements, valuesOf }
}

test("a fleet has 25 metrics, the same values in every run, at most one sample a cycle", () => {
  assert.equal(new Set(fleetMetrics.map(({ id }) => id)).size, 25)
  const { elements } = wholeFleet()
  assert.deepEqual(elements, wholeFleet().elements)
  for (const { samples } of elements) {
    const places = samples.map(
      ({ metricId, timestamp }) => `${metricId} ${Math.floor(timestamp / cycleMs)}`,
    )
    assert.equal(new Set(places).size, places.length)
  }
})

test("cycles may be posted one by one or many in one request", () => {
  const plan = { elements: 3, metrics: 8, firstDayMs }
  const [one, many] = [new Fleet(plan), new Fleet(plan)]
  const samplesOf = (body: string) => (JSON.parse(body) as Posted[]).map(({ samples }) => samples)
  const apart = [0, 1, 2].map((i) => samplesOf(one.body({ from: first + i, to: first + i + 1 })))
  const together = samplesOf(many.body({ from: first, to: first + 3 }))
  assert.deepEqual(
    together,
    together.map((_, element) => apart.flatMap((cycle) => cycle[element]!)),
  )
})

test("the troubled element is silent for half an hour; counters fall when a process starts", () => {
  const { valuesOf } = wholeFleet()
  const { silent } = incidentOf(firstDayMs)
  const beats = valuesOf(1, heartbeat).map(({ timestamp }) => Math.floor(timestamp / cycleMs))
  assert.equal(beats.length, end - first - 6)
  assert.ok(beats.every((cycle) => cycle < silent.from || cycle >= silent.to))
  const falls = (element: number) =>
    valuesOf(element, requests)
      .filter(({ val }, i, all) => i > 0 && val < all[i - 1]!.val)
      .map(({ timestamp }) => Math.floor(timestamp / cycleMs))
  assert.deepEqual([falls(0), falls(1), falls(2)], [[], [silent.to], [restartOf(firstDayMs)]])
})

test("a slow clock gets a cycle in its time, a fast one many ahead, none more than a day", () => {
  assert.deepEqual(loadScheduleOf(300), {
    cyclesPerPost: 1,
    leadCycles: 0,
    acceptAheadMs: 2 * cycleMs,
  })
  for (const speed of [1, 60, 1_000, 5_000, 100_000]) {
    assert.ok(loadScheduleOf(speed).acceptAheadMs <= dayMs)
  }
  assert.ok(loadScheduleOf(100_000).cyclesPerPost > 1)
})

/** The observations of a server that makes no mistake. */
function rightFindings(): FleetObservations {
  const { fleet, valuesOf } = wholeFleet()
  const ledger = fleet.ledgerOf(span)
  const wanted = fleetPolicies.flatMap((policy) => {
    const expected = expectedOf(policy, { firstDayMs, graceMs })
    return expected === null ? [] : [{ ...expected, policy }]
  })
  const sent = new Set(
    valuesOf(0, jobsFailed).map(({ timestamp }) => Math.floor(timestamp / cycleMs)),
  )
  const cycles = Array.from({ length: end - first }, (_, i) => first + i)
  const record = (cycle: number, data: FoundRecord["data"]) => ({ timeMs: cycle * cycleMs, data })
  const text = (ms: number) => new Date(ms).toISOString()
  return {
    span,
    firstDayMs,
    graceMs,
    ledger,
    policyIds: new Map(fleetPolicies.map(({ name }) => [name, `id of ${name}`])),
    events: wanted.flatMap(({ policy, element, events, firstMs }) =>
      Array.from({ length: events }, (_, i) => ({
        timestamp: text(firstMs + i * cycleMs),
        elementName: element,
        category: { name: policy.category },
        policy: { name: policy.name },
      })),
    ),
    incidents: wanted.map(({ policy, element, firstMs, lastMs, closedMs }) => ({
      policyId: `id of ${policy.name}`,
      elementName: element,
      tsFirstFired: text(firstMs),
      tsLastFired: text(lastMs),
      tsClosed: text(closedMs),
    })),
    deliveries: wanted.flatMap(({ policy, element, firstMs }) =>
      ["event", "event_cleared"].map((payloadType) => ({
        deliveryId: `${policy.name} ${payloadType}`,
        payloadType,
        policyName: policy.name,
        elementName: element,
        timestamp: text(firstMs),
      })),
    ),
    counter: [...ledger.increases].map(([cycle, actual]) => record(cycle, { actual })),
    rare: cycles.map((cycle) =>
      record(cycle, sent.has(cycle) ? { actual: 2 } : { actual: 0, sparseValue: 0 }),
    ),
    closings: cycles.map((cycle) => record(cycle, { actual: 100 })),
  }
}

test("what is right is judged right, and each single mistake is found", () => {
  const right = rightFindings()
  const wrongOf = (found: FleetObservations) =>
    verifyFleet(found).filter(({ holds }) => !holds).length
  assert.equal(wrongOf(right), 0)
  const { events, incidents, deliveries, counter, rare, closings } = right
  const elsewhere = { elementName: elementName(0) }
  const mistakes: readonly Partial<FleetObservations>[] = [
    { events: events.slice(1) },
    { events: [...events, { ...events[0]!, policy: { name: "Requests run backwards" } }] },
    { events: [...events, { ...events[0]!, policy: null }] },
    { events: [{ ...events[0]!, ...elsewhere }, ...events.slice(1)] },
    { incidents: incidents.slice(1) },
    { incidents: [{ ...incidents[0]!, tsClosed: null }, ...incidents.slice(1)] },
    { incidents: [{ ...incidents[0]!, ...elsewhere }, ...incidents.slice(1)] },
    { deliveries: deliveries.slice(1) },
    { counter: counter.with(7, { ...counter[7]!, data: { actual: -1 } }) },
    { rare: rare.filter(({ data }) => data["sparseValue"] === undefined) },
    { closings: closings.slice(1) },
  ]
  for (const mistake of mistakes) {
    assert.equal(wrongOf({ ...right, ...mistake }), 1, JSON.stringify(Object.keys(mistake)))
  }
  const repeated = { ...right, deliveries: [...deliveries, deliveries[0]!] }
  assert.equal(wrongOf(repeated), 2)
})
