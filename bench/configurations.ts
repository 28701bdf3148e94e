/**
 * Analytic configurations: what a new metric, a new element, an install and a cycle cost.
 *
 *   node --expose-gc --import tsx bench/configurations.ts --metrics 1000000
 *
 * `--metrics`: how many are known when 300 configurations are installed (default: 200,000).
 */

import { parseArgs } from "node:util"
import { compileComputed } from "../src/analytics-settings/computed-metrics.ts"
import { ConfigurationSet } from "../src/analytics-settings/configuration-set.ts"
import { SettingsBackfill } from "../src/engine/settings-backfill.ts"
import { configurationKind } from "../src/model/document.ts"
import { MemoryStore } from "../test/support/reference-store/memory-store.ts"
import {
  computedConfigurations,
  elementInfo,
  metricFqns,
  productCount,
  settingsConfigurations,
  settingsJson,
} from "./configurations-data.ts"
import { machineLine } from "./machine.ts"
import { markdownTable } from "./table.ts"

const configurationCount = 300
const elementMetrics = 50
/** Of each element that is there when configurations are installed. */
const knownElementMetrics = 25
const knownMetricsDefault = "200000"

function metricsOf(argv: readonly string[]): number {
  const options = { metrics: { type: "string", default: knownMetricsDefault } } as const
  const metrics = Number(parseArgs({ args: [...argv], options }).values.metrics)
  if (Number.isInteger(metrics) && metrics >= knownElementMetrics) return metrics
  throw new Error(`--metrics: expected a whole number from ${knownElementMetrics}`)
}

/** Milliseconds that each call of `work` took. */
function timesOf(count: number, work: (at: number) => void): Float64Array {
  const times = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    const startMs = performance.now()
    work(at)
    times[at] = performance.now() - startMs
  }
  return times
}

const rows: string[][] = []

/** A row: what was measured, median, 99th percentile, worst, all in µs or ms. */
function tell(name: string, times: Float64Array, target: string): void {
  const sorted = times.toSorted()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!
  const shown = (ms: number): string =>
    ms < 1 ? `${(1000 * ms).toFixed(1)} µs` : `${ms.toFixed(1)} ms`
  const mean = times.reduce((sum, one) => sum + one, 0) / times.length
  rows.push([name, ...[at(0.5), mean, at(0.99), at(1)].map(shown), target])
}

/** Metrics never seen, of elements that are known: the catalogue asks once for each. */
function newMetrics(name: string, isSame: boolean): void {
  const set = ConfigurationSet.of(settingsConfigurations(configurationCount, isSame))
  const elements = Array.from({ length: 400 }, (_, at) => {
    const fqns = metricFqns(isSame ? 0 : at % productCount, elementMetrics, at)
    const subject = {
      fqn: `host-${at}`,
      info: elementInfo(at),
      metricCount: 0,
      metricFqn: (i: number) => fqns[i]!,
    }
    return { fqns, subject }
  })
  const scopeTimes = timesOf(elements.length, (at) => void set.scopeOf(elements[at]!.subject))
  tell(`scope of a new element, ${name}`, scopeTimes, "20 µs")
  const asked = elements.flatMap(({ fqns, subject }) => fqns.map((fqn) => ({ fqn, subject })))
  const times = timesOf(asked.length, (at) => {
    const { fqn, subject } = asked[at]!
    subject.metricCount++
    set.settingsOf(subject, fqn)
  })
  tell(`new metric, ${name}`, times, "50 µs")
}

/** Steps until `isDue` is false; the time of each. */
function stepTimes(isDue: () => boolean, step: () => void): Float64Array {
  const times: number[] = []
  while (isDue()) times.push(...timesOf(1, step))
  return Float64Array.from(times)
}

function sumOf(times: Float64Array): Float64Array {
  return Float64Array.of(times.reduce((sum, one) => sum + one, 0))
}

/** Elements with metrics that know nothing of configurations yet. */
function filledStore(metrics: number): MemoryStore {
  const store = new MemoryStore()
  const { catalogue } = store
  for (let at = 0; at < metrics / knownElementMetrics; at++) {
    const { name, type, tags } = elementInfo(at)
    const element = catalogue.upsertElement(0, `host-${at}`, { name, type, tags, nowMs: 0 })
    for (const fqn of metricFqns(at % productCount, knownElementMetrics, at)) {
      catalogue.upsertSeries(element, fqn)
    }
  }
  catalogue.markStored()
  return store
}

/** An install, as the shard does it step by step, and what comes in after it. */
function settling(metrics: number): void {
  const store = filledStore(metrics)
  const { catalogue } = store
  const before = megabytes()
  const documents = settingsJson(configurationCount, false).map((document, at) => {
    return { kind: configurationKind(0), id: `c${at}`, document }
  })
  const backfill = new SettingsBackfill(() => performance.now())
  backfill.attach(store)
  store.putDocuments(documents)
  backfill.noteChanges(documents)
  const isBuilding = (): boolean => backfill.isBuilding
  const build = stepTimes(isBuilding, () => backfill.build())
  tell("a step of building 300 configurations", build, "10 ms")
  tell("building 300 configurations, all steps", sumOf(build), "–")
  const settle = stepTimes(
    () => backfill.isDue,
    () => {
      backfill.step(() => {})
      catalogue.markStored()
    },
  )
  tell("a step of settling known metrics", settle, "10 ms")
  tell("settling known metrics, all steps", sumOf(settle), "–")
  const elements = catalogue.elementCount
  const news = timesOf(Math.min(20_000, elements), (at) => {
    catalogue.upsertSeries(at, `product${at % productCount}.disk.new${at}.percent`)
  })
  tell("a new metric of a known element", news, "50 µs")
  backfill.noteChanges(documents.slice(0, 3))
  tell(
    "a step of building, three of 300 put again",
    stepTimes(isBuilding, () => backfill.build()),
    "10 ms",
  )
  const used = `memory ${before} MB before the install, ${megabytes()} MB after`
  console.log(`${catalogue.seriesCount} metrics of ${elements} elements: ${used}`)
}

/** Of the heap, after a collection if one can be requested. */
function megabytes(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1e6)
}

function cycles(): void {
  const { plan } = compileComputed(computedConfigurations(40))
  // One list for all elements with the same metrics, as the closing has it.
  const lists = Array.from({ length: 20 }, (_, at) => metricFqns(at % 10, elementMetrics, at))
  const subjects = Array.from({ length: 2_000 }, (_, at) => {
    const fqns = lists[at % lists.length]!
    const valueOf = (place: number): number => 1 + ((at + place) % 90)
    return { fqn: `host-${at}`, info: elementInfo(at), metricFqns: fqns, valueOf }
  })
  let count = 0
  const cycle = (): void => {
    count = 0
    for (const subject of subjects) plan.evaluate(subject, () => void count++)
  }
  tell("computed metrics of a first cycle", timesOf(1, cycle), "–")
  tell("computed metrics of a cycle", timesOf(7, cycle), "300 ms")
  console.log(`2,000 elements × ${elementMetrics} metrics: ${count} computed values a cycle`)
}

console.log(machineLine())
newMetrics("300 configurations", false)
newMetrics("300 copies of one", true)
settling(metricsOf(process.argv.slice(2)))
cycles()
console.log(markdownTable(["what", "median", "mean", "p99", "worst", "target"], rows))
