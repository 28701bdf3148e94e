/** Values and times of rows as files have them. */

import { invalid } from "../../base/errors.ts"
import { parseInstant } from "../../base/iso8601.ts"
import { fieldCnt, fieldVal, sampleFields, type SampleField } from "../../model/sample-batch.ts"
import { isStillUsable } from "../../ingest/left-out.ts"
import { hasUsableCount, SampleFields } from "../../ingest/value.ts"
import { quotedValue } from "./problems.ts"

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const notFinite = /^[+-]?(?:nan|inf(?:inity)?)$/i

/** A number; NaN for text that means none or an infinite one. Throws `invalid` for other text. */
export function numberOf(text: string, field: string): number {
  if (numberText.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : NaN
  }
  if (notFinite.test(text)) return NaN
  throw invalid(`${field} ${quotedValue(text)} is not a number`)
}

/** Epoch milliseconds of a number, or of a text in one of ingest's forms (spec/time §2). */
export function instantOf(value: unknown): number {
  const timeMs =
    typeof value === "number" && Number.isFinite(value)
      ? Math.floor(value)
      : typeof value === "string"
        ? parseInstant(value)
        : undefined
  if (timeMs !== undefined) return timeMs
  const forms = "expected epoch milliseconds or ISO 8601 with Z or ±hh:mm"
  throw invalid(`timestamp ${quotedValue(value)}: ${forms}`)
}

/** Index of each of the six values of a sample by its name. */
export const fieldIndex: ReadonlyMap<string, number> = new Map(
  sampleFields.map((name: SampleField, index) => [name, index]),
)

/** Fills `fields` from the values of one row. */
export class RowFields extends SampleFields {
  clear(): void {
    this.mask = 0
    this.unusableMask = 0
  }

  /** Adds a value; NaN counts as sent, but as no observation. */
  add(field: number, value: number): void {
    if (Number.isFinite(value)) this.set(field, value)
    else this.unusableMask |= 1 << field
  }

  /** As one value alone. */
  plain(value: number): this {
    this.mask = 1 << fieldVal
    this.unusableMask = 0
    this.values[fieldVal] = value + 0
    return this
  }

  /** The same of a value that may be NaN, which counts as sent. */
  plainOf(value: number): this {
    this.clear()
    this.add(fieldVal, value)
    return this
  }

  /** False if there is no observation. Throws `invalid` for a count that is none. */
  isObserved(): boolean {
    if (!hasUsableCount(this)) throw invalid(`cnt ${this.values[fieldCnt]}: expected 0 to 2^53`)
    if (this.mask === 0) return false
    return this.unusableMask === 0 || isStillUsable(this)
  }
}
