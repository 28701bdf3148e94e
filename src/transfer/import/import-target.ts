/**
 * ImportTarget: what the readers of all formats hand their samples to. It finds the series, leaves
 * out what cannot be stored, counts it, and cuts the samples into requests:
 *
 *   lists   samples of one series and time stay in one request: equal ones count several times
 *   sets    a series has one sample at a time, so an equal one of the same file counts once; a
 *           sample that is not later than the one before it begins a request
 *
 * The cuts depend on the file alone, so that a second import of it changes nothing.
 */

import { invalid } from "../../base/errors.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { fqnCharactersMax } from "../../base/limits.ts"
import type { SampleFields } from "../../ingest/value.ts"
import { isCounterType } from "../../model/effective-settings.ts"
import { cleanFqn } from "../../model/fqn.ts"
import type { SampleSink } from "./sample-sink.ts"
import type { RowFields } from "./values.ts"

/** A series of the file. */
export interface ImportSeries {
  readonly id: number
  /** True if `about` says that it is a counter. */
  isCounter: boolean
  /** The newest time in the open request; -Infinity if there is none. */
  latestMs: number
  request: number
}

/** Samples that were read, by what became of them. */
export interface ImportCounts {
  stored: number
  /** Without a number, or with one that is not finite (spec/ingest §7). */
  noObservation: number
  tooOld: number
  tooNew: number
  /** Buckets of counters, whose increases have no last value. */
  ofCounters: number
}

export interface ImportTargetOptions {
  readonly sink: SampleSink
  /** Samples outside of it are left out; both ends inclusive. */
  readonly period: { readonly oldestMs: number; readonly newestMs: number }
  readonly isSet: boolean
}

export class ImportTarget {
  readonly counts: ImportCounts = {
    stored: 0,
    noObservation: 0,
    tooOld: 0,
    tooNew: 0,
    ofCounters: 0,
  }
  /** Why times are out of the period, for the report; null if unknown. */
  timeHint: string | null = null
  private readonly options: ImportTargetOptions
  private readonly elements = new Map<string, Map<string, ImportSeries>>()
  private request = 0
  private lastSeries: ImportSeries | null = null
  private lastMs = NaN

  constructor(options: ImportTargetOptions) {
    this.options = options
  }

  /** Throws `invalid` for names that ingest would refuse. */
  seriesOf(element: string, metric: string): ImportSeries {
    let metrics = this.elements.get(element)
    if (metrics === undefined) this.elements.set(element, (metrics = new Map()))
    let series = metrics.get(metric)
    if (series === undefined) metrics.set(metric, (series = this.newSeries(element, metric)))
    return series
  }

  /** Declares an element and its metrics. Throws `invalid` if ingest would refuse it. */
  declare(post: JsonObject): void {
    this.options.sink.declare(post)
    const metrics = Array.isArray(post["metrics"]) ? post["metrics"] : []
    for (const metric of metrics) {
      if (!isObject(metric) || typeof metric["type"] !== "string") continue
      const series = this.seriesOf(String(post["id"]), String(metric["id"]))
      series.isCounter = isCounterType(metric["type"])
    }
  }

  /**
   * Adds a sample, or counts why it is left out; false if its time is out of the period. Throws
   * `invalid` for meaningless aggregates.
   */
  add(series: ImportSeries, timeMs: number, fields: SampleFields): boolean {
    const { counts } = this
    const { sink, period } = this.options
    if (timeMs < period.oldestMs || timeMs > period.newestMs) {
      counts[timeMs < period.oldestMs ? "tooOld" : "tooNew"]++
      return false
    }
    if (this.mustCut(series, timeMs)) this.cut()
    if (!sink.push(series.id, timeMs, fields)) throw invalid("the aggregates have no finite mean")
    this.lastSeries = series
    this.lastMs = timeMs
    series.latestMs = timeMs
    series.request = this.request
    counts.stored++
    return true
  }

  /** As `add`; a sample without an observation is counted. */
  addIfObserved(series: ImportSeries, timeMs: number, fields: RowFields): boolean {
    if (fields.isObserved()) return this.add(series, timeMs, fields)
    this.counts.noObservation++
    return true
  }

  /** Notes why times are out of the period; the first reason counts. */
  hint(reason: string | null): void {
    this.timeHint ??= reason
  }

  drain(): Promise<void> {
    return this.options.sink.drain()
  }

  end(): Promise<void> {
    return this.options.sink.end()
  }

  private mustCut(series: ImportSeries, timeMs: number): boolean {
    const { sink, isSet } = this.options
    if (isSet && series.request === this.request && timeMs <= series.latestMs) return true
    return sink.isFull && (series !== this.lastSeries || timeMs !== this.lastMs)
  }

  private cut(): void {
    this.options.sink.endRequest()
    this.request++
  }

  private newSeries(element: string, metric: string): ImportSeries {
    const id = this.options.sink.seriesOf(
      checkedName("element", element),
      checkedName("metric", metric),
    )
    return { id, isCounter: false, latestMs: NaN, request: -1 }
  }
}

function checkedName(what: string, raw: string): string {
  const fqn = cleanFqn(raw)
  if (fqn.length > 0 && fqn.length <= fqnCharactersMax) return fqn
  const shown = JSON.stringify(raw.slice(0, 100))
  if (fqn.length > 0) {
    throw invalid(`${what} ${shown}… has ${fqn.length} characters, at most ${fqnCharactersMax} fit`)
  }
  throw invalid(`${what} ${shown} has none of the characters a-z A-Z 0-9 . _ -`)
}
