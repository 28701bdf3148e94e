/**
 * The law of replays (spec/policies §10): over a window in which a policy was in force unchanged,
 * its incidents are those that were recorded.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import type { Incident } from "../../src/model/records/incident.ts"
import { timeIndexedKind } from "../../src/model/records/time-key.ts"
import { cycleMs, hourMs } from "../../src/model/resolution.ts"
import type { Policy } from "../../src/model/records/policy.ts"
import { Query } from "../../src/query/query.ts"
import type { PolicyReplayAnswer } from "../../src/wire/records/policy-replay.ts"
import { noonMs, seededNumbers } from "../support/ingest/samples.ts"
import { runSeed } from "../support/run/seed.ts"
import { sized } from "../support/run/sizes.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { configurations, metrics, policies, tenantUuid } from "./service-plan.ts"
import { SimService } from "./sim-service.ts"

const cycles = sized({ quick: 60, long: 400 })
const elements = ["a", "b", "c"]

/** Policies on bands and sudden changes, besides the planned ones on values. */
const deviations = [
  { analytic: "baselineDeviation", operator: "defined" },
  { analytic: "baselineDeviation", operator: "undefined" },
  { analytic: "contextualDeviation", operator: "undefined" },
  { analytic: "suddenDeviation", operator: ">", level: 10 },
].map((condition, i) => ({
  name: `deviation ${i}`,
  duration: 300 * (1 + (i % 2)),
  conditions: [{ wildcard: "^(load|zero|last)$", ...condition }],
}))

/** Samples of every cycle, none of them late; elements are silent for hours now and then. */
class Workload {
  private readonly service: SimService
  private readonly random: () => number
  private readonly silentUntilMs = new Map<string, number>()

  constructor(service: SimService, seed: number) {
    this.service = service
    this.random = seededNumbers(seed)
  }

  async cycle(): Promise<void> {
    const { clock } = this.service
    for (const id of elements) {
      if (this.random() < 0.03) this.silentUntilMs.set(id, clock.nowMs() + 2 * hourMs)
      if ((this.silentUntilMs.get(id) ?? 0) <= clock.nowMs()) await this.post(id)
    }
    assert.ok(await this.service.advance(cycleMs))
  }

  private async post(id: string): Promise<void> {
    const timestamp = this.service.clock.nowMs()
    const sent = metrics.filter(() => this.random() < 0.8)
    const isBurst = this.random() < 0.2
    const body = {
      id,
      type: "SERVER",
      metrics: sent.map(({ fqn, actual, sparse }) => ({
        id: fqn,
        type: actual === "counter" ? "COUNTER" : "GAUGE",
        sparseDataStrategy: fqn === "last" ? "None" : sparse,
      })),
      samples: sent.map(({ fqn, actual }) => {
        const val = actual === "counter" ? timestamp / 1000 : 40 + 20 * this.random()
        return { metricId: fqn, timestamp, val: isBurst ? 3 * val : val }
      }),
    }
    assert.ok(await this.service.post([body]))
  }
}

async function replayOf(service: SimService, policy: Policy, startMs: number, endMs: number) {
  const { reader } = service.store
  const query = new Query({
    store: reader,
    tenantUuid: () => tenantUuid,
    elapsedMs: () => performance.now(),
  })
  const request = {
    kind: "policyReplay",
    tenant: 0,
    params: { startTime: [String(startMs)], endTime: [String(endMs)] },
    body: { policy, elements: null, detail: "summary" },
    nowMs: endMs,
  } as const
  const alone = { hasUnflushed: false, allowsParallel: false }
  const { parts } = await query.execute(request, alone)
  return JSON.parse(textOfParts(parts!)) as PolicyReplayAnswer
}

/** The recorded incidents that fired in the window, as a replay tells them. */
function recorded(service: SimService, policyId: string, startMs: number) {
  return service.store.writer
    .listDocuments(timeIndexedKind("incident", 0))
    .map(({ document }) => document as Incident)
    .filter((incident) => incident.policyId === policyId && incident.lastFiredMs >= startMs)
    .map(({ elementId, timeMs, lastFiredMs, closedMs }) => ({
      elementId,
      start: Math.max(timeMs, startMs),
      end: lastFiredMs + cycleMs,
      isOpen: closedMs === null,
    }))
    .sort(byPlace)
}

interface Place {
  readonly elementId: string
  readonly start: number
}

const byPlace = (one: Place, other: Place): number =>
  one.elementId < other.elementId
    ? -1
    : one.elementId > other.elementId
      ? 1
      : one.start - other.start

test("a replay finds the incidents that closings recorded, for every kind of policy", async (t) => {
  t.diagnostic(`seed ${runSeed}`)
  const service = new SimService({
    startMs: noonMs,
    graceMs: 60_000,
    missedCyclesMax: 2,
    batchElements: 2,
    commitBytes: 0,
  })
  t.after(() => service.store.remove())
  await service.start()
  await service.shard.replaceConfigurations(0, configurations)
  const planned = policies.map(({ conditions, ...rest }) => ({
    ...rest,
    conditions: conditions.map((one) => ({ analytic: "actual", ...one })),
  }))
  const stored = []
  for (const policy of [...planned, ...deviations]) {
    stored.push(await service.records.policies.create(0, { policy }, "a@b"))
  }
  const workload = new Workload(service, runSeed)
  for (let cycle = 0; cycle < cycles; cycle++) await workload.cycle()
  // Of this outage only two cycles are closed: the incidents stay open over the rest.
  await service.stop()
  service.wait(hourMs)
  await service.start()
  for (let cycle = 0; cycle < cycles / 4; cycle++) await workload.cycle()
  assert.deepEqual(service.errors, [])

  const endMs = service.state().next * cycleMs
  let found = 0
  for (const { id, body } of stored) {
    for (const startMs of [noonMs, noonMs + 17 * cycleMs, endMs - 9 * cycleMs]) {
      const replay = await replayOf(service, body, startMs, endMs)
      const incidents = replay.incidentList
        .map(({ elementId, start, end, isOpen }) => ({ elementId, start, end, isOpen }))
        .sort(byPlace)
      assert.deepEqual(incidents, recorded(service, id, startMs), `${body.name} from ${startMs}`)
      assert.equal(replay.incidents, incidents.length)
      found += incidents.length
    }
  }
  assert.ok(found > 100, `Expected more than ${found} incidents`)
})
