/** The workload of a simulated service: a few metrics of every kind, and policies on each. */

import type { CycleSpan } from "../../src/model/closed-cycles.ts"
import type { Operator } from "../../src/model/records/policy.ts"
import type { SparseStrategy } from "../../src/model/sparse-strategy.ts"

export const tenantUuid = "6f1f7ed2-6b1d-4c3a-9c53-2f6b8ee1d001"
export const inactiveCycles = 84

export interface PlannedMetric {
  readonly fqn: string
  /** How its actual is made of the samples of a cycle. */
  readonly actual: "average" | "sum" | "counter"
  readonly sparse: SparseStrategy
}

/** Whether late samples and counters know how an actual is made. */
const hasDefinitions = true
const counter = hasDefinitions ? "counter" : "average"

/** The strategy of the last one and the sum are said by a configuration, the rest by collectors. */
export const metrics: readonly PlannedMetric[] = [
  { fqn: "load", actual: "average", sparse: "None" },
  { fqn: "requests", actual: hasDefinitions ? "sum" : "average", sparse: "None" },
  { fqn: "bytes", actual: counter, sparse: "None" },
  { fqn: "zero", actual: "average", sparse: "ReplaceWithZero" },
  { fqn: "low", actual: "average", sparse: "ReplaceWithHistoricalMin" },
  { fqn: "high", actual: "average", sparse: "ReplaceWithHistoricalMax" },
  { fqn: "ticks", actual: counter, sparse: "ReplaceWithHistoricalMax" },
  { fqn: "last", actual: "average", sparse: "ReplaceWithLast" },
]
export const computedFqn = "total"
export const percentFqn = "netuitive.metrics.collected.percent"

const meta = {
  type: "METRIC_META",
  metrics: [
    { match: "requests", properties: hasDefinitions ? { STATISTIC: "sum" } : {} },
    { match: "last", properties: { sparseDataStrategy: "ReplaceWithLast" } },
  ],
}
const computed = {
  type: "COMPUTED_METRIC",
  metrics: [
    {
      match: computedFqn,
      properties: { fqn: computedFqn, expressions: ["${load}.actual + ${zero}.actual"] },
    },
  ],
}
export const configurations = [meta, computed].map((analyticConfiguration, i) => ({
  id: String(i),
  document: { analyticConfiguration: { name: "simulated", scope: {}, ...analyticConfiguration } },
}))

export interface PlannedCondition {
  readonly metric?: string
  readonly wildcard?: string
  readonly operator: Operator
  readonly level?: number
  readonly metricThresholdLevel?: string
}

export interface PlannedPolicy {
  readonly name: string
  /** Seconds. */
  readonly duration: number
  readonly anyCondition: boolean
  readonly conditions: readonly PlannedCondition[]
}

export const policies: readonly PlannedPolicy[] = [
  policy("busy", 300, { metric: "load", operator: ">", level: 60 }),
  policy("quiet", 900, { metric: "zero", operator: "==", level: 0 }),
  policy("slow", 600, { metric: "bytes", operator: ">", level: 400 }),
  policy("few", 300, { metric: "requests", operator: "<", level: 60 }),
  policy("over", 300, { metric: "load", operator: ">", metricThresholdLevel: "high" }),
  policy("sum", 600, { metric: computedFqn, operator: ">=", level: 50 }),
  policy("gone", 600, { metric: percentFqn, operator: "<", level: 60 }),
  policy(
    "both",
    900,
    { metric: "load", operator: ">", level: 20 },
    { wildcard: "^(low|last)$", operator: "<=", level: 40 },
  ),
  {
    ...policy(
      "either",
      300,
      { metric: "ticks", operator: ">=", level: 90 },
      { metric: "last", operator: "!=", level: 50 },
    ),
    anyCondition: true,
  },
]

function policy(name: string, duration: number, ...conditions: PlannedCondition[]): PlannedPolicy {
  return { name, duration, anyCondition: false, conditions }
}

export interface SentSample {
  readonly element: string
  readonly metric: string
  readonly timeMs: number
  readonly val: number
}

export interface Closing {
  readonly cycle: number
  readonly elements: readonly string[]
  readonly closingMs: number
  readonly isMissed: boolean
  /** Cycles in which the service was not watched whole, this one included if it is one. */
  readonly unwatched: readonly CycleSpan[]
}

export interface FoundEvent {
  readonly id: string
  readonly policy: string
  readonly element: string
  readonly timeMs: number
  processedMs: number
}

export interface FoundIncident {
  readonly id: string
  readonly policy: string
  readonly element: string
  readonly timeMs: number
  lastFiredMs: number
  closedMs: number | null
  eventIds: readonly string[]
}

/** The filling by all actuals of a metric that were not filled, in order of their closings. */
export function fillingOf(
  { sparse }: PlannedMetric,
  actuals: readonly number[],
): number | undefined {
  if (sparse === "ReplaceWithZero") return 0
  if (sparse === "ReplaceWithLast") return actuals.at(-1)
  if (sparse === "ReplaceWithHistoricalMin") return Math.min(...actuals)
  return sparse === "ReplaceWithHistoricalMax" ? Math.max(...actuals) : undefined
}

/** The state of a metric that closings keep, for life. */
export interface Memory {
  isKnown: boolean
  readonly actuals: number[]
  lastCycle: number
}
