/** Background jobs that are interrupted between any two commits and run again. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import { assertSame } from "../../simulation/oracle.ts"
import { Model } from "../../simulation/model.ts"
import { SimStore } from "../../simulation/sim-store.ts"
import { append, cpu, noonMs, plain } from "../../support/ingest/samples.ts"
import type { SampleRequest } from "../../support/ingest/samples.ts"

const early: SampleRequest = [plain(noonMs, 1), plain(noonMs + hourMs, 2)]
const late: SampleRequest = [plain(noonMs + 2 * hourMs, 3)]

/** A store that commits every step, and a model of it. */
function begin(t: TestContext): { store: SimStore; model: Model; send: typeof sendTo } {
  const store = new SimStore({ commitBytes: 0, segmentBytes: 16 * 1024 })
  const model = new Model()
  t.after(() => store.remove())
  return { store, model, send: sendTo }
}

function sendTo(to: { store: SimStore; model: Model }, request: SampleRequest): void {
  append(to.store.writer, request)
  to.model.add(request)
}

test("a compaction interrupted at any commit gives the same result again", async (t) => {
  for (let commits = 0; commits < 24; commits++) {
    const it = begin(t)
    it.send(it, early)
    it.store.maintainAll(noonMs + 2 * dayMs)
    it.send(it, late)
    it.store.refuse(commits)
    it.store.maintainAll(noonMs + 2 * dayMs)
    await it.store.crash()
    it.store.maintainAll(noonMs + 2 * dayMs)
    const asked = { asked: ["ZERO", "PT5M", "PT1H", "PT24H"] as const, latestMs: noonMs }
    assertSame(it.store, it.model, asked)
    await it.store.verify()
  }
})

test("a refused and repeated flush leaves a day that is compacted after a crash", async (t) => {
  const it = begin(t)
  it.send(it, early)
  it.store.refuse(0)
  it.store.maintain({ nowMs: noonMs + 2 * hourMs, budgetMs: 1_000, idle: true })
  await it.store.repair()
  it.store.maintainAll(noonMs + 3 * hourMs)
  await it.store.crash()
  it.store.elapsedMs += hourMs
  const { writer } = it.store
  const { compacted } = writer.maintain({ nowMs: noonMs + 2 * dayMs, budgetMs: 1_000, idle: true })
  assert.equal(compacted, 1, `Expected the day of ${cpu.metric} to be compacted`)
})

test("a clock ten years ahead for half a day drops nothing", async (t) => {
  const it = begin(t)
  it.send(it, early)
  it.store.maintainAll(noonMs)
  for (let hour = 1; hour < 12; hour++) it.store.maintainAll(noonMs + 3_652 * dayMs + hour * hourMs)
  it.store.maintainAll(noonMs + dayMs)
  assertSame(it.store, it.model, { asked: ["ZERO", "PT5M", "PT24H"], latestMs: noonMs })
  assert.ok(it.store.warnings.some((one) => one.includes("clock jumped")))
})
