/**
 * The server's own metrics as samples of an element, for its own store. Names follow those of
 * `/metrics/internal`:
 *
 *   tidegauge_queue_bytes                                   tidegauge.queue_bytes
 *   tidegauge_queries_refused_total{reason="user"}          tidegauge.queries_refused_total.user
 *   tidegauge_http_requests_total{route,status="503"}
 *                                                  tidegauge.http_requests_total.ingest.503
 *   tidegauge_cycle_seconds, a histogram                    tidegauge.cycle_seconds.sum, .count
 *   tidegauge_last_closed_cycle_timestamp_seconds           tidegauge.last_closed_cycle.age_seconds
 *   process_…, nodejs_…                                     tidegauge.process.…, tidegauge.nodejs.…
 */

/** A metric of the server with its values, as prom-client gives it. */
export interface OwnMetric {
  readonly name: string
  /** "counter", "gauge" or "histogram". */
  readonly type: unknown
  readonly values: readonly OwnValue[]
}

interface OwnValue {
  readonly value: number
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  /** Of a histogram: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
}

export interface OwnSample {
  readonly metricId: string
  readonly type: "COUNTER" | "GAUGE"
  readonly value: number
}

/** Routes and tenants are many; the server's version is an attribute of the element. */
const summedLabels: ReadonlySet<string> = new Set(["tenant", "le"])
/** The metrics of the runtime that say something about the server; others are of V8's inside. */
const foreignMetrics: ReadonlySet<string> = new Set([
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
  "process_open_fds",
  "nodejs_eventloop_lag_p99_seconds",
  "nodejs_heap_size_used_bytes",
])
/** Statuses whose counters begin at 0: the first value of a counter is no increase. */
const troubleStatuses = ["ingest.429", "ingest.500", "ingest.503", "api.500", "api.503"]
const requestsName = "tidegauge.http_requests_total"

/** One sample of each metric, of `nowMs`, epoch milliseconds. */
export function ownSamples(metrics: readonly OwnMetric[], nowMs: number): OwnSample[] {
  const samples = new Map<string, OwnSample>()
  const add = (metricId: string, type: OwnSample["type"], value: number): void => {
    if (!Number.isFinite(value)) return
    const before = samples.get(metricId)?.value ?? 0
    samples.set(metricId, { metricId, type, value: before + value })
  }
  for (const status of troubleStatuses) add(`${requestsName}.${status}`, "COUNTER", 0)
  for (const { name, type, values } of metrics) {
    if (!name.startsWith("tidegauge_") && !foreignMetrics.has(name)) continue
    if (name === "tidegauge_build_info") continue
    for (const one of values) addValue({ name, type }, one, { nowMs, add })
  }
  return [...samples.values()]
}

function addValue(
  { name, type }: Pick<OwnMetric, "name" | "type">,
  { value, labels, metricName }: OwnValue,
  { nowMs, add }: { nowMs: number; add: (id: string, type: OwnSample["type"], of: number) => void },
): void {
  if (type === "histogram") {
    const part = metricName?.slice(name.length + 1)
    if (part !== "sum" && part !== "count") return
    const route = labels["route"] === undefined ? [] : [routeOf(labels["route"])]
    add([idOf(name), ...route, part].join("."), "COUNTER", value)
  } else if (name.endsWith(timestampEnd)) {
    const age = idOf(name.slice(0, -timestampEnd.length))
    add(`${age}.age_seconds`, "GAUGE", nowMs / 1000 - value)
  } else {
    const id = [idOf(name), ...labelsOf(labels)].join(".")
    add(id, type === "counter" ? "COUNTER" : "GAUGE", value)
  }
}

const timestampEnd = "_timestamp_seconds"

function idOf(name: string): string {
  return name.startsWith("tidegauge_")
    ? name.replace("_", ".")
    : `tidegauge.${name.replace("_", ".")}`
}

function labelsOf(labels: OwnValue["labels"]): string[] {
  return Object.entries(labels)
    .filter(([name]) => !summedLabels.has(name))
    .map(([name, value]) => (name === "route" ? routeOf(value) : String(value)))
}

function routeOf(route: string | number | undefined): string {
  return route === "ingest" ? "ingest" : "api"
}
