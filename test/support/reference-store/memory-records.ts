/** Samples and cells as the records that a query returns. */

import { sampleFields } from "../../../src/model/sample-batch.ts"
import {
  cellAverage,
  clampedActual,
  flagGapFill,
  hasActual,
  type CellColumns,
} from "../../../src/rollup/cell.ts"
import type { BucketField, SampleRecord } from "../../../src/store/query-store.ts"
import type { RawSample } from "./memory-series.ts"

/** A bucket's cell and its start. */
export interface PlacedCell {
  readonly timeMs: number
  readonly cell: CellColumns
}

export function recordOfSample({ timeMs, value, mask, fields }: RawSample): SampleRecord {
  if (mask === 0) return { timeMs, fields: { val: value } }
  const sent = sampleFields.flatMap((field, f) =>
    (mask >> f) & 1 ? [[field, fields[f]!] as const] : [],
  )
  return { timeMs, fields: Object.fromEntries(sent) }
}

/** Of a cell that has it: an actual, or observations. */
export function fieldOfCell(cell: CellColumns, field: BucketField): number {
  if (field === "cnt") return cell.count[0]!
  return field === "avg" ? cellAverage(cell, 0) : cell[field][0]!
}

export function recordOfCell({ timeMs, cell }: PlacedCell): SampleRecord {
  const cnt = cell.count[0]!
  const actual = hasActual(cell, 0) ? { actual: clampedActual(cell, 0) } : {}
  if (cnt === 0) {
    const isSparse = (cell.flags[0]! & flagGapFill) !== 0
    return { timeMs, fields: { ...actual, cnt, ...(isSparse && { sparseValue: cell.actual[0]! }) } }
  }
  const sum = cell.sum[0]!
  const rest = { avg: cellAverage(cell, 0), min: cell.min[0]!, max: cell.max[0]!, cnt, sum }
  return { timeMs, fields: { ...actual, ...rest } }
}
