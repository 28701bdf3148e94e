/**
 * Imports into a store that no server has open: samples are appended in large batches, and flushed
 * and compacted between them, as the server does it, but without waiting for quiet times.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import type { JsonObject } from "../../base/json-value.ts"
import type { SettingsBackfill } from "../../engine/settings-backfill.ts"
import { IngestReader, type CardinalityLimits } from "../../ingest/ingest.ts"
import { pushFields, type SampleFields } from "../../ingest/value.ts"
import type { TenantIndex } from "../../model/ids.ts"
import { SampleBatchBuilder } from "../../model/sample-batch.ts"
import type { WriteStore } from "../../store/store.ts"
import type { SampleSink } from "./sample-sink.ts"

/** Samples of one append: 4 MB of the WAL, and one sync. */
const batchSamples = 128 * 1024
/** Unflushed samples from which on a flush runs; the same as the server's. */
const flushFromSamples = 2_000_000

export interface StoreSinkOptions {
  readonly store: WriteStore
  readonly backfill: SettingsBackfill
  readonly tenant: TenantIndex
  readonly limits: CardinalityLimits
  readonly nowMs: () => number
}

export class StoreSink implements SampleSink {
  private readonly options: StoreSinkOptions
  private readonly reader: IngestReader
  private readonly columns = new SampleBatchBuilder()
  private readonly declared = new SampleBatchBuilder()

  constructor(options: StoreSinkOptions) {
    const { store, backfill, limits } = options
    this.options = options
    backfill.attach(store)
    const { catalogue } = store
    const period = { acceptPastMs: 0, acceptFutureMs: 0 }
    // An import brings a whole fleet within a minute.
    const cardinality = { ...limits, newSeriesPerMinuteMax: Infinity }
    this.reader = new IngestReader({ catalogue, ...period, cardinality, scanner: false })
    this.columns.startRequest()
  }

  get isFull(): boolean {
    return this.columns.count >= batchSamples
  }

  declare(post: JsonObject): void {
    const { tenant, nowMs } = this.options
    const { samples: _samples, ...facts } = post
    const request = {
      tenant,
      injectTimestamp: false,
      charset: "utf-8",
      reportsLeftOut: false,
    } as const
    this.declared.clear()
    const body = Buffer.from(JSON.stringify([facts]))
    const outcome = this.reader.read(body, { ...request, nowMs: nowMs() }, this.declared)
    const refused = outcome.ok ? outcome.refused : outcome
    if (refused !== undefined) throw invalid(refused.errors)
  }

  seriesOf(element: string, metric: string): number {
    const known = this.findSeries(element, metric)
    if (known >= 0) return known
    this.declare({ id: element, metrics: [{ id: metric }] })
    const created = this.findSeries(element, metric)
    assert(created >= 0, "Expected the declared series in the catalogue")
    return created
  }

  push(series: number, timeMs: number, fields: SampleFields): boolean {
    return pushFields(this.columns, series, timeMs, fields)
  }

  endRequest(): void {
    if (this.isFull) this.append()
    this.columns.startRequest()
  }

  /** All requests since the last append, in one synced write. */
  private append(): void {
    const { columns } = this
    const { store } = this.options
    const violation = store.checkSampleLimit(columns, 0)
    if (violation !== null) throw invalid(limitSentence(store, violation))
    if (columns.count > 0 || store.catalogue.hasChanges()) store.append({ columns })
    columns.clear()
    if (store.unflushedSampleCount >= flushFromSamples) this.maintain(false)
  }

  async drain(): Promise<void> {}

  /** Ends with a flush of all samples; what waits for its compaction is left to the server. */
  async end(): Promise<void> {
    this.append()
    this.columns.startRequest()
    this.maintain(true)
  }

  private maintain(isLast: boolean): void {
    const { store, nowMs } = this.options
    const budgetMs = Number.MAX_SAFE_INTEGER
    const upTo = isLast ? { flushUpToMs: Number.MAX_SAFE_INTEGER } : {}
    const moment = { nowMs: nowMs(), budgetMs, idle: isLast, keepsAll: true, ...upTo }
    store.maintain(moment)
  }

  private findSeries(element: string, metric: string): number {
    const { store, tenant } = this.options
    const { catalogue } = store
    const found = catalogue.findElement(tenant, element)
    return catalogue.findSeries(found, catalogue.findName(tenant, metric))
  }
}

type Violation = NonNullable<ReturnType<WriteStore["checkSampleLimit"]>>

function limitSentence({ catalogue }: WriteStore, { series, samplesMax }: Violation): string {
  const element = catalogue.elementFqn(catalogue.seriesElement(series))
  const metric = catalogue.name(catalogue.seriesName(series)).fqn
  return `metric ${metric} of ${element} has more than ${samplesMax} samples in five minutes`
}
