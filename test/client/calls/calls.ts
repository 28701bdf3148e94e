/**
 * Calls of a client whose types are generated from the running server's description: compiled
 * strictly, then run. Not part of the project's own compilation, since the test makes the types.
 */

import createClient from "openapi-fetch"
import type { components, paths } from "tidegauge-api"

export interface ServerAccess {
  readonly baseUrl: string
  readonly apiKey: string
  readonly authorization: string
}

type IsKnown<T> = 0 extends 1 & T
  ? false
  : unknown extends T
    ? false
    : [T] extends [never]
      ? false
      : true

/** Compiles for a value of a known type only: neither any, unknown nor never. */
function known<T>(value: T, ...problem: IsKnown<T> extends true ? [] : ["no known type"]): T {
  if (problem.length > 0) throw new Error(problem[0])
  return value
}

/** The data of an answer, which a test expects. */
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

/** Makes the calls in turn; gives what they answered, field by field. */
export async function makeCalls(server: ServerAccess): Promise<readonly unknown[]> {
  const { baseUrl, apiKey: apiId, authorization } = server
  const client = createClient<paths>({ baseUrl, headers: { Authorization: authorization } })
  const nowMs: number = known(dataOf(await client.GET("/time")).epochMillis)

  const samples = [{ metricId: "cpu.total", timestamp: nowMs - 1000, val: 41.5 }]
  const posted = await client.POST("/ingest/{apiId}", {
    params: {
      path: { apiId },
      header: { "X-Service-Api-Options": "SEND_RESPONSE_BODY" },
    },
    body: [{ id: "web-1", type: "SERVER", tags: [{ name: "env", value: "prod" }], samples }],
  })
  const detail: string = known(dataOf(posted).detail)

  const listed = dataOf(await client.GET("/elements", { params: { query: { type: ["SERVER"] } } }))
  const fqn: string | undefined = known(listed.elements[0]?.fqn)

  const found = await client.POST("/elements/search/elementQuery", {
    body: { elementTypes: { and: false, items: [{ item: "SERVER" }] }, pageSize: 5 },
  })
  const page = known(dataOf(found).page)
  const metric: components["schemas"]["ElementMetric"] | undefined = page.content[0]?.metrics?.[0]

  const path = { elementId: "web-1" }
  const { element } = dataOf(await client.GET("/elements/{elementId}", { params: { path } }))
  const tag: string | undefined = known(element.tags[0]?.value)

  const statistics = dataOf(
    await client.GET("/metrics/statistics", {
      params: { query: { fqn: "cpu.total", rollup: ["ZERO"], showValues: true } },
    }),
  )
  const max: number | undefined = known(statistics.metrics[0]?.statistics.max)
  const values: (number | null)[] | undefined = known(statistics.metrics[0]?.data)

  const read = await client.GET("/elements/{elementId}/metrics/{metricId}/samples", {
    params: { path: { ...path, metricId: "cpu.total" }, query: { rollup: ["ZERO"] } },
  })
  const sample = known(dataOf(read).samples[0])
  const val: number | null | undefined = known(sample?.data.val)

  const created = await client.POST("/policies", {
    body: {
      policy: {
        name: "Busy",
        conditions: [{ metric: "cpu.total", analytic: "actual", operator: ">", level: 90 }],
        actions: [{ type: "event", category: 2 }],
      },
    },
  })
  const { policy } = dataOf(created)
  const level: number | null | undefined = known(policy.conditions[0]?.level)

  const events = dataOf(
    await client.GET("/events", { params: { query: { category: ["WARNING"], duration: "PT1H" } } }),
  )
  const colors: string[] = known(events.events.map(({ category }) => category.color))

  const removed = await client.DELETE("/policies/{id}", { params: { path: { id: policy.id } } })
  const status: number = known(removed.response.status)

  const missing = await client.GET("/elements/{elementId}", {
    params: { path: { elementId: "nobody" } },
  })
  const errors: string[] | undefined = known(missing.error?.errors)

  const told = { detail, fqn, metric: metric?.fqn, total: page.totalElements, tag, max, values }
  return [{ ...told, val, rollup: sample?.rollup, level, colors, status, errors: errors?.length }]
}

/** Calls that the types refuse: each line is a compile error, otherwise the test fails. */
export async function refusedByTypes({ baseUrl }: ServerAccess): Promise<void> {
  const client = createClient<paths>({ baseUrl })
  // @ts-expect-error: no such resolution
  await client.GET("/metrics/statistics", { params: { query: { fqn: "a", rollup: ["PT6M"] } } })
  // @ts-expect-error: the name of the metric is required
  await client.GET("/metrics/statistics", { params: { query: { duration: "PT1H" } } })
  // @ts-expect-error: no such parameter
  await client.GET("/elements", { params: { query: { elementType: ["SERVER"] } } })
  // @ts-expect-error: no such path
  await client.GET("/elementz")
  // @ts-expect-error: a policy without a wrapper
  await client.POST("/policies", { body: { name: "Busy" } })
  const { data } = await client.GET("/time")
  // @ts-expect-error: no such field
  void data?.epochSeconds
}
