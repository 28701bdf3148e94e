/** Unwatched cycles (spec/time §6): what is missing there has no effect. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import type { BatchRequest } from "../../src/cycle/cycle-protocol.ts"
import { collectedPercentFqn } from "../../src/model/fqn.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import type { PolicyCondition } from "../../src/model/records/policy.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { append, plain, seriesName, upsertSeries } from "../support/ingest/samples.ts"
import { conditionOf, policyOf } from "../policy/cycles.ts"

const load = seriesName("host", "load")
const errors = seriesName("host", "errors")
const first = 1_000
const inactiveCycles = 6

/** One element with a policy for each condition. */
class Fixture {
  private readonly store = new MemoryStore()
  private readonly evaluator = new CycleEvaluator({
    store: this.store,
    tenantUuid: () => "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001",
  })
  private next = first
  private readonly unwatched: { from: number; to: number }[] = []

  constructor(policies: readonly { condition: Partial<PolicyCondition>; cycles?: number }[] = []) {
    upsertSeries(this.store.catalogue, load, {})
    upsertSeries(this.store.catalogue, errors, { sparseDataStrategy: "ReplaceWithZero" })
    this.store.putDocuments(
      policies.map(({ condition, cycles = 1 }, i) => {
        const body = policyOf({ duration: 300 * cycles, conditions: [conditionOf(condition)] })
        return { kind: "policy:0", id: String(i), document: { body } }
      }),
    )
  }

  /** Closes the next cycle, with values of the two metrics; false: the server was off. */
  close(values: { load?: number; errors?: number }, isWatched = true) {
    const cycle = this.next++
    const atMs = cycle * cycleMs
    if (values.load !== undefined) append(this.store, [plain(atMs, values.load, load)])
    if (values.errors !== undefined) append(this.store, [plain(atMs, values.errors, errors)])
    if (!isWatched) this.unwatched.push({ from: cycle, to: cycle + 1 })
    const { changes, violations } = this.evaluator.evaluate(this.request(cycle))
    this.store.commitCycle({ ...changes!, documents: [] })
    return {
      fills: changes!.gapFills.series.length,
      computed: changes!.computed.fqns,
      violated: violations.flatMap((one) => one.violations.map(({ policyId }) => policyId)),
      evaluated: violations.flatMap((one) => one.evaluated),
    }
  }

  /** Puts the element into maintenance. */
  maintain(): void {
    const edit = { tenant: 0, nowMs: 0, element: load.element, kind: "elementTags" } as const
    const set = [{ name: "n.state.maintenance", value: "true" }]
    applyEdit(this.store.catalogue, { ...edit, set, remove: [] })
  }

  private request(cycle: number): BatchRequest {
    const batch = { name: "0", elements: Int32Array.of(0), unwatched: this.unwatched }
    const closingMs = (cycle + 1) * cycleMs
    return { ...batch, cycle, closingMs, isMissed: false, inactiveCycles }
  }
}

const isSilent = { metric: collectedPercentFqn, operator: "<", level: 50 } as const
const isCalm = { metric: errors.metric, operator: "==", level: 0 } as const
const isBusy = { metric: load.metric, operator: ">", level: 90 } as const

test("a silent element gets no values in an unwatched cycle, and violates nothing", () => {
  const fixture = new Fixture([{ condition: isSilent }, { condition: isCalm }])
  fixture.close({ load: 1, errors: 1 })
  const off = fixture.close({}, false)
  assert.deepEqual([off.fills, off.computed, off.violated], [0, [], []])
  const { fills, computed, violated } = fixture.close({})
  assert.deepEqual([fills, computed, violated], [1, [collectedPercentFqn], ["0", "1"]])
})

test("an element with samples is closed in an unwatched cycle, and only they are judged", () => {
  const fixture = new Fixture([
    { condition: isSilent },
    { condition: isCalm },
    { condition: isBusy },
  ])
  fixture.close({ load: 1, errors: 1 })
  const { fills, computed, violated } = fixture.close({ load: 99 }, false)
  assert.deepEqual([fills, computed, violated], [1, [], ["2"]])
})

test("conditions that held before unwatched cycles and hold after them have held", () => {
  const fixture = new Fixture([{ condition: isBusy, cycles: 3 }])
  assert.deepEqual(fixture.close({ load: 99 }).violated, [])
  assert.deepEqual(fixture.close({ load: 99 }).violated, [])
  for (let off = 0; off < 4; off++) fixture.close({}, false)
  assert.deepEqual(fixture.close({ load: 99 }).violated, ["0"])
  assert.deepEqual(fixture.close({}).violated, [])
  fixture.close({ load: 99 })
  assert.deepEqual(fixture.close({ load: 99 }).violated, [], "a watched gap ends it")
})

test("an element becomes inactive by cycles that were watched", () => {
  const fixture = new Fixture()
  fixture.close({ load: 1, errors: 1 })
  for (let off = 0; off < 2 * inactiveCycles; off++) fixture.close({}, false)
  for (let silent = 1; silent < inactiveCycles; silent++) {
    assert.equal(fixture.close({}).fills, 1, `${silent} silent cycles`)
  }
  assert.equal(fixture.close({}).fills, 0)
})

test("a closing names the policies that watch an element, and the data it lacks (F3)", () => {
  const fixture = new Fixture([{ condition: isBusy }])
  const of = { fqn: load.element, isSilent: false, policyIds: ["0"] }
  const seen = (values: { load?: number; errors?: number }) => fixture.close(values).evaluated
  assert.deepEqual(seen({ load: 1, errors: 1 }), [{ ...of, silentMetrics: [] }])
  // The percentage of collected metrics is computed, and the other metric is filled.
  assert.deepEqual(seen({ load: 1 }), [{ ...of, silentMetrics: [] }])
  assert.deepEqual(seen({ errors: 1 }), [{ ...of, silentMetrics: [load.metric] }])
  for (let silent = 1; silent < inactiveCycles + 2; silent++) {
    assert.equal(seen({})[0]!.isSilent, true, `${silent} silent cycles`)
  }
  fixture.maintain()
  const none = { isSilent: false, policyIds: [], silentMetrics: [] }
  assert.deepEqual(seen({ load: 1 }), [{ fqn: load.element, ...none }])
  assert.deepEqual(seen({}), [{ fqn: load.element, ...none }])
})
