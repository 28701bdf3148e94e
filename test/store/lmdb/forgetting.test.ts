/** Series without a value in any retained resolution are forgotten, for good, in steps. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { applyEdit } from "../../../src/catalogue/edit.ts"
import { hotFloats } from "../../../src/cycle/element-states.ts"
import { cycleMs, dayMs, hourMs } from "../../../src/model/resolution.ts"
import { indexKey } from "../../../src/store/lmdb/disk/tables.ts"
import { backupStore, repairStore, restoreStore, verifyStore } from "../../../src/store/open.ts"
import { catalogueContent } from "../../contract/store-harness.ts"
import { SimStore } from "../../simulation/sim-store.ts"
import {
  append,
  findSeries,
  plain,
  seriesName,
  type SeriesName,
} from "../../support/ingest/samples.ts"
import type { RetentionMs } from "../../support/reference-store/memory-retention.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { reading, tampering } from "../../support/store/lmdb-folder.ts"
import { at, firstDayRecords, pod, post } from "./pods.ts"
import { emptyCycleBatch } from "../../support/store/empty-cycle-batch.ts"

const retentionMs: RetentionMs = {
  ZERO: 3 * dayMs,
  PT5M: 3 * dayMs,
  PT1H: 4 * dayMs,
  PT24H: 5 * dayMs,
}

/** Five days of retention, the day that is not over, and the one until it is looked at. */
const forgottenAfterDays = 7

function begin(t: TestContext, of: RetentionMs = retentionMs, commitBytes?: number): SimStore {
  const faults = commitBytes === undefined ? {} : { commitBytes }
  const store = new SimStore({ retentionMs: of, segmentBytes: 64 * 1024, ...faults })
  t.after(() => store.remove())
  return store
}

/** A sample of each series on this day, and the background work of the day after. */
function live(store: SimStore, day: number, ...series: SeriesName[]): void {
  if (series.length > 0) post(store, day, ...series)
  store.maintainAll(at(day) + dayMs)
}

/** Days on which only these series get values. */
function pass(store: SimStore, from: number, days: number, ...series: SeriesName[]): void {
  for (let day = from; day < from + days; day++) live(store, day, ...series)
}

function isKnown(store: SimStore, of: SeriesName): boolean {
  store.reader.refresh()
  const known = [store.writer, store.reader].map(({ catalogue }) => findSeries(catalogue, of) >= 0)
  assert.equal(known[0], known[1], "the replica knows what the writer knows")
  return known[0]!
}

test("an element whose last value is dropped is forgotten, one with values is not", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(2), pod(2, "disk"))
  assert.deepEqual([isKnown(store, pod(1)), isKnown(store, pod(2))], [true, true])
  pass(store, 1, forgottenAfterDays, pod(1))
  assert.deepEqual([isKnown(store, pod(1)), isKnown(store, pod(2))], [true, false])
  const { reader, writer } = store
  const { catalogue } = writer
  assert.deepEqual(catalogue.known, { elements: 1, names: 1, definitions: 1, series: 1 })
  assert.deepEqual(catalogueContent(reader.catalogue), catalogueContent(catalogue))
  assert.equal(catalogue.present.seriesOf(0), 1)
})

test("as long as any resolution has a value, the series is known and its values are found", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(2))
  pass(store, 1, 4, pod(1))
  assert.equal(firstDayRecords(store, pod(2)), 1)
})

test("a metric that ends is forgotten while its element goes on, others keep their values", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(1, "gone"), pod(1, "disk"), pod(2, "gone"))
  const kept = findSeries(store.writer.catalogue, pod(1, "disk"))
  pass(store, 1, forgottenAfterDays, pod(1), pod(1, "disk"), pod(2, "gone"))
  assert.deepEqual([isKnown(store, pod(1, "gone")), isKnown(store, pod(2, "gone"))], [false, true])
  assert.equal(findSeries(store.writer.catalogue, pod(1, "disk")), kept)
  const span = { startMs: at(forgottenAfterDays), endMs: at(forgottenAfterDays + 1) }
  const asked = { span, resolution: "ZERO" } as const
  const [records] = store.reader.samples(Int32Array.of(kept), asked, null)
  assert.deepEqual(
    records!.map(({ fields }) => fields.val),
    [forgottenAfterDays],
  )
})

