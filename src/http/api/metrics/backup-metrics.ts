/** Metrics of backups on a schedule; all are 0 without one. */

import { Counter, Gauge, type Registry } from "prom-client"
import type { BackupFigures } from "../../../model/backup-figures.ts"

export class BackupMetrics {
  private readonly gauges: readonly (readonly [Gauge, (figures: BackupFigures) => number])[]
  private readonly counters: readonly (readonly [Counter, (figures: BackupFigures) => number])[]

  constructor(registry: Registry) {
    const named = (name: string, help: string) => ({
      name: `tidegauge_${name}`,
      help,
      registers: [registry],
    })
    const gauge = (name: string, help: string) => new Gauge(named(`backup_${name}`, help))
    const counter = (name: string, help: string) => new Counter(named(name, help))
    this.gauges = [
      [gauge("interval_seconds", "Pause between backups"), (f) => f.everyMs / 1000],
      [
        gauge("last_success_timestamp_seconds", "Moment of the newest backup"),
        (f) => (f.lastSuccessMs ?? 0) / 1000,
      ],
      [
        gauge("last_duration_seconds", "How long the newest backup since the start took"),
        (f) => f.lastDurationMs / 1000,
      ],
      [gauge("last_bytes", "Bytes of the store in that backup"), (f) => f.lastBytes],
    ]
    this.counters = [
      [counter("backups_total", "Backups that were finished"), (f) => f.successes],
      [counter("backup_failures_total", "Backups that failed"), (f) => f.failures],
      [
        counter("backup_uploaded_bytes_total", "Bytes of chunks that the vault did not have"),
        (f) => f.uploadedBytes,
      ],
    ]
  }

  set(figures: BackupFigures | null): void {
    for (const [gauge, read] of this.gauges) gauge.set(figures === null ? 0 : read(figures))
    for (const [counter, read] of this.counters) {
      counter.reset()
      counter.inc(figures === null ? 0 : read(figures))
    }
  }
}
