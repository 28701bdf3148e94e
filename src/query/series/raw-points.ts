/**
 * The newest raw samples of named series, for the streams that follow them (spec/status §2). The
 * hub of streams sends it and has validated its body; a series that does not exist has no points.
 */

import type { Span } from "../../model/span.ts"
import type { SeriesName } from "../../wire/series/series-query-body.ts"
import { defineQuery } from "../core/define-query.ts"
import { unflushedSpan } from "../core/window.ts"
import { readSeries } from "./series-reader.ts"

/** The body of the request. */
export interface RawPointsBody {
  readonly names: readonly SeriesName[]
  readonly span: Span
}

/** Times in epoch milliseconds and values, oldest first. */
export type RawPoints = readonly (readonly [timeMs: number, value: number])[]

/** Of each name, in their order. */
export type RawPointsAnswer = readonly RawPoints[]

export const rawPoints = defineQuery({
  kind: "rawPoints",
  parse: ({ body }) => body as RawPointsBody,
  plan({ ids, budget }, { names, span }, { tenant }) {
    const numbers = names.map(({ elementId, metricId }) => {
      budget.step()
      const element = ids.findElement(tenant, elementId)
      return element < 0 ? -1 : ids.findMetric(element, metricId)
    })
    const series = Int32Array.from(new Set(numbers.filter((one) => one >= 0)))
    return { series, span: unflushedSpan(span), query: { span, numbers } }
  },
  async answer(context, { plan, unflushed }) {
    const { span, numbers } = plan.query
    const points = new Map<number, RawPoints>()
    const read = { span, resolution: "ZERO", shiftMs: 0, unflushed, field: "actual" } as const
    await readSeries(context, plan.series, read, (one, { timesMs, values }) => {
      const times = Array.from(timesMs)
      points.set(
        one,
        times.map((timeMs, i) => [timeMs, values[i]!]),
      )
    })
    const answer: RawPointsAnswer = numbers.map((one) => points.get(one) ?? [])
    return JSON.stringify(answer)
  },
})
