/**
 * Series that come and go: as many are present at any time, each hour some end and others begin.
 * Measures the series that the store knows, its memory and its disk over three simulated days, of
 * which it retains one.
 *
 *   npm run bench:churn -- [--size tiny|small|quarter] [--hours 72] [--out FILE]
 *
 * In this process, with a simulated clock: bodies of 500 pods with 4 metrics, one sample of each an
 * hour, read by the scanner, appended, flushed and compacted; a replica follows as that of a query
 * thread. The first hours are longer than a day, since whole days are dropped.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { rowStates } from "../src/cycle/element-states.ts"
import { IngestReader } from "../src/ingest/ingest.ts"
import { dayMs, hourMs } from "../src/model/resolution.ts"
import { SampleBatchBuilder } from "../src/model/sample-batch.ts"
import { openReadStore, openWriteStore } from "../src/store/open.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"

const sizes = { tiny: 200, small: 8_000, quarter: 250_000, canonical: 1_000_000 } as const
const metrics = ["cpu", "memory", "rx", "tx"]
/** Of the pods, those that are replaced each hour: any of them, as likely as any other. */
const replacedEachHour = 0.05
const podsPerBody = 500
const startMs = Date.UTC(2026, 0, 5)
const tenant = 0

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "canonical" },
    hours: { type: "string", default: "72" },
    out: { type: "string" },
  },
})
if (!isSize(values.size)) {
  throw new Error(`Cannot take --size ${values.size}: expected one of ${Object.keys(sizes).join()}`)
}
const hours = Number(values.hours)
const pods = Array.from({ length: sizes[values.size] / metrics.length }, (_, pod) => pod)
let nextPod = pods.length
/** Random numbers that are the same in each run (mulberry32). */
let seed = 1
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

function isSize(size: string): size is keyof typeof sizes {
  return Object.hasOwn(sizes, size)
}

const folder = mkdtempSync(join(tmpdir(), "tidegauge-churn-"))
const retained = { ZERO: dayMs, PT5M: dayMs, PT1H: dayMs, PT24H: dayMs }
let elapsedMs = 0
const writer = openWriteStore({
  folder,
  retentionMs: retained,
  cycleGraceMs: 60_000,
  rowStates,
  elapsedMs: () => elapsedMs + performance.now(),
  warn: (fields, message) => console.error(message, fields),
})
const { catalogue } = writer
const replica = openReadStore({ folder })
const limits = {
  seriesMax: 2.5 * metrics.length * pods.length * (1 + 24 * replacedEachHour),
  newSeriesPerMinuteMax: Infinity,
  textBytesMax: Infinity,
}
const reader = new IngestReader({
  catalogue,
  acceptPastMs: dayMs,
  acceptFutureMs: hourMs,
  cardinality: limits,
})

function bodyOf(some: readonly number[], timestamp: number): Buffer {
  const elements = some.map((pod) => ({
    id: `pod-${pod}`,
    type: "POD",
    tags: [{ name: "app", value: `app-${pod % 100}` }],
    metrics: metrics.map((id) => ({ id })),
    samples: metrics.map((metricId, i) => ({ metricId, timestamp, val: (pod % 1000) + i / 4 })),
  }))
  return Buffer.from(JSON.stringify(elements))
}

function postAll(nowMs: number): void {
  const columns = new SampleBatchBuilder()
  for (let at = 0; at < pods.length; at += podsPerBody) {
    columns.clear()
    const request = {
      tenant,
      injectTimestamp: false,
      charset: "none",
      reportsLeftOut: false,
    } as const
    const body = bodyOf(pods.slice(at, at + podsPerBody), nowMs)
    const outcome = reader.read(body, { ...request, nowMs }, columns)
    if (!outcome.ok || outcome.refused !== undefined) throw new Error(JSON.stringify(outcome))
    writer.append({ columns })
  }
}

/** Until nothing is due; the longest step, in milliseconds. */
function maintain(nowMs: number): number {
  let longestMs = 0
  elapsedMs += hourMs
  for (;;) {
    const begunMs = performance.now()
    const { moreDue } = writer.maintain({ nowMs, budgetMs: 2, idle: true })
    longestMs = Math.max(longestMs, performance.now() - begunMs)
    if (!moreDue) return longestMs
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

const rows: string[][] = []
for (let hour = 1; hour <= hours; hour++) {
  const begunMs = performance.now()
  const nowMs = startMs + hour * hourMs
  for (let pod = 0; pod < pods.length && hour > 1; pod++) {
    if (random() < replacedEachHour) pods[pod] = nextPod++
  }
  postAll(nowMs)
  // Twice: what a compaction leaves for later is done, too.
  const longestMs = Math.max(maintain(nowMs + 10 * 60_000), maintain(nowMs + 20 * 60_000))
  replica.refresh()
  const seconds = (performance.now() - begunMs) / 1000
  console.error(
    `hour ${hour} of ${hours}: ${catalogue.known.series} series, ${seconds.toFixed(1)} s`,
  )
  if (hour % 6 !== 0 && hour !== hours) continue
  globalThis.gc?.()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  rows.push([
    String(hour),
    shortNumber(catalogue.seriesCount),
    shortNumber(catalogue.known.series),
    shortNumber(replica.catalogue.known.series),
    megabytes(heapUsed + arrayBuffers),
    megabytes(rss),
    megabytes(writer.figures().storeBytes),
    `${longestMs.toFixed(0)} ms`,
  ])
}

const head = ["hour", "numbered", "known", "replica", "heap", "rss", "disk", "longest step"]
const about = `${metrics.length * pods.length} series present, 5 % new each hour, one day retained.`
const report = `Machine: ${machineLine()}\n\n${about}\n\n${markdownTable(head, rows)}\n`
process.stdout.write(report)
if (values.out !== undefined) writeFileSync(values.out, report)
await replica.close()
await writer.close()
rmSync(folder, { recursive: true })
