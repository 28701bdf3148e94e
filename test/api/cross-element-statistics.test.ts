/**
 * Values across elements: /metrics/crosselementagg and /metrics/statistics/aggregate
 * (spec/statistics §6).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { dayMs } from "../../src/model/resolution.ts"
import { errorOf } from "../support/server/responses.ts"
import type { Client, QueryParams } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"

const nowMs = Date.now()
const cycleMs = 300_000
const dayStartMs = Math.floor(nowMs / dayMs) * dayMs - 2 * dayMs
const client = useAccount({ prepare })

/** Two values in the first cycle, one in the second; the third element has another metric too. */
async function prepare(ready: Client): Promise<void> {
  const tags = (env: string) => [{ name: "env", value: env }]
  const at = (cycle: number, val: number, seconds = 0, metricId = "cpu") => {
    const timestamp = dayStartMs + cycle * cycleMs + seconds * 1000
    return { metricId, timestamp, val }
  }
  const reply = await ready.ingest([
    {
      id: "web-1",
      type: "SERVER",
      tags: tags("prod"),
      samples: [at(0, 1), at(0, 3, 60), at(1, 10)],
    },
    { id: "web-2", type: "SERVER", tags: tags("test"), samples: [at(0, 4), at(2, 6)] },
    {
      id: "db-1",
      type: "DB",
      samples: [at(0, 7), at(0, 1, 0, "mem"), { ...at(1, 0), val: null, sum: 8, cnt: 4, max: 5 }],
    },
    { id: "db-2", type: "DB", samples: [{ metricId: "cpu", timestamp: nowMs - 60_000, val: 5 }] },
  ])
  assert.equal(reply.status, 202, reply.text)
}

const iso = (ms: number) => new Date(ms).toISOString()
const item = (text: string, more = {}) => ({ literal: true, contains: true, item: text, ...more })
const group = (...items: unknown[]) => ({ and: false, items })
const cpu = { metricFqns: group(item("cpu", { queryType: "EXACT" })) }
const day = { startDate: iso(dayStartMs), endDate: iso(dayStartMs + dayMs) }

interface Across {
  readonly metricFqn: string
  readonly rollup: string
  readonly aggregation: string
  readonly statistic: string
  readonly data: {
    readonly jobId: string
    readonly result: {
      readonly status: string
      readonly message: string
      readonly data: readonly { readonly timestamp: string; readonly value: number }[]
    }
  }
  readonly foundMetrics: number
  readonly aggregatedMetrics: number
}

