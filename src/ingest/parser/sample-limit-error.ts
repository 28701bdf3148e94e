/** Refusal of a body with more samples of a series than the store can handle. */

import { formatInstant } from "../../base/iso8601.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { ParseDeps, Refusal } from "./outcome.ts"

/**
 * Returns `undefined` if the samples from `firstSample` on are within the limit. Samples of a past
 * cycle are refused permanently; otherwise a retry succeeds in the next cycle.
 */
export function sampleLimitRefusal(
  { checkSampleLimit, catalogue, columns, request }: ParseDeps,
  firstSample: number,
): Refusal | undefined {
  const found = checkSampleLimit?.(columns, firstSample) ?? null
  if (found === null) return undefined
  const { series, cycle, samplesMax } = found
  const element = catalogue.elementFqn(catalogue.seriesElement(series))
  const metric = catalogue.name(catalogue.seriesName(series)).fqn
  const problem =
    `Metric "${metric}" of element "${element}" has had the ${samplesMax} samples that it may ` +
    `have of the five minutes from ${formatInstant(cycle * cycleMs)}, as too many came of ` +
    `"${metric}" in these six hours; other metrics are still accepted`
  const waitMs = (cycle + 1) * cycleMs - request.nowMs
  const retry = waitMs > 0 ? { retryAfterSeconds: Math.ceil(waitMs / 1000) } : {}
  return { detail: "Sample Limit Exceeded", errors: [problem], ...retry }
}
