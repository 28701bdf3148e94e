/**
 * Analytic configurations: what a new metric, a new element, an install and a cycle cost.
 *
 *   node --import tsx bench/configurations.ts
 */

import { compileComputed } from "../src/configuration/computed.ts"
import { ConfigurationSet } from "../src/configuration/configuration-set.ts"
import { configurationKind, Settler } from "../src/engine/settler.ts"
import { MemoryStore } from "../src/store/memory.ts"
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
  const set = new ConfigurationSet(settingsConfigurations(configurationCount, isSame))
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

function settling(): void {
  const store = new MemoryStore()
  const { catalogue } = store
  for (let at = 0; at < 4_000; at++) {
    const { name, type, tags } = elementInfo(at)
    const element = catalogue.upsertElement(0, `host-${at}`, { name, type, tags, nowMs: 0 })
    for (const fqn of metricFqns(at % productCount, elementMetrics, at)) {
      catalogue.upsertSeries(element, fqn)
    }
  }
  const documents = settingsJson(configurationCount, false).map((document, at) => {
    return { kind: configurationKind(0), id: `c${at}`, document }
  })
  const settler = new Settler(() => performance.now())
  settler.attend(store)
  store.putDocuments(documents)
  const noticing = timesOf(1, () => settler.noticed(documents))
  tell("300 configurations installed at once", noticing, "–")
  const again = documents.slice(0, 3)
  const times: number[] = []
  const elements: number[] = []
  while (settler.isDue) {
    const startMs = performance.now()
    let lastMs = startMs
    settler.step(() => {
      const nowMs = performance.now()
      elements.push(nowMs - lastMs)
      lastMs = nowMs
    })
    times.push(performance.now() - startMs)
  }
  tell("settling a step", Float64Array.from(times), "2 ms and an element")
  tell("settling a known element", Float64Array.from(elements), "5 ms")
  tell(
    "three of 300 configurations put again",
    timesOf(5, () => settler.noticed(again)),
    "–",
  )
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
settling()
cycles()
console.log(markdownTable(["what", "median", "mean", "p99", "worst", "target"], rows))
