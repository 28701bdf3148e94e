/** Background jobs that are interrupted between any two commits and run again. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { dayMs, hourMs } from "../../../src/model/resolution.ts"
import type { FaultHooks } from "../../../src/store/store.ts"
import { assertSame } from "../../simulation/oracle.ts"
import { Model } from "../../simulation/model.ts"
import { SimStore } from "../../simulation/sim-store.ts"
import { append, cpu, noonMs, plain, seriesName } from "../../support/ingest/samples.ts"
import type { SampleRequest, SeriesName } from "../../support/ingest/samples.ts"

const early: SampleRequest = [plain(noonMs, 1), plain(noonMs + hourMs, 2)]
const late: SampleRequest = [plain(noonMs + 2 * hourMs, 3)]

const everyStep: FaultHooks = { commitBytes: 0, segmentBytes: 16 * 1024 }

/** A store, by default one that commits every step, and a model of it. */
function begin(
  t: TestContext,
  faults = everyStep,
): { store: SimStore; model: Model; send: typeof sendTo } {
  const store = new SimStore(faults)
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

const metrics = ["disk.free", "load.1m", "net.in"].map((name) => seriesName("host-1", name))

test("small blocks of a day are compacted in one commit, or none of them", async (t) => {
  const commits: string[] = []
  for (let points = 0; points < 6; points++) {
    const onPoint = (name: string): void => void commits.push(name)
    const it = begin(t, { onPoint })
    const { store, model, send } = it
    for (const of of metrics) send(it, [plain(noonMs, 1, of), plain(noonMs + hourMs, 2, of)])
    store.maintainAll(noonMs + 2 * hourMs)
    assert.equal(store.writer.figures().uncompactedDays, metrics.length)
    commits.length = 0
    store.refuse(points)
    store.maintainAll(noonMs + 2 * dayMs)
    await store.crash()
    const left = store.writer.figures().uncompactedDays
    assert.ok(left === 0 || left === metrics.length, `${left} of ${metrics.length} are left`)
    store.maintainAll(noonMs + 2 * dayMs)
    const compactions = commits.filter((name) => name === "compaction.committed")
    assert.equal(compactions.length, 1)
    const asked = { asked: ["ZERO", "PT5M", "PT1H", "PT24H"] as const, latestMs: noonMs }
    assertSame(store, model, asked)
    await store.verify()
  }
})

test("the 33rd block of a day, or the 257th series, is compacted by another job", (t) => {
  const jobsFor = (series: readonly SeriesName[]): number => {
    let jobs = 0
    const onPoint = (name: string): void => void (jobs += name === "compaction.committed" ? 1 : 0)
    const { store } = begin(t, { onPoint })
    append(store.writer, ...series.map((of) => [plain(noonMs, 1, of)]))
    store.maintainAll(noonMs + 2 * dayMs)
    return jobs
  }
  const named = (names: number, hosts: number) =>
    Array.from({ length: names * hosts }, (_, i) =>
      seriesName(`host-${Math.floor(i / names)}`, `metric.${i % names}`),
    )
  assert.deepEqual([jobsFor(named(32, 1)), jobsFor(named(33, 1))], [1, 2])
  assert.deepEqual([jobsFor(named(2, 128)), jobsFor(named(2, 129))], [1, 2])
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
