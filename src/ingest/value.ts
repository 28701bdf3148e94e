/** Rules about the values of one sample that the scanner and the reference parser share. */

import type { SeriesIndex } from "../model/ids.ts"
import type { SampleBatchBuilder } from "../model/sample-batch.ts"
import { fieldCnt, fieldCount, fieldVal } from "../model/sample-batch.ts"
import { sampleMean } from "../rollup/contribution.ts"

/** A double cannot count more observations. */
const observationsMax = 2 ** 53

/** Length of a number sent as a string; no measurement needs more. */
export const numericCharactersMax = 1024

/** The mask of a sample with `val` only. */
export const plainMask = 1 << fieldVal

/** The six fields of one sample, and which of them were sent as finite numbers. */
export class SampleFields {
  mask = 0
  /** Fields sent with a value that is no observation (left-out.ts). */
  unusableMask = 0
  readonly values = new Float64Array(fieldCount)

  set(field: number, value: number): void {
    // Adding 0 turns -0 into 0: both spellings of one value count as the same delivery
    // (spec/samples §1).
    this.values[field] = value + 0
    this.mask |= 1 << field
  }
}

/** True if the client's observation count is absent or within the countable range. */
export function hasUsableCount(fields: SampleFields): boolean {
  const cnt = fields.values[fieldCnt]!
  return (fields.mask & (1 << fieldCnt)) === 0 || (cnt >= 0 && cnt <= observationsMax)
}

/**
 * Adds a valid sample to `columns`: at least one field, all finite, a usable count. Returns false,
 * and adds nothing, if its mean is not finite.
 */
export function pushFields(
  columns: SampleBatchBuilder,
  series: SeriesIndex,
  timeMs: number,
  fields: SampleFields,
): boolean {
  if (fields.mask === plainMask) {
    columns.push(series, timeMs, fields.values[fieldVal]!)
    return true
  }
  const mean = sampleMean(fields.mask, fields.values)
  if (!Number.isFinite(mean)) return false
  columns.pushAggregate(series, timeMs, mean, fields.mask, fields.values)
  return true
}
