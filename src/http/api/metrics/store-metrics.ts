/** Metrics of the store and the catalogue, of which the shard's thread has the figures. */

import { Counter, Gauge, type Registry } from "prom-client"
import type { WalFigures } from "../../../model/wal-figures.ts"
import { WalMetrics } from "./wal-metrics.ts"

/** Figures of the shard thread. */
export interface ServerFigures {
  /** UTF-8 bytes of text, by tenant index, and of the definitions that tenants share. */
  readonly textBytes: readonly number[]
  readonly sharedTextBytes: number
  /** Bytes of the store's tables, by tenant index; empty until they are counted. */
  readonly tenantBytes: readonly number[]
  readonly seriesCount: number
  readonly elementCount: number
  readonly unflushedSamples: number
  readonly memtableBytes: number
  readonly corruptRecords: number
  readonly wal: WalFigures
  readonly storeBytes: number
  readonly uncompactedDays: number
  /** Bodies that the fast scanner took, and those that the reference parser parsed. */
  readonly scannedBodies: number
  readonly parsedBodies: number
  /** Why the store is read-only; empty if it is writable. */
  readonly refusals: readonly string[]
  readonly freeDiskBytes: number
}

export class StoreMetrics {
  private readonly bodies: Counter
  private readonly textBytes: Gauge
  private readonly tenantBytes: Gauge
  private readonly gauges: readonly (readonly [Gauge, (figures: ServerFigures) => number])[]
  private readonly wal: WalMetrics

  constructor(registry: Registry) {
    const registers = [registry]
    this.bodies = new Counter({
      name: "tidegauge_ingest_bodies_total",
      help: "Ingest bodies parsed, by parser",
      labelNames: ["parser"],
      registers,
    })
    this.textBytes = new Gauge({
      name: "tidegauge_text_bytes",
      help: "Bytes of text kept, by number of the tenant; definitions of metrics are shared",
      labelNames: ["tenant"],
      registers,
    })
    this.tenantBytes = new Gauge({
      name: "tidegauge_tenant_bytes",
      help: "Bytes of samples and rollups in the store's tables, by number of the tenant",
      labelNames: ["tenant"],
      registers,
    })
    this.gauges = figureGauges(
      (name, help) => new Gauge({ name: `tidegauge_${name}`, help, registers }),
    )
    this.wal = new WalMetrics(registry)
  }

  set(figures: ServerFigures): void {
    for (const [gauge, read] of this.gauges) gauge.set(read(figures))
    this.wal.set(figures.wal, figures.corruptRecords)
    setByTenant(this.textBytes, figures.textBytes)
    setByTenant(this.tenantBytes, figures.tenantBytes)
    this.textBytes.set({ tenant: "shared" }, figures.sharedTextBytes)
    this.bodies.reset()
    this.bodies.inc({ parser: "scanner" }, figures.scannedBodies)
    this.bodies.inc({ parser: "reference" }, figures.parsedBodies)
  }
}

function figureGauges(gauge: (name: string, help: string) => Gauge) {
  return [
    [
      gauge("unflushed_samples", "Samples stored and not yet flushed"),
      (f: ServerFigures) => f.unflushedSamples,
    ],
    [gauge("series", "Series known"), (f: ServerFigures) => f.seriesCount],
    [gauge("elements", "Elements known"), (f: ServerFigures) => f.elementCount],
    [
      gauge("memtable_bytes", "Bytes of unflushed samples in memory"),
      (f: ServerFigures) => f.memtableBytes,
    ],
    [
      gauge("uncompacted_days", "Days of blocks of series that are not compacted yet"),
      (f: ServerFigures) => f.uncompactedDays,
    ],
    [gauge("store_bytes", "Bytes of the store's file"), (f: ServerFigures) => f.storeBytes],
    [
      gauge("read_only", "1 if no samples are taken, otherwise 0"),
      (f: ServerFigures) => Number(f.refusals.length > 0),
    ],
    [
      gauge("disk_free_bytes", "Bytes free on the store's disk"),
      (f: ServerFigures) => f.freeDiskBytes,
    ],
  ] as const
}

/** Tenants with a label of their own; more would make too many series. */
const labelledTenantsMax = 1_000

/** Sets a gauge with the label `tenant` from figures by tenant index. */
function setByTenant(gauge: Gauge, figures: readonly number[]): void {
  gauge.reset()
  for (const [tenant, value] of figures.slice(0, labelledTenantsMax).entries()) {
    gauge.set({ tenant: String(tenant) }, value)
  }
}
