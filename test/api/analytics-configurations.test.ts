/** Effects of a package's analytic configurations on metrics, cycle by cycle. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { samples, type SampleAnswer } from "../support/server/responses.ts"
import { boundary, formWith, packageArchive } from "../support/packages/package-files.ts"
import { useServer } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const startMs = Date.UTC(2026, 10, 18, 12)
/** A cycle lasts half a second. */
const client = useServer({
  flags: ["--clock", "2026-11-18T12:00:00Z,x600", "--cycle-grace", "PT1S"],
})

const file = (type: string, metrics: readonly object[]): object => {
  const scope = { elementType: "SERVER" }
  return { analyticConfiguration: { type, name: type, scope, metrics } }
}
const entry = (match: string, properties: object): object => ({ match, properties })

const analyticConfigurations = {
  "meta.json": file("METRIC_META", [
    entry("^cpu", { tags: { unit: "percent" }, validMin: 0, validMax: 100 }),
    entry("requests$", { statistic: "sum", tags: { unit: "req" } }),
    entry("^bytes$", { type: "COUNTER" }),
    entry("heartbeat", { sparseDataStrategy: "ReplaceWithZero" }),
    entry("^load[.]doubled$", {
      tags: { unit: "x" },
      sparseDataStrategy: "ReplaceWithZero",
    }),
  ]),
  "ace.json": file("ACE", [entry("requests", { baseline: false, correlation: false })]),
  "computed.json": file("COMPUTED_METRIC", [
    entry("load.doubled", {
      fqn: "load.doubled",
      name: "Load",
      expressions: ["2 * ${cpu.total}.actual"],
    }),
  ]),
}

/** Two samples of each metric a request, at the server's time. */
async function post(id: string, ...metricIds: readonly string[]): Promise<void> {
  const list = metricIds.flatMap((metricId) => [10, 30].map((val) => ({ metricId, val })))
  const body = [{ id, type: "SERVER", samples: list }]
  const reply = await client().ingest(body, { "x-netuitive-api-options": "INJECT_TIMESTAMP" })
  assert.equal(reply.status, 202, reply.text)
}

const metricIds = ["cpu.total", "app.requests", "bytes", "other"]

interface Meta {
  readonly fqn: string
  readonly configuration: Readonly<Record<string, unknown>>
  readonly state: Readonly<Record<string, unknown>>
}

async function metaOf(fqn: string): Promise<Meta | undefined> {
  const reply = await client().get("/elements/known/metrics")
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ metricMeta: Meta[] }>().metricMeta.find((one) => one.fqn === fqn)
}

async function unitOf(fqn: string): Promise<string | undefined> {
  const reply = await client().get("/elements/known")
  const { metrics } = reply.json<{
    element: { metrics: { fqn: string; serviceTags: Record<string, string> }[] }
  }>().element
  return metrics.find((one) => one.fqn === fqn)?.serviceTags["unit"]
}

async function valuesOf(fqn: string): Promise<readonly SampleAnswer[]> {
  if ((await metaOf(fqn)) === undefined) return []
  const of = { element: "known", metric: fqn }
  const window = { startTime: startMs, endTime: startMs + 6 * 3_600_000, rollup: "PT5M" }
  return samples(client(), of, window)
}

/** Data go on coming as the cycles do. */
async function untilPosting(isTrue: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (await isTrue()) return true
    await post("known", ...metricIds)
    return false
  })
}

test("a package's configurations take effect on known metrics, and go with it", async () => {
  await post("known", ...metricIds, "heartbeat")
  assert.equal(await unitOf("cpu.total"), undefined)
  const archive = await packageArchive({ id: "story.effects", analyticConfigurations })
  const installed = await client().send("/packages/install", {
    method: "POST",
    headers: {
      authorization: client().authorization,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    body: formWith(archive),
  })
  assert.equal(installed.status, 200, installed.text)
  const { id } = installed.json<{ package: { id: string } }>().package

  await untilPosting(async () => (await unitOf("cpu.total")) === "percent")
  const cpu = (await metaOf("cpu.total"))!
  assert.deepEqual([cpu.configuration["validmin"], cpu.configuration["validmax"]], [0, 100])
  assert.deepEqual([cpu.state["baselined"], cpu.state["correlated"]], [true, true])
  const requests = (await metaOf("app.requests"))!
  assert.deepEqual([requests.state["baselined"], requests.state["correlated"]], [false, false])
  const heartbeat = (await metaOf("heartbeat"))!
  assert.equal(heartbeat.configuration["sparsedatastrategy"], "ReplaceWithZero")
  assert.equal(await unitOf("other"), undefined)

  // Its gap is filled if it cannot be computed, and it is computed again as soon as it can be.
  await untilPosting(async () => {
    const actuals = (await valuesOf("load.doubled")).map(({ data }) => data["actual"])
    assert.ok(actuals.every((actual) => actual === 40 || actual === 0))
    return actuals.filter((actual) => actual === 40).length >= 2
  })
  const last = async (fqn: string) => (await valuesOf(fqn)).at(-1)!.data
  const lastActual = async (fqn: string) => (await last(fqn))["actual"]
  // 40 a post; a slow machine gets more than one of them into a cycle.
  const requested = await last("app.requests")
  assert.equal(requested["actual"], requested["sum"])
  assert.ok(requested["sum"]! >= 40)
  assert.notEqual(await lastActual("bytes"), 20)
  assert.equal(await lastActual("heartbeat"), 0)
  assert.equal(await unitOf("load.doubled"), "x")
  await post("late", "cpu.total")
  const late = (await client().get("/elements/late/metrics")).json<{ metricMeta: Meta[] }>()
  assert.equal(late.metricMeta[0]!.configuration["validmax"], 100)

  const removed = await client().send(`/packages/${id}`, {
    method: "DELETE",
    headers: { authorization: client().authorization },
  })
  assert.equal(removed.status, 204)
  await untilPosting(async () => (await unitOf("cpu.total")) === undefined)
  const after = (await metaOf("cpu.total"))!
  assert.deepEqual([after.configuration["validmin"], after.configuration["validmax"]], [null, null])
  const computed = async () =>
    (await valuesOf("load.doubled")).filter(({ data }) => data["actual"] === 40).length
  const before = await computed()
  const cycles = (await valuesOf("cpu.total")).length
  await untilPosting(async () => (await valuesOf("cpu.total")).length > cycles + 1)
  // The cycle that was closing then may still have it.
  assert.ok((await computed()) <= before + 1)
})
