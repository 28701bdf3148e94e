/**
 * Metrics: the server's own metrics for `GET /metrics/internal`. Per-request events are counted in
 * plain numbers and passed to prom-client at each scrape. No label contains a key, a name or a path
 * of a request.
 */

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client"
import type { MetricObjectWithValues, MetricValue } from "prom-client"
import type { IngestBatchFigures } from "../../../engine/ingest-queue.ts"
import type { MemoryFigures } from "../../../model/memory-figures.ts"
import { leftOutReasons } from "../../../ingest/ingest.ts"
import { auditKinds, type AuditKind } from "../../../model/records/audit.ts"
import type { DeliveryFigures } from "../../../notify/delivery-worker.ts"
import type { AdmissionFigures } from "../../../query/query.ts"
import type { EventCounts } from "../../../records/incidents/events.ts"
import type { BackupFigures } from "../../../model/backup-figures.ts"
import { BackupMetrics } from "./backup-metrics.ts"
import { MemoryMetrics, type MemoryPlanFigures } from "./memory-metrics.ts"
import { QueryMetrics } from "./query-metrics.ts"
import { StoreMetrics, type ServerFigures } from "./store-metrics.ts"

/** State of the main thread. */
export interface ServerState {
  /** All cycles up to this end are closed; epoch milliseconds. */
  readonly closedUpToMs: number
  /** Cycles of known outages that were not closed. */
  readonly missedCycles: number
  readonly isReady: boolean
  /** When the certificate in use expires, epoch milliseconds; null: plain HTTP. */
  readonly certificateValidToMs: number | null
}

export interface MetricsSources {
  readonly figures: () => Promise<ServerFigures>
  readonly queueBytes: () => number
  readonly answerBytes: () => number
  readonly memoryPlan: MemoryPlanFigures
  readonly memory: () => MemoryFigures
  readonly events: () => EventCounts
  readonly deliveries: () => DeliveryFigures
  /** Entries of the security log since the start, by kind. */
  readonly security: () => ReadonlyMap<string, number>
  readonly state: () => ServerState
  /** Notifications of all tenants that wait for delivery. */
  readonly waitingNotifications: () => Promise<number>
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly queries: () => AdmissionFigures
  /** Null without a schedule. */
  readonly backups: () => BackupFigures | null
  /** Version of the server. */
  readonly version: string
}

/** Result labels of the kinds of the security log that are logins. */
const loginResults: Readonly<Partial<Record<AuditKind, string>>> = {
  loginSucceeded: "right",
  loginFailed: "wrong",
  loginThrottled: "throttled",
}

const millisecond = 0.001
const secondsBuckets = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000].map(
  (ms) => ms * millisecond,
)
/** For the closing of cycles: 100,000 metrics take 3 s, and a cycle has 300 s. */
const closingBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150, 300]
/** For requests: from an ingest post to a query that times out. */
const httpBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]
/** Gauges of prom-client with names of counters; each is the sum of another one's labels. */
const misnamedDefaults = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
]
const requestsBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
const samplesBuckets = [10, 50, 100, 500, 1e3, 5e3, 1e4, 5e4, 1e5, 5e5]

export class Metrics {
  private readonly registry = new Registry()
  private readonly sources: MetricsSources
  private readonly requestCounts = new Map<string, Map<number, number>>()
  private samples = 0
  /** In the order of `leftOutReasons`. */
  private readonly leftOutCounts = leftOutReasons.map(() => 0)

  private readonly requests: Counter
  private readonly ingested: Counter
  private readonly leftOut: Counter
  private readonly events: Counter
  private readonly deliveries: Counter
  private readonly logins: Counter
  private readonly security: Counter
  private readonly failingNotifications: Gauge
  private readonly figureFailures: Counter
  private readonly batchRequests: Histogram
  private readonly batchSamples: Histogram
  private readonly commits: Histogram
  private readonly maintenance: Histogram
  private readonly cycles: Histogram
  private readonly requestSeconds: Histogram
  private readonly maintenanceFailures: Counter
  private readonly waitingNotifications: Gauge
  private readonly answerMemory: Gauge
  private readonly queueBytes: Gauge
  private readonly states: readonly (readonly [Gauge, (state: ServerState) => number])[]
  private readonly memory: MemoryMetrics
  private readonly certificateExpiry: Gauge
  private readonly queries: QueryMetrics
  private readonly store: StoreMetrics
  private readonly backups: BackupMetrics

