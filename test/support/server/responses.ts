/** Parts of answers that tests read, and short ways to read them. */

import assert from "node:assert/strict"
import type { Client, QueryParams } from "./client.ts"

export interface ErrorAnswer {
  readonly status: number
  readonly message: string
  readonly detail: string
  readonly errors: readonly string[]
  readonly serverTimestamp: number
  readonly iso8601DateTime: string
  readonly requestId: string
}

export interface MetricStatistics {
  readonly elementId: string
  readonly metricId: string
  readonly statistics: Readonly<Record<string, number>>
  readonly data?: readonly number[]
  readonly timestamps?: readonly string[]
}

export interface StatisticsAnswer {
  readonly metricFqn: string
  readonly timeSpan: {
    readonly startTime: string
    readonly endTime: string
    readonly duration: Readonly<Record<string, unknown>>
  }
  readonly metrics: readonly MetricStatistics[]
}

export interface SampleAnswer {
  readonly metricId: string
  readonly timestamp: string
  readonly rollup: string
  readonly data: Readonly<Record<string, number>>
}

export interface ElementAnswer {
  readonly id: string
  readonly fqn: string
  readonly name: string
  readonly type: string
  readonly location: string
  readonly tags: readonly { readonly name: string; readonly value: string }[]
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  readonly metrics: readonly MetricAnswer[]
  readonly serviceTags: unknown
  readonly netuitiveTags: unknown
}

export interface MetricAnswer {
  readonly id: string
  readonly elementId: string
  readonly fqn: string
  readonly unit: string
  readonly [field: string]: unknown
}

/** Asks for statistics; expects a 200. */
export async function statistics(client: Client, params: QueryParams): Promise<StatisticsAnswer> {
  const reply = await client.get("/metrics/statistics", params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<StatisticsAnswer>()
}

/** The samples of one metric; expects a 200. */
export async function samples(
  client: Client,
  of: { readonly element: string; readonly metric: string },
  params: QueryParams,
): Promise<readonly SampleAnswer[]> {
  const path = `/elements/${of.element}/metrics/${of.metric}/samples`
  const reply = await client.get(path, params)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ samples: SampleAnswer[] }>().samples
}

/** An element by its id or FQN; null if the server answers 404. */
export async function element(client: Client, id: string): Promise<ElementAnswer | null> {
  const reply = await client.get(`/elements/${id}`)
  if (reply.status === 404) return null
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ element: ElementAnswer }>().element
}

/** Checks the one shape of all errors (spec/accounts §4) and gives it. */
export function errorOf(reply: {
  readonly status: number
  readonly text: string
  json<T>(): T
}): ErrorAnswer {
  const body = reply.json<ErrorAnswer>()
  assert.equal(body.status, reply.status, reply.text)
  assert.equal(typeof body.message, "string")
  assert.equal(typeof body.detail, "string")
  assert.ok(body.errors.length > 0, reply.text)
  for (const one of body.errors) assert.equal(typeof one, "string")
  assert.equal(new Date(body.serverTimestamp).toISOString(), body.iso8601DateTime)
  assert.match(body.requestId, /^[\w.:=+/@~-]{1,128}$/)
  return body
}