test("a declared metric without a value stays with its element, and goes with it", (t) => {
  const store = begin(t)
  const { catalogue } = store.writer
  for (const fqn of ["pod-1", "silent"]) {
    const element = catalogue.upsertElement(0, fqn, { nowMs: at(0) })
    catalogue.upsertSeries(element, "declared", { unit: "s" })
  }
  live(store, 0, pod(1))
  pass(store, 1, forgottenAfterDays, pod(1))
  assert.equal(isKnown(store, pod(1, "declared")), true)
  assert.equal(isKnown(store, seriesName("silent", "declared")), false)
  assert.equal(catalogue.findElement(0, "silent"), -1)
})

test("a deleted element is restored with its values, until retention has dropped them", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(2))
  const series = findSeries(store.writer.catalogue, pod(2))
  applyEdit(store.writer.catalogue, {
    tenant: 0,
    element: "pod-2",
    nowMs: at(0),
    kind: "removeElement",
  })
  append(store.writer)
  pass(store, 1, 2, pod(1))
  assert.equal(findSeries(store.writer.catalogue, pod(2)), series)
  pass(store, 3, forgottenAfterDays, pod(1))
  assert.equal(store.writer.catalogue.findElement(0, "pod-2"), -1)
})

test("a series whose value waits to be flushed is not forgotten", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(2))
  pass(store, 1, forgottenAfterDays - 2, pod(1))
  // The cycle is not over, so that nothing of it is flushed.
  const nowMs = at(forgottenAfterDays)
  append(store.writer, [plain(nowMs, 1, pod(2))])
  store.elapsedMs += 2 * hourMs
  for (let i = 0; i < 50; i++) store.maintain({ nowMs, budgetMs: 0, idle: false })
  assert.equal(isKnown(store, pod(2)), true)
  store.maintainAll(nowMs + hourMs)
  assert.equal(isKnown(store, pod(2)), true)
})

test("numbers and places are not assigned again, also after a start and a restore", async (t) => {
  const store = begin(t)
  const seen = new Map<string, string>()
  let next = 0
  const check = () => {
    const { catalogue } = store.writer
    for (const element of catalogue.elements()) {
      const fqn = catalogue.elementFqn(element)
      assert.equal(seen.get(`element ${element}`) ?? fqn, fqn)
      seen.set(`element ${element}`, fqn)
      for (const series of catalogue.elementSeries(element)) {
        const place = `place ${catalogue.seriesLocation(series)}`
        assert.equal(seen.get(`series ${series}`) ?? place, place)
        assert.equal(seen.get(place) ?? fqn, fqn)
        seen.set(`series ${series}`, place)
        seen.set(place, fqn)
      }
    }
  }
  for (let day = 0; day < 30; day += 1) {
    const fresh = day % 3 === 0 ? [pod(next++), pod(next++, "disk"), pod(next++, `m${day}`)] : []
    live(store, day, seriesName("steady", "cpu"), ...fresh)
    check()
    if (day % 7 === 3) await store.reopen()
    if (day % 7 === 5) await store.crash()
  }
  assert.ok(store.writer.catalogue.known.elements < 12, "most are forgotten")
  const { known, numbers } = store.writer.catalogue
  const [backup, restored] = [makeFolder(), makeFolder()]
  t.after(() => [backup, restored].forEach(removeFolder))
  await backupStore(store.folder, `${backup}/copy`, () => Date.now())
  await restoreStore(`${backup}/copy`, `${restored}/store`)
  const copy = new SimStore({ folder: `${restored}/store`, retentionMs })
  assert.deepEqual([copy.writer.catalogue.known, copy.writer.catalogue.numbers], [known, numbers])
  await copy.close()
  await store.verify()
})

test("forgetting interrupted at any commit is done again", async (t) => {
  const results = new Set<string>()
  for (let commits = 0; commits < 40; commits++) {
    const store = begin(t, retentionMs, 0)
    live(store, 0, pod(1), pod(1, "gone"), pod(2), pod(3))
    pass(store, 1, forgottenAfterDays - 3, pod(1))
    store.refuse(commits)
    for (let day = forgottenAfterDays - 2; day < forgottenAfterDays + 2; day++) {
      const isRefused = store.whileRefusing(() => {
        post(store, day, pod(1))
        return false
      })
      if (isRefused === undefined) await store.repair()
      store.maintainAll(at(day) + dayMs)
      await store.repair()
    }
    await store.crash()
    store.maintainAll(at(forgottenAfterDays + 3))
    store.reader.refresh()
    const { known } = store.writer.catalogue
    results.add(JSON.stringify(known))
    assert.deepEqual(
      catalogueContent(store.reader.catalogue),
      catalogueContent(store.writer.catalogue),
    )
    await store.verify()
  }
  assert.deepEqual(
    [...results],
    [JSON.stringify({ elements: 1, names: 1, definitions: 1, series: 1 })],
  )
})

