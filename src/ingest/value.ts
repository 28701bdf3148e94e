/**
 * What both paths share about one sample: which numbers are taken, and how they become a column
 * entry.
 */

import type { SampleColumns } from "../model/sample-columns.ts"
import { fieldCnt, fieldCount, fieldVal } from "../model/sample-columns.ts"
import { sampleMean } from "../rollup/contribution.ts"

/** More observations than this cannot be counted in a double. */
export const observationsMax = 2 ** 53

/** Characters of a number that is sent as a text; no measurement needs more. */
export const numericCharactersMax = 1024

/** The mask of a sample that is a plain value. */
export const plainMask = 1 << fieldVal

/** The six fields of one sample, and which of them were sent as finite numbers. */
export class SampleFields {
  mask = 0
  /** Fields that hold something that is no observation (left-out.ts). */
  unusableMask = 0
  readonly values = new Float64Array(fieldCount)

  set(field: number, value: number): void {
    // Adding 0 makes a plain zero of -0: two spellings of one value are one re-delivery
    // (spec/samples §1).
    this.values[field] = value + 0
    this.mask |= 1 << field
  }
}

/** True where the client's count of observations is one that can be counted with. */
export function hasUsableCount(fields: SampleFields): boolean {
  const cnt = fields.values[fieldCnt]!
  return (fields.mask & (1 << fieldCnt)) === 0 || (cnt >= 0 && cnt <= observationsMax)
}

/**
 * Adds a valid sample to `columns`: at least one field, all finite, a usable count. False, and
 * nothing added, where its mean is not finite.
 */
export function pushFields(
  columns: SampleColumns,
  series: number,
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
