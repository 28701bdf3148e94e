/** Prometheus' text and InfluxDB's line protocol: names, values, times, headers, errors. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { parseSeries } from "../../src/transfer/import/prometheus-reader.ts"
import { folderOf, openWriter } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import {
  answersOf,
  importFile,
  settle,
  storeSink,
  type ImportOptions,
} from "../support/store/transfer.ts"

async function imported(t: TestContext, path: string, text: string, options: ImportOptions = {}) {
  const folder = folderOf(t)
  const store = openWriter(folder)
  try {
    const outcome = await importFile(storeSink(store), path, options, text)
    settle(store)
    return { ...outcome, folder }
  } finally {
    await store.close()
  }
}

/** `element metric`: times from noon and values of raw samples. */
async function raw(folder: string) {
  const answers = await answersOf(folder, ["ZERO"])
  return Object.fromEntries(
    answers.map(({ id, values }) => {
      const [records] = values[0]![1] as { timeMs: number; fields: { val: number } }[][]
      return [id, records!.map(({ timeMs, fields }) => [timeMs - noonMs, fields.val])]
    }),
  )
}

const label = fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: "binary" }))
const labels = fc.uniqueArray(label, { selector: ([name]) => name, maxLength: 4 })

test("a series of any labels, printed as promtool does and parsed, is the same", () => {
  const quoted = (text: string) =>
    `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "binary" }), labels, (name, pairs) => {
      const others = pairs.filter(([one]) => one !== "__name__")
      const all = [["__name__", name] as const, ...others]
      const text = all.map(([one, value]) => `${quoted(one)}=${quoted(value)}`).join(", ")
      assert.deepEqual(parseSeries(`{${text}}`), { name, labels: others })
    }),
  )
})

test("a dump of Prometheus: labels become elements and metrics", async (t) => {
  const node = '__name__="node_cpu_seconds_total", cpu="0", env="prod", instance="web-01:9100"'
  const disk = 'node_filesystem_avail_bytes{device="/dev/sda1",instance="web-01:9100",job="node"}'
  const text = [
    `{${node}, job="node", mode="idle"} 5.5 ${noonMs}`,
    `{${node}, job="node", mode="idle"} 7 ${noonMs + 15_000}`,
    `{${node}, job="node", mode="idle"} NaN ${noonMs + 30_000}`,
    `${disk} +Inf ${noonMs}`,
    `${disk} 1e9 ${noonMs}`,
    `up{instance="web-02"} 1 ${noonMs}`,
    "   ",
    `{__name__="lag", instance="web-02"} {count:3, sum:7, (0.1,0.2]:3} ${noonMs}`,
  ].join("\n")
  const { counts, folder } = await imported(t, "dump.prom", text)
  assert.deepEqual([counts.stored, counts.noObservation], [4, 3])
  assert.deepEqual(await raw(folder), {
    "web-01_9100__node node_cpu_seconds_total.cpu-0.mode-idle": [
      [0, 5.5],
      [15_000, 7],
    ],
    "web-01_9100__node node_filesystem_avail_bytes.device-_dev_sda1.1de508c43481": [[0, 1e9]],
    "web-02 up": [[0, 1]],
  })
  const [cpu] = await answersOf(folder, ["ZERO"])
  assert.equal(cpu!.definition.type, "COUNTER")
  assert.deepEqual(
    cpu!.definition.tags.map(({ name }) => name),
    ["cpu", "env", "mode"],
  )
  assert.deepEqual([cpu!.info.name, cpu!.info.type], ["web-01:9100", "node"])
  assert.deepEqual(
    cpu!.info.tags.map(({ name }) => name),
    ["env", "instance", "job"],
  )
})

test("series that differ in a shared label only are two", async (t) => {
  const text = ["a", "b"].map((env) => `up{instance="w",env="${env}"} 1 ${noonMs}`).join("\n")
  const { folder } = await imported(t, "dump.prom", text)
  assert.deepEqual(Object.keys(await raw(folder)), ["w up", "w up.env-b"])
})

test("OpenMetrics: seconds, types, exemplars", async (t) => {
  const text = [
    "# TYPE jobs counter",
    "# HELP jobs Done.",
    `jobs_total{host="w"} 3 ${noonMs / 1000}.250 # {trace="x"} 1`,
    "# EOF",
  ].join("\n")
  const { folder } = await imported(t, "scrape.om", text)
  assert.deepEqual(await raw(folder), { "w jobs_total": [[250, 3]] })
  assert.equal((await answersOf(folder, ["ZERO"]))[0]!.definition.type, "COUNTER")
})

test("line protocol: escapes, types, precision, headers", async (t) => {
  const text = [
    "# INFLUXDB EXPORT: 1677-09-21T00:12:43Z - 2262-04-11T23:47:16Z",
    "# DDL",
    "CREATE DATABASE telegraf WITH NAME autogen",
    "# DML",
    "# CONTEXT-DATABASE:_internal",
    `runtime,host=w Alloc=1i ${noonMs}000000`,
    "# CONTEXT-DATABASE:telegraf",
    "# CONTEXT-RETENTION-POLICY:autogen",
    String.raw`my\ disk,host=w,path=/a\,b used=12i,free=3u,ok=t,note="a, b=\" c" ` +
      `${noonMs}000000`,
    `load,host=w value=0.5 ${noonMs}999999`,
  ].join("\n")
  const { folder, counts } = await imported(t, "x.lp", text, { database: "telegraf" })
  assert.deepEqual([counts.stored, counts.noObservation], [4, 1])
  const found = await raw(folder)
  assert.deepEqual(found["w load"], [[0, 0.5]])
  const names = Object.keys(found).map((id) => id.replace(/\.[0-9a-f]{12}$/, ""))
  const disk = ["free", "ok", "used"].map((field) => `w my_disk_${field}.path-_a_b`)
  assert.deepEqual(names.sort(), ["w load", ...disk])
})