test("states of a forgotten element go, those of an element lose the row of a series", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(1, "gone"), pod(1, "disk"), pod(2))
  const { catalogue } = store.writer
  const [one, two] = [1, 2].map((n) => catalogue.findElement(0, `pod-${n}`)) as [number, number]
  const rowBytes = 8 * hotFloats
  const rows = (...values: number[]) =>
    Uint8Array.from(values.flatMap((v) => Array(rowBytes).fill(v)))
  store.writer.commitCycle({
    ...emptyCycleBatch,
    cycle: at(0) / cycleMs,
    name: "0",
    states: [
      { kind: "hot", key: keyOf(one), bytes: rows(1, 2, 3) },
      { kind: "correlation", key: keyOf(one), bytes: Uint8Array.of(1) },
      { kind: "hot", key: keyOf(two), bytes: rows(9) },
      { kind: "pattern", key: [...keyOf(two), 7], bytes: Uint8Array.of(1) },
    ],
  })
  pass(store, 1, forgottenAfterDays, pod(1), pod(1, "disk"))
  store.reader.refresh()
  assert.deepEqual(store.reader.state("hot", keyOf(one)), rows(1, 3))
  assert.equal(store.reader.state("correlation", keyOf(one)), undefined)
  assert.equal(store.reader.state("hot", keyOf(two)), undefined)
  assert.deepEqual(store.reader.states("pattern"), [])
})

function keyOf(element: number): Uint8Array {
  const key = Buffer.alloc(4)
  key.writeUInt32BE(element)
  return Uint8Array.from(key)
}

test("a closing that was evaluated before a series was forgotten stores nothing", (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(1, "gone"), pod(2))
  const { catalogue } = store.writer
  const element = catalogue.findElement(0, "pod-1")
  const rows = {
    elements: Int32Array.of(element),
    counts: Int32Array.of(2),
    series: Int32Array.from(catalogue.elementSeries(element)),
  }
  pass(store, 1, forgottenAfterDays, pod(1))
  const cycle = at(forgottenAfterDays) / cycleMs
  const batch = { ...emptyCycleBatch, cycle, name: "0", rows }
  assert.equal(store.writer.commitCycle(batch), false)
  const counts = Int32Array.of(1)
  const series = Int32Array.from(catalogue.elementSeries(element))
  assert.equal(store.writer.commitCycle({ ...batch, rows: { ...rows, counts, series } }), true)
})

test("series are forgotten with the last values if all are kept for as long", (t) => {
  const days = 5 * dayMs
  const store = begin(t, { ZERO: days, PT5M: days, PT1H: days, PT24H: days })
  live(store, 0, pod(1), pod(1, "gone"), pod(2))
  pass(store, 1, 3, pod(1))
  assert.deepEqual([isKnown(store, pod(1, "gone")), isKnown(store, pod(2))], [true, true])
  pass(store, 4, forgottenAfterDays - 3, pod(1))
  assert.deepEqual([isKnown(store, pod(1, "gone")), isKnown(store, pod(2))], [false, false])
  assert.equal(isKnown(store, pod(1)), true)
})

test("while something is kept for longer than days, nothing is forgotten", (t) => {
  const store = begin(t, { ...retentionMs, PT1H: 6 * dayMs })
  live(store, 0, pod(1), pod(2))
  pass(store, 1, 9, pod(1))
  assert.equal(isKnown(store, pod(2)), true)
})

test("repair leaves forgotten numbers alone, and still finds a lost element", async (t) => {
  const store = begin(t)
  live(store, 0, pod(1), pod(2), pod(2, "gone"), pod(3))
  pass(store, 1, forgottenAfterDays, pod(1), pod(3))
  const kept = store.writer.catalogue.findElement(0, "pod-3")
  await store.close()
  const intact = await repairStore(store.folder, at(30))
  assert.deepEqual([intact.done, intact.lost, intact.problems], [[], [], []])
  await tampering(store.folder, ({ elements }) => elements.remove(indexKey(kept)))
  const { problems } = await verifyStore(store.folder)
  assert.match(problems.join(), /elements: 1 of 2 entries are there/)
  const repaired = await repairStore(store.folder, at(30))
  assert.deepEqual(repaired.problems, [])
  const names = await reading(store.folder, ({ catalogue }) =>
    Array.from(catalogue.elements(), (element) => catalogue.elementFqn(element)),
  )
  assert.equal(names[0], "pod-1")
  assert.match(names.slice(1).join(), /^lost-place-/, "its values are still there, by another name")
})
