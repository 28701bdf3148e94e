import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Metrics } from "../../src/http/api/metrics/metrics.ts"
import type { ServerFigures } from "../../src/http/api/metrics/store-metrics.ts"
import { rootFolder } from "../support/project-paths.ts"

const figures: ServerFigures = {
  seriesCount: 50,
  elementCount: 2,
  unflushedSamples: 7,
  memtableBytes: 1000,
  corruptRecords: 6,
  wal: {
    segments: 3,
    bytes: 5000,
    truncations: 4,
    syncs: { boundsSeconds: [0.001, 0.01], counts: [5, 2, 1], sumSeconds: 0.25 },
  },
  storeBytes: 2000,
  uncompactedDays: 6,
  scannedBodies: 9,
  parsedBodies: 1,
  refusals: ["The disk is full"],
  freeDiskBytes: 3000,
  textBytes: [70, 80],
  sharedTextBytes: 90,
  tenantBytes: [0, 4000],
}
const events = () => ({ stored: 3, discarded: 2 })
const deliveries = () => ({
  delivered: 4,
  failed: 5,
  dropped: 6,
  disabled: 1,
  failingQueues: 2,
})
const queries = () => ({
  waiting: 3,
  running: 2,
  refused: { user: 4, tenant: 0, server: 1, memory: 8 },
  timedOut: 5,
  cancelled: 6,
  preempted: 7,
})
const rest = {
  events,
  deliveries,
  queries,
  security: () =>
    new Map([
      ["loginSucceeded", 11],
      ["loginFailed", 12],
      ["keyRefused", 13],
    ]),
  state: () => ({
    closedUpToMs: 300_000,
    missedCycles: 4,
    isReady: false,
    certificateValidToMs: null,
  }),
  waitingNotifications: async () => 12,
  elapsedMs: () => 40,
  backups: () => ({
    everyMs: 3_600_000,
    lastSuccessMs: 1_000_000,
    lastDurationMs: 2500,
    lastBytes: 70,
    successes: 8,
    failures: 9,
    uploadedBytes: 60,
    problem: null,
  }),
  answerBytes: () => 4096,
  memoryPlan: { limitBytes: 512, parts: { queue: 24, answers: 16 } },
  memory: () => ({ usedBytes: 300, isShort: true, shortCount: 2, collections: 5 }),
  version: "1.2.3",
}
const answer = {
  statuses: Uint16Array.of(202, 202),
  elements: Int32Array.of(1, 1),
  requestSamples: Int32Array.of(50, 50),
  latestTimesMs: Float64Array.of(0, 0),
  refusals: [],
  leftOut: [
    { request: 0, total: 3, counts: [2, 0, 1, 0], warnings: [] },
    { request: 1, total: 4, counts: [0, 0, 0, 4], warnings: [] },
  ],
  samples: 100,
  newSeries: 0,
  unflushedSamples: 7,
  commitMs: 2,
  hasUnflushedSeries: false,
}