test("line protocol: a text may have several lines, and blanks are around any", async (t) => {
  const text = [
    `log,host=w message="a # b",level=1 ${noonMs}000000`,
    `log,host=w message="two`,
    `# lines, \\" and a quote",level=2 ${noonMs + 1}000000`,
    `  \t load,host=w  value=1   ${noonMs}000000  `,
    "   ",
    `load,host=w message="never closed,value=7 ${noonMs}000000`,
    `load,host=w value=2 ${noonMs + 1}000000`,
  ].join("\n")
  const { folder, counts, problems } = await imported(t, "x.lp", text, { skips: true })
  assert.deepEqual([counts.stored, counts.noObservation], [4, 2])
  assert.deepEqual(problems, ["x.lp:6: a quote is not closed"])
  assert.deepEqual(await raw(folder), {
    "w load": [
      [0, 1],
      [1, 2],
    ],
    "w log_level": [
      [0, 1],
      [1, 2],
    ],
  })
})

test("JSON lines: bare NaN and Infinity are no observations, and blanks are skipped", async (t) => {
  const sample = (after: number, val: string) =>
    `{"metricId":"m","timestamp":${noonMs + after},"val":${val}}`
  const text = [
    `{"id":"w","samples":[${sample(0, "NaN")},${sample(1, "1")}]}`,
    "  ",
    `[{"id":"w","samples":[${sample(2, "-Infinity")},${sample(3, "1e400")}]}]`,
  ].join("\n")
  const { folder, counts } = await imported(t, "x.jsonl", text)
  assert.deepEqual([counts.stored, counts.noObservation], [1, 3])
  assert.deepEqual(await raw(folder), { "w m": [[1, 1]] })
})

test("the unit of times in another one than that of the format is named", async (t) => {
  const f = async (name: string, text: string, want: RegExp) => {
    const { counts, timeHint } = await imported(t, name, text, { oldestMs: 0.9 * noonMs })
    assert.equal(counts.stored, 0, name)
    assert.match(timeHint ?? "", want)
  }
  const seconds = noonMs / 1000
  await f("x.lp", `load,host=w value=1 ${seconds}`, /in s: --precision s/)
  await f("dump.prom", `up{instance="w"} 1 ${seconds}`, /in seconds.*--format openmetrics/)
  await f("scrape.om", `up{instance="w"} 1 ${noonMs}`, /in milliseconds.*--format prometheus/)
})

for (const [precision, time] of [
  ["us", `${noonMs}000`],
  ["ms", String(noonMs)],
  ["s", String(noonMs / 1000)],
] as const) {
  test(`line protocol in ${precision}`, async (t) => {
    const { folder } = await imported(t, "x.lp", `load,host=w value=1 ${time}`, { precision })
    assert.deepEqual(await raw(folder), { "w load": [[0, 1]] })
  })
}

test("an equal sample of a set counts once, in a list as often as it is there", async (t) => {
  const line = `load,host=w value=1 ${noonMs}000000`
  const set = await imported(t, "x.lp", [line, line].join("\n"))
  assert.deepEqual(await raw(set.folder), { "w load": [[0, 1]] })
  const sample = `{"metricId":"load","timestamp":${noonMs},"val":1}`
  const list = await imported(t, "x.jsonl", `{"id":"w","samples":[${sample},${sample}]}`)
  assert.equal((await raw(list.folder))["w load"]!.length, 2)
})

const refusals: readonly (readonly [string, string, RegExp])[] = [
  ["a.prom", "up{instance", /^a.prom:1: the labels have no closing brace/],
  ["a.prom", 'up{instance="w"} 1', /^a.prom:1: expected a value and a time, got "1"/],
  ["a.prom", 'up{instance="w"} x 1', /^a.prom:1: value "x" is not a number/],
  ["a.prom", "up 1 1", /^a.prom:1: up: no label names an element/],
  ["a.lp", "load,host=w value=1", /^a.lp:1: the line has no time/],
  ["a.lp", "load,host=w value=1x 1", /^a.lp:1: field value: "1x" is no number/],
  ["a.lp", "load,host=w value=1 x", /^a.lp:1: time "x": expected a whole number of ns/],
  ["a.lp", 'load,host=w value="a 1', /^a.lp:1: a quote is not closed/],
  ["a.jsonl", "{", /^a.jsonl:1: no JSON/],
  [
    "a.jsonl",
    '{"id":"w","samples":[{"metricId":"m","timestamp":0,"val":true}]}',
    /val true is not/,
  ],
]
for (const [path, text, message] of refusals) {
  test(`${path}: ${text}`, async (t) => {
    await assert.rejects(imported(t, path, text), { code: "invalid", message })
  })
}
