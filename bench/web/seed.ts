/** The data behind the measured pages. */

import { Connection, postRequest } from "../load/connection.ts"
import type { Server } from "../load/server.ts"

export interface Seed {
  readonly elements: number
  readonly metricsPerElement: number
}

/** The metric with a past, which charts show, and how many elements have it at most. */
export const chartMetric = "cpu.total"
export const chartSeriesMax = 1_000
/** A day in five minutes each. */
const chartColumns = 288

const minuteMs = 60_000
const elementsPerPost = 10
const connections = 4

/** Throws if a post is refused. */
export async function seed(server: Server, { elements, metricsPerElement }: Seed): Promise<void> {
  const nowMs = Date.now()
  let next = 0
  const send = async (): Promise<void> => {
    const connection = await Connection.open(server.launch.target.port)
    while (next < elements) {
      const from = next
      next += elementsPerPost
      const length = Math.min(elementsPerPost, elements - from)
      const body = Array.from({ length }, (_, i) => elementOf(from + i, metricsPerElement, nowMs))
      const request = postRequest(server.launch.target, JSON.stringify(body))
      const { status, body: text } = await connection.send(request)
      if (status !== 202) throw new Error(`${status} ${text.slice(0, 300)}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, send))
}

function elementOf(index: number, metrics: number, nowMs: number): object {
  const id = `host-${String(index).padStart(5, "0")}`
  const current = Array.from({ length: metrics - 1 }, (_, i) => ({
    metricId: `group-${i % 5}.metric-${i}`,
    timestamp: nowMs,
    val: (index * 7 + i * 13) % 100,
  }))
  const tags = [{ name: "site", value: `s${index % 20}` }]
  const type = index % 3 === 0 ? "CONTAINER" : "SERVER"
  return { id, name: id, type, tags, samples: [...current, ...pastOf(index, nowMs)] }
}

/** A sample in each column of a day for elements in a chart, one for others. */
function pastOf(index: number, nowMs: number) {
  const columns = index < chartSeriesMax ? chartColumns : 1
  return Array.from({ length: columns }, (_, i) => ({
    metricId: chartMetric,
    timestamp: nowMs - i * 5 * minuteMs,
    val: Math.round(100 * (50 + 40 * Math.sin(i / 20 + index) + (i % 7))) / 100,
  }))
}