async function across(params: QueryParams, body: object): Promise<Across> {
  const reply = await client().post("/metrics/crosselementagg", body, params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<Across>()
}

test("one value per bucket combines the buckets of all elements, oldest first", async () => {
  const f = async (aggregation: string, statistic: string, want: number[]) => {
    const { data, ...rest } = await across(
      { aggregation, statistic, rollup: "PT5M" },
      { ...cpu, ...day },
    )
    const about = `${aggregation} ${statistic}`
    const timestamps = want.map((_, cycle) => iso(dayStartMs + cycle * cycleMs))
    const { data: values } = data.result
    assert.deepEqual(
      values.map(({ timestamp }) => timestamp),
      timestamps,
      about,
    )
    for (const [i, { value }] of values.entries()) {
      assert.ok(Math.abs(value - want[i]!) < 1e-12, `${about}: ${value}, ${want[i]}`)
    }
    assert.deepEqual(rest, {
      metricFqn: "cpu",
      rollup: "PT5M",
      aggregation,
      statistic,
      foundMetrics: 4,
      aggregatedMetrics: 3,
    })
  }

  await f("sum", "actual", [13, 12, 6])
  await f("avg", "actual", [13 / 3, 6, 6])
  await f("cnt", "actual", [3, 2, 1])
  await f("min", "min", [1, 2, 6])
  await f("max", "max", [7, 10, 6])
  await f("sum", "cnt", [4, 5, 1])
  await f("sum", "sum", [15, 18, 6])
  await f("max", "avg", [7, 10, 6])
  await f("max", "val", [7, 10, 6])
  await f("stddev", "cnt", [Math.sqrt(1 / 3), Math.sqrt(4.5), 0])
})

test("coarser rollups give coarser buckets; ZERO gives the instants themselves", async () => {
  const f = async (rollup: QueryParams[string], statistic: string, want: [number, number][]) => {
    const params = { aggregation: "sum", statistic, rollup }
    const { data } = await across(params, { ...cpu, ...day })
    assert.deepEqual(
      data.result.data,
      want.map(([ms, value]) => ({ timestamp: iso(dayStartMs + ms), value })),
    )
  }

  await f("PT1H", "sum", [[0, 39]])
  await f("PT24H", "cnt", [[0, 10]])
  await f(["PT24H", "PT5M"], "max", [[0, 10 + 6 + 7]])
  const zero = (first: number, third: number): [number, number][] => [
    [0, first],
    [60_000, 3],
    [cycleMs, third],
    [2 * cycleMs, 6],
  ]
  await f("ZERO", "actual", zero(12, 12))
  await f("ZERO", "sum", zero(12, 18))
  await f("zero", "max", zero(12, 15))
  await f("ZERO", "cnt", [
    [0, 3],
    [60_000, 1],
    [cycleMs, 5],
    [2 * cycleMs, 1],
  ])
})

test("the query chooses the metrics, and without dates the window is the last hour", async () => {
  const values = async (body: object) => {
    const answer = await across({ aggregation: "max", statistic: "actual" }, body)
    return [answer.foundMetrics, answer.aggregatedMetrics, answer.data.result.data.length]
  }
  assert.deepEqual(await values({ ...cpu, ...day, elementTypes: group(item("SERVER")) }), [2, 2, 3])
  assert.deepEqual(await values(cpu), [4, 1, 1])
  assert.deepEqual(await values({ ...day, metricFqns: group(item("nobody")) }), [0, 0, 0])
  const excluded = { and: true, items: [item("cpu", { contains: false })] }
  const other = await across({}, { ...day, metricFqns: excluded })
  assert.deepEqual([other.foundMetrics, other.aggregation, other.statistic], [1, "avg", "actual"])
  const none = await across({}, { metricFqns: group(item("nobody")) })
  assert.equal(none.metricFqn, "nobody")
  assert.equal(none.data.result.status, "SUCCESS")
  assert.match(none.data.result.message, /^Job Completed in \d+\.\d{3}s$/)
  assert.match(none.data.jobId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
})

test("unflushed and compacted values count alike, also one that just arrived", async () => {
  const late = [
    { id: "web-2", samples: [{ metricId: "cpu", timestamp: dayStartMs + 200 * cycleMs, val: 2 }] },
  ]
  assert.equal((await client().ingest(late)).status, 202)
  const { data } = await across({ aggregation: "sum", statistic: "actual" }, { ...cpu, ...day })
  assert.equal(data.result.data.at(-1)?.value, 2)
})

interface Aggregate {
  readonly metricFqn: string
  readonly timeSpan: { readonly duration: Record<string, unknown> }
  readonly foundMetrics: number
  readonly aggregatedMetrics: number
  readonly statistics: Readonly<Record<string, number>> | null
}

const dayWindow = { startTime: dayStartMs, endTime: dayStartMs + 3 * cycleMs }

test("aggregate statistics are those of all the values together", async () => {
  const f = async (params: QueryParams, scope: unknown, want: number[]) => {
    const query = { fqn: "cpu", ...dayWindow, ...params }
    const reply = await client().post("/metrics/statistics/aggregate", scope, query)
    assert.equal(reply.status, 200, reply.text)
    const answer = reply.json<Aggregate>()
    const { count, sum, min, max, median } = answer.statistics ?? {}
    assert.deepEqual([answer.foundMetrics, count, sum, min, max, median], want)
  }

  await f({}, {}, [4, 6, 31, 2, 10, 5])
  await f({}, { types: ["SERVER"] }, [2, 4, 22, 2, 10, 5])
  await f({}, { elementScope: { types: "DB" } }, [2, 2, 9, 2, 7, 4.5])
  await f({}, { elementScopeWrapper: { ids: ["web-1"] } }, [1, 2, 12, 2, 10, 6])
  await f({}, { tags: [{ name: "env", value: "prod" }] }, [1, 2, 12, 2, 10, 6])
  await f({}, { tags: [{ name: "env" }] }, [2, 4, 22, 2, 10, 5])
  await f({}, { nameContains: "WEB", nameExcludes: "-2" }, [1, 2, 12, 2, 10, 6])
  await f({}, { fqnIncludes: ["db", "web-2"], fqnExcludes: ["db-1"] }, [2, 2, 10, 4, 6, 5])
  await f({ rollupInput: "ZERO" }, { types: ["SERVER"] }, [2, 5, 24, 1, 10, 4])
  await f({ rollupInput: "ZERO" }, { types: ["DB"] }, [2, 5, 15, 2, 7, 2])
  await f({ rollup: "PT1H" }, { types: ["SERVER"] }, [2, 2, 11, 5, 6, 5.5])
})

test("over one element they are its statistics, in every rollup, aggregates included", async () => {
  for (const rollup of ["ZERO", "PT5M", "PT1H", "PT24H"]) {
    const query = { fqn: "cpu", rollup, startTime: dayStartMs, endTime: dayStartMs + dayMs }
    const of = async (element: string) => {
      const pool = await client().post("/metrics/statistics/aggregate", { ids: [element] }, query)
      const each = await client().post("/metrics/statistics", [element], query)
      const { metrics } = each.json<{ metrics: readonly { statistics: unknown }[] }>()
      assert.deepEqual(pool.json<Aggregate>().statistics, metrics[0]!.statistics, pool.text)
    }
    await of("web-1")
    await of("db-1")
  }
})

test("a GET takes the scope as parameters; a body may name the window", async () => {
  const get = async (params: QueryParams) => {
    const reply = await client().get("/metrics/statistics/aggregate", params)
    assert.equal(reply.status, 200, reply.text)
    return reply.json<Aggregate>()
  }
  const query = { fqn: "cpu", ...dayWindow }
  assert.equal((await get({ ...query, types: "SERVER" })).statistics!["count"], 4)
  assert.equal((await get({ ...query, tags: '{"name":"env","value":"test"}' })).foundMetrics, 1)
  const none = await get({ ...query, fqn: "nobody" })
  assert.deepEqual([none.foundMetrics, none.aggregatedMetrics, none.statistics], [0, 0, null])
  const scope = { startTime: dayStartMs, endTime: iso(dayStartMs + cycleMs) }
  const body = await client().post("/metrics/statistics/aggregate", scope, { fqn: "cpu" })
  const { statistics, timeSpan } = body.json<Aggregate>()
  assert.deepEqual([statistics!["count"], timeSpan.duration["seconds"]], [3, 300])
})

test("invalid input is a 400 that names it", async () => {
  const f = async (path: string, params: QueryParams, body: unknown, want: RegExp) => {
    const reply = await client().post(path, body, params)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join("\n"), want)
  }
  const agg = "/metrics/crosselementagg"
  const pool = "/metrics/statistics/aggregate"

  await f(agg, { aggregation: "median" }, cpu, /aggregation.*avg, sum, cnt.*median/)
  await f(agg, { statistic: "middle" }, cpu, /statistic.*actual.*middle/)
  await f(agg, { rollup: "PT7M" }, cpu, /rollup.*PT5M.*PT7M/)
  await f(agg, {}, { startDate: "yesterday" }, /startDate.*yesterday/)
  await f(agg, {}, { startDate: "19700101", endDate: "20260101" }, /startDate.*buckets/)
  await f(agg, {}, [], /body/)
  await f(pool, {}, {}, /fqn/)
  await f(pool, { fqn: "cpu", rollupInput: "PT7M" }, {}, /rollupInput.*PT7M/)
  await f(pool, { fqn: "cpu", duration: "P15D" }, {}, /duration/)
  await f(pool, { fqn: "cpu" }, { types: { a: 1 } }, /types/)
  await f(pool, { fqn: "cpu" }, [], /body/)
})
