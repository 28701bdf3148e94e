import assert from "node:assert/strict"
import { test } from "node:test"
import { ownSamples, type OwnMetric } from "../../src/server/watch/own-samples.ts"

const nowMs = 1_000_000

function valuesOf(metrics: readonly OwnMetric[]): Record<string, readonly [string, number]> {
  const samples = ownSamples(metrics, nowMs)
  const trouble = /http_requests_total\.(?:ingest|api)\.(?:429|50\d)$/
  return Object.fromEntries(
    samples
      .filter(({ metricId, value }) => value !== 0 || !trouble.test(metricId))
      .map(({ metricId, type, value }) => [metricId, [type, value]]),
  )
}

test("names follow those of Prometheus, labels are parts of the name, tenants are summed", () => {
  const found = valuesOf([
    { name: "tidegauge_queue_bytes", type: "gauge", values: [{ value: 5, labels: {} }] },
    {
      name: "tidegauge_queries_refused_total",
      type: "counter",
      values: [{ value: 2, labels: { reason: "user" } }],
    },
    {
      name: "tidegauge_tenant_bytes",
      type: "gauge",
      values: [
        { value: 1, labels: { tenant: "0" } },
        { value: 2, labels: { tenant: "1" } },
      ],
    },
    {
      name: "tidegauge_http_requests_total",
      type: "counter",
      values: [
        { value: 3, labels: { route: "/elements", status: 200 } },
        { value: 4, labels: { route: "/users", status: 200 } },
        { value: 9, labels: { route: "ingest", status: 503 } },
      ],
    },
    { name: "process_open_fds", type: "gauge", values: [{ value: 8, labels: {} }] },
  ])
  assert.deepEqual(found, {
    "tidegauge.queue_bytes": ["GAUGE", 5],
    "tidegauge.queries_refused_total.user": ["COUNTER", 2],
    "tidegauge.tenant_bytes": ["GAUGE", 3],
    "tidegauge.http_requests_total.api.200": ["COUNTER", 7],
    "tidegauge.http_requests_total.ingest.503": ["COUNTER", 9],
    "tidegauge.process.open_fds": ["GAUGE", 8],
  })
})

test("a histogram is its sum and count, a time its age, and the inside of V8 is left out", () => {
  const value = (name: string, of: number, le?: string) => ({
    value: of,
    labels: le === undefined ? {} : { le },
    metricName: name,
  })
  const found = valuesOf([
    {
      name: "tidegauge_cycle_seconds",
      type: "histogram",
      values: [
        value("tidegauge_cycle_seconds_bucket", 1, "0.1"),
        value("tidegauge_cycle_seconds_sum", 0.5),
        value("tidegauge_cycle_seconds_count", 2),
      ],
    },
    {
      name: "tidegauge_last_closed_cycle_timestamp_seconds",
      type: "gauge",
      values: [{ value: 940, labels: {} }],
    },
    { name: "nodejs_gc_runs", type: "gauge", values: [{ value: 1, labels: {} }] },
    { name: "tidegauge_build_info", type: "gauge", values: [{ value: 1, labels: {} }] },
    { name: "tidegauge_odd", type: "gauge", values: [{ value: NaN, labels: {} }] },
  ])
  assert.deepEqual(found, {
    "tidegauge.cycle_seconds.sum": ["COUNTER", 0.5],
    "tidegauge.cycle_seconds.count": ["COUNTER", 2],
    "tidegauge.last_closed_cycle.age_seconds": ["GAUGE", 60],
  })
})

test("refusals are counted from zero, so that the first one is an increase", () => {
  const zeros = ownSamples([], nowMs)
  assert.ok(zeros.length >= 5)
  assert.ok(zeros.every(({ type, value }) => type === "COUNTER" && value === 0))
})
