/** Reads back what the server found in the fleet. */

import { formatInstant } from "../../src/base/iso8601.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { DemoClient } from "./demo-client.ts"

export interface FoundEvent {
  readonly timestamp: string
  readonly elementName: string
  readonly category: { readonly name: string }
  readonly policy: { readonly name: string } | null
}

export interface FoundIncident {
  readonly policyId: string
  readonly elementName: string
  readonly tsFirstFired: string
  readonly tsLastFired: string
  readonly tsClosed: string | null
}

/** A five-minute record of a metric. */
export interface FoundRecord {
  readonly timeMs: number
  readonly data: Readonly<Partial<Record<string, number>>>
}

/** Incidents that one answer may hold. */
const incidentsMax = 1_000

export async function eventsOf(client: DemoClient, span: Span): Promise<readonly FoundEvent[]> {
  const answer = await client.ask(`/events?${windowOf(span)}`)
  return (answer as { events: FoundEvent[] }).events
}

/** Those that first fired within the span. */
export async function incidentsOf(
  client: DemoClient,
  { startMs, endMs }: Span,
): Promise<readonly FoundIncident[]> {
  const answer = await client.ask(`/incidents?endDate=${endMs}&limit=${incidentsMax}`)
  const { incidents } = answer as { incidents: FoundIncident[] }
  return incidents.filter(({ tsFirstFired }) => Date.parse(tsFirstFired) >= startMs)
}

export async function recordsOf(
  client: DemoClient,
  { element, metric, span }: { element: string; metric: string; span: Span },
): Promise<readonly FoundRecord[]> {
  const path = `/elements/${encodeURIComponent(element)}/metrics/${encodeURIComponent(metric)}`
  const answer = await client.ask(`${path}/samples?rollup=PT5M&${windowOf(span)}`)
  const { samples } = answer as {
    samples: { timestamp: string; data: FoundRecord["data"] }[]
  }
  return samples.map(({ timestamp, data }) => ({ timeMs: Date.parse(timestamp), data }))
}

/** Computed by the server for each element in each cycle that it closes. */
export const closedMark = "netuitive.metrics.collected.percent"

/** Whether a cycle was closed, according to its last element. */
export async function isClosed(
  client: DemoClient,
  { element, cycle }: { readonly element: string; readonly cycle: number },
): Promise<boolean> {
  const span = { startMs: cycle * cycleMs, endMs: (cycle + 1) * cycleMs }
  return (await recordsOf(client, { element, metric: closedMark, span })).length > 0
}

function windowOf({ startMs, endMs }: Span): string {
  const [startTime, endTime] = [formatInstant(startMs), formatInstant(endMs)]
  return String(new URLSearchParams({ startTime, endTime }))
}
