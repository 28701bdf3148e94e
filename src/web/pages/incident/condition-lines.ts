/** The line of a metric in the result of a query. */

import type { SeriesResult } from "../../api/series-answer.ts"
import type { BandKind, ChartLine } from "../../chart/model.ts"
import { isWide } from "../explore/lines.ts"

/** Null if the result has no value of it. */
export function metricLine(
  result: SeriesResult,
  metricFqn: string,
  { tone, bands }: { readonly tone: number; readonly bands: readonly BandKind[] },
): ChartLine | null {
  const found = result.series.find((line) => line.metricFqn === metricFqn)
  if (found === undefined) return null
  const { values, unit, summary } = found
  const { actual = [], low, high } = values
  const isEnvelope = low !== undefined && high !== undefined
  return {
    id: metricFqn,
    series: null,
    name: metricFqn,
    unit,
    columns: result.columns,
    values: actual,
    envelope: isEnvelope && isWide(result.columns.step, result.rollup) ? { low, high } : null,
    bands: bands.flatMap((kind) => {
      const [lower, upper] = [values[`${kind}Lower`], values[`${kind}Upper`]]
      return lower === undefined || upper === undefined ? [] : [{ kind, lower, upper }]
    }),
    percentiles: {},
    summary,
    tone,
  }
}
