/** One sample of a body: its timestamp and its six values, with every lenience of decisions §1 and §3. */

import { isoProblem, parseInstant } from "../../base/iso8601.ts"
import {
  fieldAvg,
  fieldCnt,
  fieldMax,
  fieldMin,
  fieldSum,
  fieldVal,
  sampleFields,
} from "../../model/sample-columns.ts"
import type { AcceptedPeriod } from "../request.ts"
import { hasUsableCount, numericCharactersMax, SampleFields } from "../value.ts"
import type { FieldReader, JsonObject } from "./fields.ts"
import { isAbsent } from "./fields.ts"
import { quoted } from "./problems.ts"

const missingTimestamp =
  "Missing required field on Sample, 'timestamp'. " +
  "See ingest documentation to see how to send in samples without timestamps."

/** Numbers as texts that real clients send: JSON's, and a plus sign or a bare point beside. */
const numericText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
/** Reads samples one after another; `fields` holds the values of the last one. */
export class SampleReader {
  readonly fields = new SampleFields()
  private readonly reader: FieldReader
  private readonly period: AcceptedPeriod

  constructor(reader: FieldReader, period: AcceptedPeriod) {
    this.reader = reader
    this.period = period
  }

  /** Fills `fields`; false where the sample has no meaning, which is then told. */
  readValues(sample: JsonObject): boolean {
    this.fields.mask = 0
    const taken =
      this.take(fieldVal, sample["val"]) &&
      this.take(fieldMin, sample["min"]) &&
      this.take(fieldMax, sample["max"]) &&
      this.take(fieldAvg, sample["avg"]) &&
      this.take(fieldCnt, sample["cnt"]) &&
      this.take(fieldSum, sample["sum"])
    if (!taken) return false
    if (this.fields.mask === 0) {
      this.reader.refuse("at least one of val, min, max, avg, cnt and sum is needed")
      return false
    }
    if (hasUsableCount(this.fields)) return true
    this.reader.refuse(`cnt ${quoted(sample["cnt"])} is not a count: expected 0 to 2^53`)
    return false
  }

  /** Epoch milliseconds of a timestamp; NaN where it has no meaning, which is then told. */
  readTimestamp(value: unknown): number {
    if (isAbsent(value)) {
      this.reader.problems.add(() => `${missingTimestamp} (${String(this.reader.place)})`)
      return NaN
    }
    const ms = timestampMs(value)
    if (ms === undefined) {
      const why = typeof value === "string" ? isoProblem(value) : timestampForms
      this.reader.refuse(`Cannot read timestamp ${quoted(value)}: ${why}`)
      return NaN
    }
    if (ms >= this.period.oldestMs && ms <= this.period.newestMs) return ms
    this.reader.refuse(outsideProblem(value, ms, this.period))
    return NaN
  }

  private take(field: number, value: unknown): boolean {
    if (value === undefined || value === null) return true
    if (typeof value !== "number") return this.takeText(field, value)
    if (!Number.isFinite(value)) return this.refuseValue(field, value)
    this.fields.set(field, value)
    return true
  }

  private takeText(field: number, value: unknown): boolean {
    if (value === "") return true
    const number = typeof value === "string" ? numberOfText(value) : undefined
    if (number === undefined) return this.refuseValue(field, value)
    this.fields.set(field, number)
    return true
  }

  private refuseValue(field: number, value: unknown): boolean {
    this.reader.refuse(`${sampleFields[field]!} ${quoted(value)} is not a finite number`)
    return false
  }
}

const timestampForms = "expected epoch milliseconds or ISO 8601 with Z or ±hh:mm"

/** A fraction of a millisecond is cut off: clients that multiply seconds by 1000 send such numbers. */
function timestampMs(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? Math.floor(value) : undefined
  if (typeof value !== "string") return undefined
  const number = numberOfText(value)
  return number === undefined ? parseInstant(value) : Math.floor(number)
}

function numberOfText(text: string): number | undefined {
  if (text.length > numericCharactersMax || !numericText.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

function outsideProblem(
  value: unknown,
  ms: number,
  { oldestMs, newestMs }: AcceptedPeriod,
): string {
  const period = `${new Date(oldestMs).toISOString()} to ${new Date(newestMs).toISOString()}`
  const inSeconds = ms * 1000 >= oldestMs && ms * 1000 <= newestMs
  const hint = inSeconds ? "; it seems to be in epoch seconds: multiply it by 1000" : ""
  return `timestamp ${quoted(value)} lies outside the accepted period ${period}${hint}`
}
