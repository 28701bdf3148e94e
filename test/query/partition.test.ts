/** Partitioned queries, by threads with and without a catalogue, over the embedded store. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { QueryBudget } from "../../src/base/query-budget.ts"
import { dayMs, hourMs, resolutions, type Resolution } from "../../src/model/resolution.ts"
import { ScanWorker } from "../../src/query/scan-worker.ts"
import { Query, createWorkQueue, type QueryRequest, type QueryPlan } from "../../src/query/query.ts"
import { openReadStore, openSeriesReader } from "../../src/store/open.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type { SeriesReader } from "../../src/store/query-store.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { openWriter } from "../support/store/lmdb-folder.ts"
import { aggregated, append, plain, seriesName, startOfDayMs } from "../support/ingest/samples.ts"
import { requestOf } from "./fake-store.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { sized } from "../support/run/sizes.ts"

const tenantUuid = (): string => "00000000-0000-4000-8000-000000000001"
const startMs = startOfDayMs - 2 * dayMs
const nowMs = startOfDayMs + 6 * hourMs
/** Three blocks of the metric, the last one not full. */
const elements = 600

/** A number that is no round one, and another for each series and time. */
const valueOf = (series: number, i: number): number =>
  Math.sin(series * 31 + i) * 10 ** (series % 7)

/** Series of which some are silent, some count, some came late and some sent aggregates. */
function fill(writer: WriteStore, fromMs: number, toMs: number): void {
  const samples = Array.from({ length: elements }, (_, i) => {
    const of = seriesName(`host-${(i * 7) % elements}`, "cpu")
    if (i % 11 === 0) return []
    return Array.from({ length: 3 }, (_, n) => {
      const timeMs = fromMs + Math.floor(((toMs - fromMs) * (n + (i % 5) / 5)) / 3)
      const val = valueOf(i, n + fromMs / dayMs)
      return i % 13 === 0
        ? aggregated(timeMs, { min: val, max: val + 3, sum: 2 * val + 3, cnt: 2 }, of)
        : plain(timeMs, val, of)
    })
  }).flat()
  append(writer, samples)
}

/** Compacted days, recent cycles and unflushed samples. */
function story(t: TestContext) {
  const folder = makeFolder()
  const writer = openWriter(folder)
  const { catalogue } = writer
  for (let i = 0; i < elements; i += 3) {
    const say = i % 2 === 0 ? { type: "COUNTER" } : {}
    const element = catalogue.upsertElement(0, `host-${i}`, { nowMs: startMs })
    catalogue.upsertSeries(element, "cpu", say)
  }
  for (const day of [0, 1]) fill(writer, startMs + day * dayMs, startMs + (day + 1) * dayMs)
  for (let steps = 0; steps < 500; steps++) {
    if (!writer.maintain({ nowMs, budgetMs: 1000, idle: true }).moreDue) break
  }
  fill(writer, startOfDayMs, startOfDayMs + 3 * hourMs)
  writer.maintain({ nowMs, budgetMs: 1000, idle: true })
  fill(writer, startOfDayMs + 2 * hourMs, nowMs)
  const store = openReadStore({ folder })
  const told = openSeriesReader({ folder })
  t.after(async () => {
    await told.close()
    await store.close()
    await writer.close()
    removeFolder(folder)
  })
  const query = new Query({
    store,
    tenantUuid,
    elapsedMs: () => 0,
    sharing: { source: store, partitionMs: 0 },
  })
  return { writer, query, told }
}

/** Fails after `parts` partitions, as a slower thread runs fewer. */
function doing(told: SeriesReader, parts: number): SeriesReader {
  let left = parts
  const counted = () => {
    if (left-- === 0) throw new Error("no more")
  }
  return {
    useLocations: (places) => told.useLocations(places),
    statistics: (question, open) => (counted(), told.statistics(question, open)),
    close: async () => {},
  }
}

interface Asked {
  readonly query: Query
  readonly told: SeriesReader
  readonly open: UnflushedSamples | null
}

/** The answer with scan workers, each of which runs the given number of partitions. */
async function answered({ query, told, open }: Asked, plan: QueryPlan, helpers: readonly number[]) {
  const { queue, sides } = createWorkQueue(plan.partitioning!.partitions.length, helpers.length)
  for (const [i, parts] of helpers.entries()) {
    const sent = structuredClone({ plan, open })
    new ScanWorker(doing(told, parts), new QueryBudget()).scan(sent.plan, sent.open, sides[i]!)
  }
  return query.answer(plan, open, queue)
}

