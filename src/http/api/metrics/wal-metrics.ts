/** Metrics of the write-ahead log, of which the store's thread does the counting. */

import { Counter, Gauge, type Metric, type Registry } from "prom-client"
import type { DurationFigures, WalFigures } from "../../../model/wal-figures.ts"

export class WalMetrics {
  private readonly segments: Gauge
  private readonly bytes: Gauge
  private readonly truncations: Counter
  private readonly corruptions: Counter
  private syncs: DurationFigures = { boundsSeconds: [], counts: [0], sumSeconds: 0 }

  constructor(registry: Registry) {
    const registers = [registry]
    const named = (name: string, help: string) => ({
      name: `tidegauge_wal_${name}`,
      help,
      registers,
    })
    this.segments = new Gauge(named("segments", "Segments of the write-ahead log, free ones too"))
    this.bytes = new Gauge(named("bytes", "Bytes of these segments on disk"))
    this.truncations = new Counter(
      named("truncations_total", "Flushes after which the log was truncated"),
    )
    this.corruptions = new Counter(
      named("corruptions_total", "Damaged records of the log that the start left out"),
    )
    registry.registerMetric(this.syncHistogram())
  }

  set(figures: WalFigures, corruptRecords: number): void {
    this.segments.set(figures.segments)
    this.bytes.set(figures.bytes)
    this.truncations.reset()
    this.truncations.inc(figures.truncations)
    this.corruptions.reset()
    this.corruptions.inc(corruptRecords)
    this.syncs = figures.syncs
  }

  /** prom-client's own histogram takes single observations only; these are counted already. */
  private syncHistogram(): Metric {
    const name = "tidegauge_wal_fsync_duration_seconds"
    const help = "Synced writes to the write-ahead log, one for each group commit"
    const get = () =>
      Promise.resolve({ name, help, type: "histogram", values: this.syncValues(name) })
    return { name, help, type: "histogram", get, reset: () => {} } as unknown as Metric
  }

  /** Cumulative, as the text format has them. */
  private syncValues(name: string) {
    const { boundsSeconds, counts, sumSeconds } = this.syncs
    let count = 0
    const buckets = counts.map((each, i) => ({
      metricName: `${name}_bucket`,
      labels: { le: boundsSeconds[i] ?? "+Inf" },
      value: (count += each),
    }))
    const sum = { metricName: `${name}_sum`, labels: {}, value: sumSeconds }
    return [...buckets, sum, { metricName: `${name}_count`, labels: {}, value: count }]
  }
}
