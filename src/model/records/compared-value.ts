/** Numbers that a condition of a policy compared in a cycle. */

import type { Analytic, Operator } from "./policy.ts"

/** A value of one metric, and what it was compared with: a threshold, or the bounds of a band. */
export interface ComparedValue {
  readonly metricFqn: string
  /** The tag `unit` of the metric, otherwise as sent; empty without one. */
  readonly unit: string
  readonly analytic: Analytic
  readonly operator: Operator
  /** The value of the metric in the cycle; null if it has none. */
  readonly value: number | null
  /** The sudden change in percent, which is then compared; null for other analytics or without. */
  readonly changePercent: number | null
  /** Null for a band, and if the metric that gives the threshold has no value. */
  readonly threshold: number | null
  /** Null for a band. */
  readonly thresholdUnit: string | null
  /** Bounds of the band; null for a threshold, and if there is no band yet. */
  readonly lower: number | null
  readonly upper: number | null
}
