/**
 * The samples of a load: elements × metrics × minutes, one sample a minute, the same from one seed
 * however they are cut into requests and whichever server they are written for.
 */

import { randomFrom, streams } from "../parts/populations.ts"

export interface LoadMetric {
  readonly fqn: string
  readonly unit: string
  readonly isCounter: boolean
  readonly stream: keyof typeof streams
}

export interface WorkloadShape {
  readonly elements: number
  readonly metrics: number
  readonly minutes: number
  /** Epoch milliseconds of the first sample. */
  readonly startMs: number
  /** Index of the first element; other indexes are other elements. */
  readonly firstElement?: number
}

export interface Workload extends WorkloadShape {
  readonly elementIds: readonly string[]
  readonly metricList: readonly LoadMetric[]
  timeMs(minute: number): number
  value(minute: number, element: number, metric: number): number
}

/** A cut of a workload, in half-open ranges: what one request carries. */
export interface Cut {
  readonly elementFrom: number
  readonly elementTo: number
  readonly minuteFrom: number
  readonly minuteTo: number
}

const minuteMs = 60_000
const seed = 20_240_229

/** Metrics of a host: a group, its unit, the stream of its values, its members. */
const groups: readonly (readonly [string, string, keyof typeof streams, string])[] = [
  ["system.cpu", "percent", "gauge", "user system iowait idle steal nice"],
  ["system.load", "short", "noise", "1m 5m 15m"],
  ["system.memory", "bytes", "pages", "used free cached buffers swapped"],
  ["system.disk.read", "short", "counter", "bytes operations"],
  ["system.disk.write", "short", "counter", "bytes operations"],
  ["system.disk", "ms", "latency", "await service"],
  ["system.network.received", "short", "counter", "bytes packets errors drops"],
  ["system.network.sent", "short", "counter", "bytes packets errors drops"],
  ["system.tcp", "short", "gauge", "established waiting listening"],
  ["system.processes", "short", "gauge", "running blocked total"],
  ["app.http", "short", "counter", "requests errors redirects"],
  ["app.http.latency", "ms", "latency", "mean p95 p99"],
  ["app.queue", "short", "noise", "depth oldest consumers"],
  ["app.database", "ms", "tail", "latency lockwait"],
  ["app.heap", "bytes", "pages", "used committed"],
  ["app.threads", "short", "constant", "active daemon limit"],
]

export const metricsMax = 50
export const loadMetrics: readonly LoadMetric[] = groups.flatMap(([group, unit, stream, members]) =>
  members.split(" ").map((member) => {
    return { fqn: `${group}.${member}`, unit, isCounter: stream === "counter", stream }
  }),
)

/** Computes all values in advance: 8 bytes a sample. */
export function createWorkload(shape: WorkloadShape): Workload {
  const { elements, metrics, minutes, startMs, firstElement = 0 } = shape
  if (metrics > loadMetrics.length)
    throw new Error(`Expected at most ${loadMetrics.length} metrics`)
  const values = new Float64Array(elements * metrics * minutes)
  const metricList = loadMetrics.slice(0, metrics)
  for (let element = 0; element < elements; element++) {
    for (let metric = 0; metric < metrics; metric++) {
      const random = randomFrom(mixed(firstElement + element, metric))
      const next = streams[metricList[metric]!.stream](random) as (minute: number) => number
      const at = element * metrics + metric
      for (let minute = 0; minute < minutes; minute++) {
        values[minute * elements * metrics + at] = next(minute)
      }
    }
  }
  return {
    ...shape,
    metricList,
    elementIds: Array.from({ length: elements }, (_, i) => elementId(firstElement + i)),
    timeMs: (minute) => startMs + minute * minuteMs,
    value: (minute, element, metric) => values[(minute * elements + element) * metrics + metric]!,
  }
}

function elementId(index: number): string {
  return `srv-${String(index).padStart(6, "0")}`
}

function mixed(element: number, metric: number): number {
  return Math.imul(seed ^ Math.imul(element + 1, 0x9e3779b1), 0x85ebca6b) ^ (metric * 0x27d4eb2f)
}

/** Cuts in order of arrival: time first, then elements. */
export function cutWorkload(
  workload: WorkloadShape,
  size: { readonly elements: number; readonly minutes: number },
): Cut[] {
  const cuts: Cut[] = []
  for (let minute = 0; minute < workload.minutes; minute += size.minutes) {
    for (let element = 0; element < workload.elements; element += size.elements) {
      cuts.push({
        elementFrom: element,
        elementTo: Math.min(workload.elements, element + size.elements),
        minuteFrom: minute,
        minuteTo: Math.min(workload.minutes, minute + size.minutes),
      })
    }
  }
  return cuts
}

export function samplesOfCut(workload: WorkloadShape, cut: Cut): number {
  return (cut.elementTo - cut.elementFrom) * (cut.minuteTo - cut.minuteFrom) * workload.metrics
}
