/** Values of a line over a longer time than is shown, joined from several answers. */

import type { SeriesColumns } from "../../../api/series-answer.ts"
import type { Values } from "../../../chart/model.ts"
import type { TimeRange } from "../../../url/time-range.ts"

export interface KnownColumns {
  readonly columns: SeriesColumns
  readonly values: Values
}

/**
 * Both over the union of their columns, `next` where both have one; what lies between is a gap.
 * Columns of another width, or not on the grid of `next`, are dropped.
 */
export function joinedColumns(known: KnownColumns | undefined, next: KnownColumns): KnownColumns {
  const { start, step, count } = next.columns
  if (known === undefined || known.columns.count === 0) return next
  if (count === 0) return known
  const [own, ownStep] = [known.columns.start, known.columns.step]
  if (ownStep !== step || (own - start) % step !== 0) return next
  const first = Math.min(own, start)
  const end = Math.max(own + known.columns.count * step, start + count * step)
  const columns = { start: first, step, count: (end - first) / step }
  const values = Array.from({ length: columns.count }, (): number | null => null)
  for (const one of [known, next]) {
    const offset = (one.columns.start - first) / step
    for (let i = 0; i < one.columns.count; i++) values[offset + i] = one.values[i] ?? null
  }
  return { columns, values }
}

/** The columns that begin within a range. */
export function columnsWithin({ columns, values }: KnownColumns, range: TimeRange): KnownColumns {
  const { start, step, count } = columns
  const first = Math.min(count, Math.max(0, Math.ceil((range.startMs - start) / step)))
  const end = Math.min(count, Math.max(first, Math.floor((range.endMs - start) / step) + 1))
  if (first === 0 && end === count) return { columns, values }
  const kept = { start: start + first * step, step, count: end - first }
  return { columns: kept, values: values.slice(first, end) }
}
