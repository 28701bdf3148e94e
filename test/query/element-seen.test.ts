/** When elements were last seen: by their newest sample, flushed or not (F15). */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { cycleMs } from "../../src/model/resolution.ts"
import { Query, type QueryRequest } from "../../src/query/query.ts"
import { openReadStore } from "../../src/store/open.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { maintainFully } from "../contract/store-driver.ts"
import { append, plain, seriesName, type SeriesName } from "../support/ingest/samples.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { openWriter } from "../support/store/lmdb-folder.ts"
import { FakeStore, ask, nowMs, openOf, queryOf, requestOf, tenantUuids } from "./fake-store.ts"

const minuteMs = 60_000
const cycleStartMs = Math.floor(nowMs / cycleMs) * cycleMs
const levelIs = (item: string) => ({ elementStatuses: { and: false, items: [{ item }] } })

/** The embedded store as a server has it: a writer that is asked before the reader answers. */
class Embedded {
  readonly writer: WriteStore
  private readonly query: Query

  constructor(t: TestContext) {
    const folder = makeFolder()
    this.writer = openWriter(folder)
    const store = openReadStore({ folder })
    const tenantUuid = (tenant: number) => tenantUuids[tenant]!
    this.query = new Query({ store, tenantUuid, elapsedMs: () => 0 })
    t.after(async () => {
      await store.close()
      await this.writer.close()
      removeFolder(folder)
    })
  }

  /** Sends one value; the element was first posted then. */
  send(of: SeriesName, timeMs: number): void {
    this.writer.catalogue.upsertElement(0, of.element, { nowMs: timeMs })
    append(this.writer, [plain(timeMs, 1, of)])
    this.writer.flushIndex()
  }

  async ask(request: QueryRequest) {
    const plan = await this.query.plan(request)
    const open =
      plan.span === null
        ? null
        : this.writer.unflushedSamples(plan.series, plan.span, plan.onlyNewest)
    return JSON.parse(textOfParts(await this.query.answer(plan, open)))
  }

  /** The level and the time of each element, by its FQN, and how many have data. */
  async seen(filter: object = {}): Promise<{ readonly [fqn: string]: readonly unknown[] }> {
    const { columns, levels } = await this.ask(requestOf("elementStatus", {}, filter))
    const { fqn, level, lastSeen } = columns
    return Object.fromEntries(
      fqn.map((one: string, i: number) => [one, [levels[level[i]], lastSeen[i]]]),
    )
  }

  async found(body: object): Promise<string[]> {
    const { page } = await this.ask(requestOf("elementQuery", {}, { pageSize: 100, ...body }))
    return page.content.map(({ fqn }: { readonly fqn: string }) => fqn)
  }
}

test("a new element is seen with its first sample, before its cycle is flushed", async (t) => {
  const store = new Embedded(t)
  store.send(seriesName("new", "cpu"), nowMs - 10_000)
  store.send(seriesName("new", "mem"), nowMs - 4_000)
  store.send(seriesName("ahead", "cpu"), nowMs + 2_000)
  assert.deepEqual(await store.seen(), { new: ["ok", nowMs - 4_000], ahead: ["ok", nowMs] })
  maintainFully(store.writer, nowMs + 30 * minuteMs)
  assert.deepEqual((await store.seen())["new"], ["ok", cycleStartMs])
})

test("an element that sends again has data in lists, counts, filters and orders", async (t) => {
  const store = new Embedded(t)
  for (const fqn of ["back", "gone"]) store.send(seriesName(fqn, "cpu"), nowMs - 90 * minuteMs)
  maintainFully(store.writer, nowMs)
  store.send(seriesName("back", "cpu"), nowMs - 10_000)
  // A catalogue keeps when an element was first posted.
  const old = Math.floor((nowMs - 90 * minuteMs) / cycleMs) * cycleMs
  assert.deepEqual(await store.seen(), { back: ["ok", nowMs - 10_000], gone: ["noData", old] })
  assert.deepEqual(Object.keys(await store.seen(levelIs("noData"))), ["gone"])
  const { counts } = await store.ask(requestOf("elementStatus", {}, { countsOnly: true }))
  assert.deepEqual([counts.levels.ok, counts.levels.noData], [1, 1])
  assert.deepEqual(await store.found(levelIs("ok")), ["back"])
  for (const field of ["level", "lastSeen"]) {
    const order = field === "level" ? "asc" : "desc"
    assert.deepEqual(await store.found({ sort: { field, order } }), ["back", "gone"], field)
  }
})

test("metrics whose gaps are filled tell by what was sent", async () => {
  const store = new FakeStore()
  const element = store.element("clicks")
  const patch = { sparseDataStrategy: "ReplaceWithZero" } as const
  const series = store.metric(element, "clicks", { patch, values: [0, 0, 0] })
  const open = openOf(series, [{ timeMs: nowMs - 5_000, value: 1 }])
  const { columns } = await ask(store, requestOf("elementStatus", {}, {}), open)
  assert.deepEqual(columns.lastSeen, [nowMs - 5_000])
})

test("a silent element without recent data of its first metric has that of another", async () => {
  const store = new FakeStore()
  const element = store.element("db")
  store.metric(element, "retired")
  const seenMs = nowMs - 3 * 24 * 60 * minuteMs
  store.add(store.metric(element, "cpu"), seenMs, 1)
  const { columns } = await ask(store, requestOf("elementStatus", {}, {}))
  assert.deepEqual(columns.lastSeen, [Math.floor(seenMs / cycleMs) * cycleMs])
})

test("the writer is asked for one metric of each of very many elements", async () => {
  const store = new FakeStore()
  for (let i = 0; i < 600; i++) {
    const element = store.element(`e${i}`)
    for (let m = 0; m < 500; m++) store.metric(element, `m${m}`)
  }
  const plan = await queryOf(store).plan(requestOf("elementStatus", {}, {}))
  assert.equal(plan.series.length, 600)
})