  constructor(sources: MetricsSources) {
    this.sources = sources
    const registers = [this.registry]
    const counter = (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name: `tidegauge_${name}`, help, labelNames, registers })
    const gauge = (name: string, help: string) =>
      new Gauge({ name: `tidegauge_${name}`, help, registers })
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name: `tidegauge_${name}`, help, buckets, registers })

    this.requests = counter("http_requests_total", "Requests answered", ["route", "status"])
    this.ingested = counter("ingest_samples_total", "Samples stored")
    this.leftOut = counter(
      "samples_left_out_total",
      "Samples of stored requests that held no observation, by reason",
      ["reason"],
    )
    this.events = counter("events_total", "External events accepted, by outcome", ["outcome"])
    this.deliveries = counter("notifications_total", "Notifications by outcome", ["outcome"])
    this.logins = counter("logins_total", "Logins by result", ["result"])
    this.security = counter("security_events_total", "Other entries of the security log", ["kind"])
    this.failingNotifications = gauge(
      "failing_notifications",
      "Notifications whose last delivery failed",
    )
    this.figureFailures = counter("figure_failures_total", "Failed reads of the shard's figures")
    this.batchRequests = histogram("batch_requests", "Requests of a group commit", requestsBuckets)
    this.batchSamples = histogram("batch_samples", "Samples of a group commit", samplesBuckets)
    this.commits = histogram("commit_seconds", "Group commit with its sync", secondsBuckets)
    this.maintenance = histogram("maintenance_seconds", "One background step", secondsBuckets)
    this.cycles = histogram("cycle_seconds", "Closing of a five-minute cycle", closingBuckets)
    this.requestSeconds = new Histogram({
      name: "tidegauge_http_request_duration_seconds",
      help: "From the head of a request to its answer",
      labelNames: ["route"],
      buckets: httpBuckets,
      registers,
    })
    this.maintenanceFailures = counter("maintenance_failures_total", "Background steps that failed")
    this.waitingNotifications = gauge("outbox_notifications", "Notifications not yet delivered")
    this.answerMemory = gauge("answer_memory_bytes", "Bytes of answers in work or not read yet")
    this.queueBytes = gauge("queue_bytes", "Bytes held between socket and store")
    this.states = stateGauges(gauge)
    this.certificateExpiry = gauge(
      "tls_certificate_expiry_timestamp_seconds",
      "When the certificate in use expires; absent without TLS",
    )
    this.addBuildInfo(registers)
    this.memory = new MemoryMetrics(this.registry, sources.memoryPlan)
    this.queries = new QueryMetrics(this.registry)
    this.store = new StoreMetrics(this.registry)
    this.backups = new BackupMetrics(this.registry)
    collectDefaultMetrics({ register: this.registry })
    for (const name of misnamedDefaults) this.registry.removeSingleMetric(name)
  }

  /** A gauge of 1 whose labels name the version and the runtime, for joins with other metrics. */
  private addBuildInfo(registers: Registry[]): void {
    const build = {
      version: this.sources.version,
      runtime: `node ${process.version}`,
      platform: `${process.platform}-${process.arch}`,
    }
    const labelNames = Object.keys(build)
    const help = "Version of the server, of Node and of the machine; always 1"
    new Gauge({ name: "tidegauge_build_info", help, labelNames, registers }).set(build, 1)
  }

  get contentType(): string {
    return this.registry.contentType
  }

  /** Monotonic milliseconds, for `countRequest`. */
  startRequest(): number {
    return this.sources.elapsedMs()
  }

  /**
   * Counts an answer; `route` is a route's pattern: one of few. Without `startedMs` its duration is
   * not observed, as for what is refused by its head. An observation costs 0.14 µs.
   */
  countRequest(route: string, status: number, startedMs?: number): void {
    if (startedMs !== undefined) {
      const durationMs = this.sources.elapsedMs() - startedMs
      this.requestSeconds.observe({ route }, durationMs * millisecond)
    }
    let counts = this.requestCounts.get(route)
    if (counts === undefined) this.requestCounts.set(route, (counts = new Map()))
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }

  onBatch({ requests, answer }: IngestBatchFigures): void {
    this.samples += answer.samples
    for (const { counts } of answer.leftOut) {
      counts.forEach((count, reason) => (this.leftOutCounts[reason]! += count))
    }
    this.batchRequests.observe(requests)
    this.batchSamples.observe(answer.samples)
    this.commits.observe(answer.commitMs * millisecond)
  }

  onMaintenance(durationMs: number): void {
    this.maintenance.observe(durationMs * millisecond)
  }

  onMaintenanceFailure(): void {
    this.maintenanceFailures.inc()
  }

  onCycle({ durationMs }: { readonly durationMs: number }): void {
    this.cycles.observe(durationMs * millisecond)
  }

  onQuery(durationMs: number): void {
    this.queries.onAnswered(durationMs)
  }

  /** All metrics in Prometheus' text format. */
  async text(): Promise<string> {
    this.setCounters()
    await this.setFigures()
    return this.registry.metrics()
  }

  /** The same as values. */
  async values(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    this.setCounters()
    await this.setFigures()
    return this.registry.getMetricsAsJSON()
  }

  private setCounters(): void {
    setTotal(this.ingested, {}, this.samples)
    this.leftOut.reset()
    leftOutReasons.forEach((reason, i) => this.leftOut.inc({ reason }, this.leftOutCounts[i]!))
    this.requests.reset()
    for (const [route, counts] of this.requestCounts) {
      for (const [status, count] of counts) this.requests.inc({ route, status }, count)
    }
    this.queueBytes.set(this.sources.queueBytes())
    this.answerMemory.set(this.sources.answerBytes())
    this.memory.set(this.sources.memory())
    this.queries.set(this.sources.queries())
    this.backups.set(this.sources.backups())
    const { stored, discarded } = this.sources.events()
    this.events.reset()
    this.events.inc({ outcome: "stored" }, stored)
    this.events.inc({ outcome: "discarded" }, discarded)
    const { failingQueues, ...outcomes } = this.sources.deliveries()
    this.deliveries.reset()
    for (const [outcome, count] of Object.entries(outcomes)) {
      this.deliveries.inc({ outcome }, count)
    }
    this.failingNotifications.set(failingQueues)
    this.setSecurity()
    const state = this.sources.state()
    for (const [gauge, read] of this.states) gauge.set(read(state))
    const { certificateValidToMs } = state
    // Without TLS it has no sample: one of 0 would have expired in 1970.
    if (certificateValidToMs === null) this.certificateExpiry.remove()
    else this.certificateExpiry.set(certificateValidToMs * millisecond)
  }

  private setSecurity(): void {
    const counts = this.sources.security()
    this.logins.reset()
    this.security.reset()
    for (const kind of auditKinds) {
      const count = counts.get(kind) ?? 0
      const result = loginResults[kind]
      if (result === undefined) this.security.inc({ kind }, count)
      else this.logins.inc({ result }, count)
    }
  }

  /** Updates the figures of the shard; if it fails, they keep their values and are counted. */
  private async setFigures(): Promise<void> {
    try {
      this.store.set(await this.sources.figures())
      this.waitingNotifications.set(await this.sources.waitingNotifications())
    } catch {
      this.figureFailures.inc()
    }
  }
}

function stateGauges(gauge: (name: string, help: string) => Gauge) {
  return [
    [
      gauge("last_closed_cycle_timestamp_seconds", "End of the newest cycle that is closed"),
      (state: ServerState) => state.closedUpToMs * millisecond,
    ],
    [
      gauge("missed_cycles", "Cycles of outages that were not closed"),
      (state: ServerState) => state.missedCycles,
    ],
    [
      gauge("ready", "1 if /health/ready answers 200, otherwise 0"),
      (state: ServerState) => Number(state.isReady),
    ],
  ] as const
}

function setTotal(counter: Counter, labels: Record<string, string>, total: number): void {
  counter.reset()
  counter.inc(labels, total)
}
