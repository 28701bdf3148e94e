import assert from "node:assert/strict"
import { test } from "node:test"
import { Metrics } from "../../src/http/metrics.ts"
import type { ServerFigures } from "../../src/http/metrics.ts"

const figures: ServerFigures = {
  seriesCount: 50,
  elementCount: 2,
  openSamples: 7,
  inboxBytes: 1000,
  cutFrames: 0,
  storeBytes: 2000,
  fastBodies: 9,
  slowBodies: 1,
}
const events = () => ({ stored: 3, discarded: 2 })
const deliveries = () => ({
  delivered: 4,
  failed: 5,
  dropped: 6,
  disabled: 1,
  failingLanes: 2,
})
const answer = {
  statuses: Uint16Array.of(202, 202),
  elements: Int32Array.of(1, 1),
  requestSamples: Int32Array.of(50, 50),
  refusals: [],
  leftOut: [
    { request: 0, total: 3, counts: [2, 0, 1, 0], warnings: [] },
    { request: 1, total: 4, counts: [0, 0, 0, 4], warnings: [] },
  ],
  samples: 100,
  newSeries: 0,
  openSamples: 7,
  commitMs: 2,
  isUnpublished: false,
}

test("text() tells what was counted and what the sources say, at every scrape", async () => {
  const metrics = new Metrics({
    figures: async () => figures,
    queueBytes: () => 33,
    events,
    deliveries,
    version: "1.2.3",
  })
  metrics.countRequest("ingest", 202)
  metrics.countRequest("ingest", 202)
  metrics.countRequest("/metrics/fqns", 401)
  metrics.onBatch({ requests: 2, bytes: 10_000, answer })
  metrics.onMaintenance(3)
  await metrics.text()
  const text = await metrics.text()
  for (const line of [
    'tidegauge_http_requests_total{route="ingest",status="202"} 2',
    'tidegauge_http_requests_total{route="/metrics/fqns",status="401"} 1',
    "tidegauge_ingest_samples_total 100",
    'tidegauge_samples_left_out_total{reason="nan"} 2',
    'tidegauge_samples_left_out_total{reason="infinity"} 0',
    'tidegauge_samples_left_out_total{reason="null"} 1',
    'tidegauge_samples_left_out_total{reason="object"} 4',
    'tidegauge_events_total{outcome="stored"} 3',
    'tidegauge_events_total{outcome="discarded"} 2',
    'tidegauge_ingest_bodies_total{reader="fast"} 9',
    'tidegauge_ingest_bodies_total{reader="slow"} 1',
    "tidegauge_batch_requests_sum 2",
    "tidegauge_batch_samples_sum 100",
    "tidegauge_commit_seconds_sum 0.002",
    "tidegauge_maintenance_seconds_count 1",
    "tidegauge_queue_bytes 33",
    "tidegauge_open_samples 7",
    "tidegauge_series 50",
    "tidegauge_elements 2",
    "tidegauge_inbox_bytes 1000",
    "tidegauge_store_bytes 2000",
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line)
  }
  assert.match(text, /\ntidegauge_build_info\{version="1\.2\.3",runtime="node v\d+[^"]*",.*\} 1\n/)
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/)
  assert.match(text, /process_cpu_seconds_total/)
  assert.match(metrics.contentType, /^text\/plain/)
})

test("text() goes on without the shard's figures and counts that", async () => {
  const metrics = new Metrics({
    figures: () => Promise.reject(new Error("closed")),
    queueBytes: () => 0,
    deliveries,
    events,
    version: "1.2.3",
  })
  assert.match(await metrics.text(), /tidegauge_figure_failures_total 1\n/)
})
