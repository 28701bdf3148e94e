/** Numbers that a condition of a policy compared (spec/events §6). */

import * as v from "valibot"

const missing = v.nullable(v.number())

export const comparedSchema = v.object({
  metricFqn: v.string(),
  unit: v.string(),
  analytic: v.string(),
  operator: v.string(),
  value: missing,
  /** Of a sudden change, which is then compared instead of the value. */
  changePercent: missing,
  threshold: missing,
  thresholdUnit: v.nullable(v.string()),
  lower: missing,
  upper: missing,
})
export type ComparedNumbers = v.InferOutput<typeof comparedSchema>