test("text() returns the counts and the figures of the sources at every scrape", async () => {
  const metrics = new Metrics({
    ...rest,
    figures: async () => figures,
    queueBytes: () => 33,
  })
  metrics.countRequest("ingest", 202)
  metrics.countRequest("ingest", 202, metrics.startRequest() - 7)
  metrics.onMaintenanceFailure()
  metrics.onCycle({ durationMs: 20_000 })
  metrics.countRequest("/metrics/fqns", 401)
  metrics.onBatch({ requests: 2, bytes: 10_000, answer })
  metrics.onMaintenance(3)
  metrics.onQuery(200)
  await metrics.text()
  const text = await metrics.text()
  for (const line of [
    'tidegauge_http_requests_total{route="ingest",status="202"} 2',
    'tidegauge_logins_total{result="right"} 11',
    'tidegauge_logins_total{result="wrong"} 12',
    'tidegauge_security_events_total{kind="keyRefused"} 13',
    'tidegauge_http_requests_total{route="/metrics/fqns",status="401"} 1',
    "tidegauge_ingest_samples_total 100",
    "tidegauge_memory_limit_bytes 512",
    'tidegauge_memory_planned_bytes{part="answers"} 16',
    "tidegauge_memory_used_bytes 300",
    "tidegauge_memory_short 1",
    "tidegauge_memory_short_total 2",
    "tidegauge_memory_collections_total 5",
    'tidegauge_queries_refused_total{reason="memory"} 8',
    'tidegauge_samples_left_out_total{reason="nan"} 2',
    'tidegauge_samples_left_out_total{reason="infinity"} 0',
    'tidegauge_samples_left_out_total{reason="null"} 1',
    'tidegauge_samples_left_out_total{reason="object"} 4',
    'tidegauge_events_total{outcome="stored"} 3',
    'tidegauge_events_total{outcome="discarded"} 2',
    'tidegauge_ingest_bodies_total{parser="scanner"} 9',
    'tidegauge_ingest_bodies_total{parser="reference"} 1',
    "tidegauge_batch_requests_sum 2",
    "tidegauge_batch_samples_sum 100",
    "tidegauge_commit_seconds_sum 0.002",
    "tidegauge_queries_waiting 3",
    "tidegauge_queries_running 2",
    'tidegauge_queries_refused_total{reason="user"} 4',
    'tidegauge_queries_refused_total{reason="server"} 1',
    "tidegauge_queries_timed_out_total 5",
    "tidegauge_queries_cancelled_total 6",
    "tidegauge_queries_preempted_total 7",
    'tidegauge_query_duration_seconds_bucket{le="0.25"} 1',
    "tidegauge_query_duration_seconds_sum 0.2",
    "tidegauge_maintenance_seconds_count 1",
    "tidegauge_queue_bytes 33",
    "tidegauge_unflushed_samples 7",
    "tidegauge_series 50",
    "tidegauge_elements 2",
    "tidegauge_memtable_bytes 1000",
    "tidegauge_store_bytes 2000",
    "tidegauge_wal_segments 3",
    "tidegauge_wal_bytes 5000",
    "tidegauge_wal_truncations_total 4",
    "tidegauge_wal_corruptions_total 6",
    'tidegauge_wal_fsync_duration_seconds_bucket{le="0.001"} 5',
    'tidegauge_wal_fsync_duration_seconds_bucket{le="0.01"} 7',
    'tidegauge_wal_fsync_duration_seconds_bucket{le="+Inf"} 8',
    "tidegauge_wal_fsync_duration_seconds_sum 0.25",
    "tidegauge_wal_fsync_duration_seconds_count 8",
    "tidegauge_uncompacted_days 6",
    "tidegauge_read_only 1",
    "tidegauge_answer_memory_bytes 4096",
    "tidegauge_disk_free_bytes 3000",
    'tidegauge_text_bytes{tenant="1"} 80',
    'tidegauge_text_bytes{tenant="shared"} 90',
    'tidegauge_tenant_bytes{tenant="1"} 4000',
    "tidegauge_outbox_notifications 12",
    "tidegauge_last_closed_cycle_timestamp_seconds 300",
    "tidegauge_missed_cycles 4",
    "tidegauge_ready 0",
    "tidegauge_maintenance_failures_total 1",
    'tidegauge_http_request_duration_seconds_bucket{le="0.005",route="ingest"} 0',
    'tidegauge_http_request_duration_seconds_bucket{le="0.01",route="ingest"} 1',
    'tidegauge_http_request_duration_seconds_count{route="ingest"} 1',
    'tidegauge_cycle_seconds_bucket{le="10"} 0',
    'tidegauge_cycle_seconds_bucket{le="30"} 1',
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
    ...rest,
    queueBytes: () => 0,
  })
  assert.match(await metrics.text(), /tidegauge_figure_failures_total 1\n/)
})

/** Types by name, as the page declares them. */
async function declared(): Promise<Map<string, string>> {
  const metrics = new Metrics({ ...rest, figures: async () => figures, queueBytes: () => 0 })
  metrics.countRequest("ingest", 202, 0)
  const text = await metrics.text()
  const types = new Map<string, string>()
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) types.set(name!, type!)
  const helps = [...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name)
  assert.deepEqual(helps.sort(), [...types.keys()].sort(), "Expected a help text for each")
  return types
}

/** The problems that `promtool check metrics` reports. */
function objections(name: string, type: string): string[] {
  const problems = [
    [/^[a-z][a-z0-9_]*$/.test(name), "snake case"],
    [(type === "counter") === name.endsWith("_total"), "_total for counters and nothing else"],
    [!/_(?:count|sum|bucket)$/.test(name), "no suffix of histograms"],
    [!/_(?:gauge|counter|histogram|summary)(?:_|$)/.test(name), "no type in the name"],
    [!/_(?:ms|milliseconds|minutes|hours|kb|mb|percent)(?:_|$)/.test(name), "base units"],
  ] as const
  return problems.flatMap(([isGood, rule]) => (isGood ? [] : [`${name}: expected ${rule}`]))
}

test("names and types of all metrics follow the conventions of Prometheus", async () => {
  const types = await declared()
  assert.ok(types.size > 50, `Expected all metrics, got ${types.size}`)
  assert.deepEqual(
    [...types].flatMap(([name, type]) => objections(name, type)),
    [],
  )
  assert.equal(objections("nodejs_active_handles_total", "gauge").length, 1)
  assert.equal(objections("tidegauge_waits", "counter").length, 1)
})

test("every metric that an alert of data/alerts.yml names is on the page", async () => {
  const types = await declared()
  const rules = readFileSync(join(rootFolder, "data/alerts.yml"), "utf8")
  const names = [...rules.matchAll(/\b(?:tidegauge|nodejs|process)_[a-z0-9_]+/g)].map(
    ([name]) => name,
  )
  assert.ok(names.length > 10, `Expected rules, got ${names.length} names`)
  const families = (name: string) => [name, name.replace(/_(?:bucket|count|sum)$/, "")]
  const unknown = names.filter((name) => !families(name).some((family) => types.has(family)))
  assert.deepEqual(unknown, [])
})
