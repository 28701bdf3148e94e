/** An export that is imported elsewhere gives a store with the same answers. */

import assert from "node:assert/strict"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import type { ElementPatch, MetricPatch } from "../../src/model/element.ts"
import { exportFormats } from "../../src/transfer/transfer-format.ts"
import { verifyStore } from "../../src/store/open.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { folderOf, writing } from "../support/store/lmdb-folder.ts"
import {
  aggregated,
  append,
  noonMs,
  plain,
  seriesName,
  upsertSeries,
  type Sample,
} from "../support/ingest/samples.ts"
import {
  answersOf,
  bucketKinds,
  exportStore,
  importInto,
  settle,
} from "../support/store/transfer.ts"

const files = [...exportFormats.map((format) => `all.${format}`), "all.csv.gz", "all.jsonl.gz"]

/** Texts that have a meaning in some format. */
const hostileText = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: "binary" }),
    fc.constantFrom('a"b,c', "a\r\nb", "\n", " a ", "null", "NaN", "=1", "\\", "ä€😀", "{}", "#"),
  )
  .filter((text) => !/\p{Surrogate}/u.test(text))

const value = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, Number.MIN_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE, 0.1, 1e21, 1e-7),
)

const fields = fc.oneof(
  { weight: 4, arbitrary: value.map((val) => ({ val: val + 0 })) },
  fc.record({
    min: fc.constant(1),
    max: fc.constant(5),
    avg: fc.constantFrom(2, 3.25),
    cnt: fc.integer({ min: 1, max: 9 }),
    sum: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ val: fc.constant(4), cnt: fc.integer({ min: 1, max: 3 }) }),
)

const series = [
  seriesName("web-1", "cpu.total"),
  seriesName("web-1", "requests"),
  seriesName("web-2", "cpu.total"),
  seriesName("_.-", "0"),
]

/** Some samples are equal, and some days are compacted when the file is written. */
const sample = fc.record({
  of: fc.constantFrom(...series),
  timeMs: fc
    .oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3 * 288 }))
    .map((cycles) => noonMs - 3 * dayMs + cycles * cycleMs),
  sent: fields,
}) satisfies fc.Arbitrary<Sample>

const requests = fc.array(fc.array(sample, { minLength: 1, maxLength: 12 }), { maxLength: 8 })

const pair = fc.record({ name: hostileText, value: hostileText })
const pairs = fc.uniqueArray(pair, { selector: ({ name }) => name, maxLength: 3 })

const facts = fc.record({
  element: fc.record({ name: hostileText, type: hostileText, location: hostileText, tags: pairs }),
  metric: fc.record({ unit: hostileText, tags: pairs }),
})

const typeOfMetric: Readonly<Record<string, string>> = {
  requests: "COUNTER",
  "0": "WRAPPING_COUNTER",
}

function describe(store: WriteStore, element: ElementPatch, metric: MetricPatch): void {
  const { catalogue } = store
  for (const of of series) {
    upsertSeries(catalogue, of, { ...metric, type: typeOfMetric[of.metric] ?? "GAUGE" })
    catalogue.upsertElement(0, of.element, { ...element, nowMs: noonMs })
  }
}

async function bothStores(t: TestContext, file: string, fill: (store: WriteStore) => void) {
  const [from, to] = [folderOf(t), folderOf(t)]
  await writing(from, fill)
  const path = join(from, file)
  await exportStore(from, path)
  await importInto(to, path)
  return { from, to, path }
}

for (const file of files) {
  test(`${file}: samples, buckets, statistics and what is known of series are equal`, async (t) => {
    const property = fc.asyncProperty(requests, facts, async (all, { element, metric }) => {
      const { from, to, path } = await bothStores(t, file, (store) => {
        describe(store, element, metric)
        for (const request of all) append(store, request)
        settle(store)
      })
      await writing(to, (store) => settle(store))
      const expected = (await answersOf(from)).filter(({ values }) => hasValues(values))
      assert.deepEqual(await answersOf(to), expected)
      assert.deepEqual((await verifyStore(to)).problems, [])
      // Once more: nothing changes.
      await importInto(to, path)
      await writing(to, (store) => settle(store))
      assert.deepEqual(await answersOf(to), expected)
      for (const folder of [from, to]) rmSync(folder, { recursive: true })
    })
    await fc.assert(property, { numRuns: 8 })
  })
}

/** A series without a sample in the period is not in the file. */
function hasValues(values: readonly (readonly unknown[])[]): boolean {
  return values.some(([, records]) => JSON.stringify(records) !== "[[]]")
}

test("samples and series that are in the WAL only are exported", async (t) => {
  const from = folderOf(t)
  const to = folderOf(t)
  const samples = [plain(noonMs, 1), plain(noonMs, 1), plain(noonMs + 1, 2)]
  await writing(from, (store) => append(store, samples))
  const report = await exportStore(from, join(from, "all.csv"))
  assert.deepEqual(report, { rows: 3, series: 1 })
  await importInto(to, join(from, "all.csv"))
  await writing(from, (store) => settle(store))
  assert.deepEqual(await answersOf(to), await answersOf(from))
})

for (const kind of bucketKinds) {
  test(`buckets of gauges, ${kind}: the same buckets, and coarser ones`, async (t) => {
    const [from, to] = [folderOf(t), folderOf(t)]
    await writing(from, (store) => {
      const samples = Array.from({ length: 600 }, (_, i) =>
        plain(noonMs - 2 * dayMs + i * 4 * 60_000, Math.sin(i) * 100),
      )
      append(store, [...samples, aggregated(noonMs, { min: 1, max: 3, avg: 2, cnt: 2, sum: 4 })])
      settle(store)
    })
    for (const format of exportFormats) {
      const path = join(from, `${kind}.${format}`)
      await exportStore(from, path, kind)
      await importInto(to, path)
      await writing(to, (store) => settle(store))
      const coarser = bucketKinds.slice(bucketKinds.indexOf(kind), bucketKinds.indexOf(kind) + 1)
      assert.deepEqual(shape(await answersOf(to, coarser)), shape(await answersOf(from, coarser)))
    }
  })
}

/** Buckets without `actual`: an hour's is the average of its five-minute ones. */
function shape(answers: Awaited<ReturnType<typeof answersOf>>) {
  const text = JSON.stringify(answers.map(({ id, values }) => ({ id, records: values[0]![1] })))
  return JSON.parse(text, (key, value: unknown) =>
    key === "actual" ? undefined : value,
  ) as unknown
}

test("a sample older than the period is counted, and buckets of counters are", async (t) => {
  const [from, to] = [folderOf(t), folderOf(t)]
  await writing(from, (store) => {
    upsertSeries(store.catalogue, series[1]!, { type: "COUNTER" })
    append(store, [plain(noonMs - hourMs, 5, series[1]), plain(noonMs, 7, series[1])])
    settle(store)
  })
  await exportStore(from, join(from, "raw.csv"))
  const old = await importInto(to, join(from, "raw.csv"), { oldestMs: noonMs })
  assert.deepEqual([old.counts.tooOld, old.counts.stored], [1, 1])
  await exportStore(from, join(from, "hours.jsonl"), "PT1H")
  const { counts } = await importInto(to, join(from, "hours.jsonl"))
  assert.deepEqual([counts.ofCounters, counts.stored], [2, 0])
})