const text = textOfParts
const window = { startTime: new Date(startMs + hourMs), endTime: new Date(nowMs) }

function statisticsOf(rollup: Resolution, more: Record<string, string> = {}): QueryRequest {
  const { startTime, endTime } = window
  const span = { startTime: startTime.toISOString(), endTime: endTime.toISOString() }
  return { ...requestOf("statistics", { fqn: "cpu", rollup, ...span, ...more }), nowMs }
}

const shown = fc.constantFrom({}, { showValues: "true" }, { showTimestamps: "true" })
const askArbitrary = fc.tuple(fc.constantFrom(...resolutions), shown).map(([rollup, more]) => {
  return statisticsOf(rollup, rollup === "ZERO" ? {} : more)
})

test("any partitioning, by any threads, gives the bytes of one thread", async (t) => {
  const { writer, query, told } = story(t)
  assert.ok(writer.unflushedSampleCount > 0)
  const helpersArbitrary = fc.array(fc.nat(3), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      askArbitrary,
      helpersArbitrary,
      fc.boolean(),
      async (request, helpers, isOpen) => {
        const plan = await query.plan(request)
        assert.equal(plan.partitioning!.partitions.length, 3)
        const open = isOpen ? writer.unflushedSamples(plan.series, plan.span!) : null
        const alone = text(await query.answer(plan, open))
        assert.equal(text(await answered({ query, told, open }, plan, helpers)), alone)
        assert.ok(alone.length > 1000, alone)
        assert.ok(
          (await query.execute(request, { hasUnflushed: false, allowsParallel: true })).plan !==
            undefined,
        )
        const atOnce = (
          await query.execute(request, { hasUnflushed: false, allowsParallel: false })
        ).parts!
        if (!isOpen) assert.equal(text(atOnce), alone)
      },
    ),
    { numRuns: sized({ quick: 15, long: 150 }) },
  )
})

test("statistics may be cut anywhere, not only between blocks", async (t) => {
  const { writer, query, told } = story(t)
  const plan = await query.plan(statisticsOf("PT5M", { showValues: "true" }))
  const open = writer.unflushedSamples(plan.series, plan.span!)
  const alone = text(await query.answer(plan, open))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { minLength: 5, maxLength: 40 }),
      fc.nat(5),
      async (deal, helps) => {
        const parts = [0, 1, 2, 3, 4].map((part) => {
          return plan.series.filter((_, i) => deal[i % deal.length] === part)
        })
        const cut = { ...plan.partitioning!, partitions: parts }
        assert.equal(
          text(await answered({ query, told, open }, { ...plan, partitioning: cut }, [helps])),
          alone,
        )
      },
    ),
    { numRuns: sized({ quick: 5, long: 50 }) },
  )
})

test("a flush and a compaction between the partitions lose and double nothing", async (t) => {
  const { writer, query, told } = story(t)
  const plan = await query.plan(
    statisticsOf("PT5M", { showValues: "true", showTimestamps: "true" }),
  )
  const open = writer.unflushedSamples(plan.series, plan.span!)
  const alone = text(await query.answer(plan, open))
  const { queue, sides } = createWorkQueue(plan.partitioning!.partitions.length, 1)
  new ScanWorker(doing(told, 1), new QueryBudget()).scan(plan, open, sides[0]!)
  const laterMs = nowMs + 2 * dayMs
  for (let steps = 0; steps < 500; steps++) {
    if (!writer.maintain({ nowMs: laterMs, budgetMs: 1000, idle: true }).moreDue) break
  }
  assert.equal(writer.unflushedSampleCount, 0)
  assert.equal(text(await query.answer(plan, open, queue)), alone)
})

test("small queries, and those with too many values for memory, stay on one thread", async (t) => {
  const { query } = story(t)
  const f = async (request: QueryRequest, isSpread: boolean) =>
    assert.equal((await query.plan(request)).partitioning !== undefined, isSpread)
  await f(statisticsOf("PT5M"), true)
  await f({ ...statisticsOf("PT5M"), body: ["host-1", "host-8"] }, false)
  await f(statisticsOf("PT5M", { showValues: "true" }), true)
  await f(statisticsOf("ZERO"), true)
  await f(statisticsOf("ZERO", { showValues: "true" }), false)
  await f(statisticsOf("PT5M", { showValues: "true", startTime: "2024-01-01T00:00:00Z" }), false)
})
