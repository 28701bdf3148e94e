/**
 * One sample of a body: its timestamp and its six values, with the leniency of spec/ingest §6 and
 * spec/time §2.
 */

import { epochUnitProblem } from "../../base/epoch-unit.ts"
import { isoProblem, parseInstant } from "../../base/iso8601.ts"
import {
  fieldAvg,
  fieldCnt,
  fieldMax,
  fieldMin,
  fieldSum,
  fieldVal,
  sampleFields,
} from "../../model/sample-batch.ts"
import { isStillUsable } from "../left-out.ts"
import type { LeftOutReason } from "../left-out.ts"
import type { AcceptedPeriod } from "../request.ts"
import { hasUsableCount, numericCharactersMax, SampleFields } from "../value.ts"
import type { JsonObject } from "../../base/json-value.ts"
import type { FieldReader } from "./fields.ts"
import { isAbsent } from "./fields.ts"
import { quoted } from "./problems.ts"

const missingTimestamp =
  "Missing required field on Sample, 'timestamp'. Send it, or send the header " +
  "X-Service-Api-Options: INJECT_TIMESTAMP, which gives every sample the server's time."

/**
 * Numbers as strings that real clients send: JSON's, and with a plus sign or without a leading
 * digit.
 */
const numericText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
/** Strings that mean "no number"; JSON.parse never returns the bare words. */
const nonNumberText = /^\s*(?:NaN|-?Infinity)\s*$/

export type SampleVerdict = "kept" | "leftOut" | "refused"

/** Reads samples one after another; `fields` holds the values of the last one. */
export class SampleReader {
  readonly fields = new SampleFields()
  /**
   * The first unusable field of the last sample, or else its first null; field -1 if there is
   * neither.
   */
  unusable: { field: number; value: unknown } = { field: -1, value: undefined }
  private readonly reader: FieldReader
  private readonly period: AcceptedPeriod

  constructor(reader: FieldReader, period: AcceptedPeriod) {
    this.reader = reader
    this.period = period
  }

  /** Fills `fields`; reports a problem if the sample is refused. */
  readValues(sample: JsonObject): SampleVerdict {
    this.fields.mask = 0
    this.fields.unusableMask = 0
    this.unusable.field = -1
    const taken =
      this.readField(fieldVal, sample["val"]) &&
      this.readField(fieldMin, sample["min"]) &&
      this.readField(fieldMax, sample["max"]) &&
      this.readField(fieldAvg, sample["avg"]) &&
      this.readField(fieldCnt, sample["cnt"]) &&
      this.readField(fieldSum, sample["sum"])
    if (!taken) return "refused"
    const { fields, unusable } = this
    if (fields.mask === 0 && unusable.field < 0) {
      this.reader.refuse(
        `at least one of val, min, max, avg, cnt and sum is needed; its keys are ${keysOf(sample)}`,
      )
      return "refused"
    }
    if (!hasUsableCount(fields)) {
      this.reader.refuse(`cnt ${quoted(sample["cnt"])} is not a count: expected 0 to 2^53`)
      return "refused"
    }
    if (fields.unusableMask === 0) return fields.mask === 0 ? "leftOut" : "kept"
    return isStillUsable(fields) ? "kept" : "leftOut"
  }

  /** Epoch milliseconds of a timestamp; NaN, with a problem reported, if it is invalid. */
  readTimestamp(value: unknown): number {
    if (isAbsent(value)) {
      this.reader.problems.add(() => `${missingTimestamp} (${String(this.reader.position)})`)
      return NaN
    }
    const ms = timestampMs(value)
    if (ms === undefined) {
      const why = typeof value === "string" ? isoProblem(value) : timestampForms
      this.reader.refuse(`Cannot read timestamp ${quoted(value)}: ${why}`)
      return NaN
    }
    if (ms >= this.period.oldestMs && ms <= this.period.newestMs) return ms
    this.reader.refuse(outOfPeriodProblem(value, ms, this.period))
    return NaN
  }

  private readField(field: number, value: unknown): boolean {
    if (value === undefined) return true
    if (value === null || value === "") {
      if (this.unusable.field < 0) this.unusable = { field, value }
      return true
    }
    const number = typeof value === "string" ? numberOfText(value) : value
    if (typeof number === "number" && Number.isFinite(number)) {
      this.fields.set(field, number)
      return true
    }
    const isOdd = typeof number === "number" || isNoObservation(value)
    if (!isOdd) return this.refuseValue(field, value)
    if (this.fields.unusableMask === 0) this.unusable = { field, value }
    this.fields.unusableMask |= 1 << field
    return true
  }

  private refuseValue(field: number, value: unknown): boolean {
    this.reader.refuse(`${sampleFields[field]!} ${quoted(value)} is not a finite number`)
    return false
  }
}

const timestampForms = "expected epoch milliseconds or ISO 8601 with Z or ±hh:mm"

/**
 * Epoch milliseconds of a number or text; undefined if it is neither. Fractions of a millisecond
 * are cut off: clients that multiply seconds by 1000 send such numbers.
 */
export function timestampMs(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? Math.floor(value) : undefined
  if (typeof value !== "string") return undefined
  const number = numberOfText(value)
  return Number.isFinite(number) ? Math.floor(number!) : parseInstant(value)
}

/** May be infinite: a number that no double can hold. */
function numberOfText(text: string): number | undefined {
  if (text.length > numericCharactersMax || !numericText.test(text)) return undefined
  return Number(text)
}

/** The problem of a timestamp outside of the accepted period. */
export function outOfPeriodProblem(
  value: unknown,
  ms: number,
  { oldestMs, newestMs }: AcceptedPeriod,
): string {
  const period = `${new Date(oldestMs).toISOString()} to ${new Date(newestMs).toISOString()}`
  const unit = epochUnitProblem(ms)
  const hint = unit === null ? "" : `; ${unit}`
  return `timestamp ${quoted(value)} lies outside the accepted period ${period}${hint}`
}

/** Keys listed in a refusal; a client that misspells one sends few. */
const namedKeysMax = 8

function keysOf(sample: JsonObject): string {
  const keys = Object.keys(sample)
  const more = keys.length > namedKeysMax ? ` and ${keys.length - namedKeysMax} more` : ""
  return `${keys.slice(0, namedKeysMax).map(quoted).join(", ")}${more}`
}

/** True for a value other than a number that is left out. */
export function isNoObservation(value: unknown): boolean {
  return typeof value === "object" || (typeof value === "string" && nonNumberText.test(value))
}

/** Why a value that `SampleReader` leaves out is no observation. */
export function reasonOf(value: unknown): LeftOutReason {
  if (value === null || value === "") return "null"
  if (typeof value === "number") return "infinity"
  if (typeof value !== "string") return "object"
  return value.includes("NaN") ? "nan" : "infinity"
}

/** An unusable value as it was sent, shortened; a quoted NaN is shown bare. */
export function sentText(value: unknown): string {
  return typeof value === "string" && value !== "" ? value.trim() : quoted(value)
}
