/**
 * The metrics of the fleet's servers: the eight that its policies or findings speak of come first.
 */

import { demoMetrics } from "./demo-metrics.ts"

/**
 * `gauge` varies about a level, `counter` only grows until its process restarts, `heartbeat` is 1
 * while the process lives, `rare` is sent only in cycles in which something happened.
 */
export type FleetKind = "gauge" | "counter" | "heartbeat" | "rare"

export interface FleetMetric {
  readonly id: string
  readonly unit: string
  readonly kind: FleetKind
  /** Value at rest; of a counter its increase in a cycle. */
  readonly base: number
  /** The increase of the busiest hour, and the random variation, as parts of `base`. */
  readonly daily: number
  readonly noise: number
  readonly max: number
}

export const cpu = "cpu.total.utilization"
export const latency = "http.latency.average"
export const requests = "http.requests.total"
export const errors = "http.errors.total"
export const heartbeat = "process.heartbeat"
export const jobsFailed = "jobs.failed"

const needed: readonly FleetMetric[] = [
  metric(cpu, "percent", { base: 22, daily: 1.2, noise: 0.1, max: 100 }),
  metric(latency, "milliseconds", { base: 40, daily: 0.5, noise: 0.2 }),
  metric(requests, "requests", { kind: "counter", base: 18_000, daily: 1.5, noise: 0.1 }),
  metric(errors, "errors", { kind: "counter", base: 12, daily: 1, noise: 0.5 }),
  metric(heartbeat, "", { kind: "heartbeat", base: 1 }),
  metric(jobsFailed, "jobs", { kind: "rare", base: 1 }),
  metric("memory.utilization", "percent", { base: 48, daily: 0.2, noise: 0.02, max: 100 }),
  metric("queue.depth", "messages", { base: 12, daily: 2, noise: 0.4 }),
]

const neededIds = new Set(needed.map(({ id }) => id))

const others = demoMetrics
  .filter(({ id, kind }) => kind === "gauge" && !neededIds.has(id))
  .map(({ id, unit, base, daily, noise, max }): FleetMetric =>
    metric(id, unit, { base, daily, noise, max }),
  )

/** A fleet may have fewer, from the first on. */
export const fleetMetrics: readonly FleetMetric[] = [...needed, ...others].slice(0, 25)
export const fleetMetricsMin = needed.length

function metric(
  id: string,
  unit: string,
  motion: Partial<FleetMetric> & { readonly base: number },
): FleetMetric {
  return { id, unit, kind: "gauge", daily: 0, noise: 0, max: Infinity, ...motion }
}
