/**
 * Left-out samples: a sample whose value is no observation does not invalidate the rest of its post
 * (spec/ingest §7). Such samples are counted by reason, and listed if the client asks for a
 * response body.
 *
 *   nan        bare or quoted NaN              null     only null (or "") in the six fields
 *   infinity   bare or quoted ±Infinity        object   an object or array in place of a number
 */

import { errorStringsMax } from "../base/limits.ts"
import { fieldCnt, fieldSum, fieldVal, fieldAvg, sampleFields } from "../model/sample-batch.ts"
import { BodyPosition } from "./parser/problems.ts"
import type { SampleFields } from "./value.ts"

export const leftOutReasons = ["nan", "infinity", "null", "object"] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** The left-out samples of one request. */
export interface LeftOutReport {
  readonly total: number
  /** In the order of `leftOutReasons`. */
  readonly counts: readonly number[]
  /** At most `errorStringsMax` sentences; none if the client did not ask for them. */
  readonly warnings: readonly string[]
}

/** The position and names of one left-out sample, and the value sent. Both names are cleaned. */
export interface LeftOutSample {
  readonly elementIndex: number
  readonly element: string
  readonly metric: string
  readonly sampleIndex: number
  readonly field: number
  readonly sent: string
}

/** Counts and describes the left-out samples of one request. */
export class LeftOutCounter {
  total = 0
  private isReported = false
  private counts = noCounts()
  private warnings: string[] = []

  /** Starts a request; `isReported` if its answer lists the samples. */
  start(isReported: boolean): void {
    this.isReported = isReported
    if (this.total === 0) return
    this.total = 0
    this.counts = noCounts()
    this.warnings = []
  }

  /** Counts a sample; `describe` is called only if its sentence is needed. */
  add(reason: LeftOutReason, describe: () => string): void {
    this.total++
    this.counts[leftOutReasons.indexOf(reason)]!++
    if (this.isReported && this.warnings.length < errorStringsMax) this.warnings.push(describe())
  }

  /** Returns `undefined` if nothing was left out. */
  report(): LeftOutReport | undefined {
    const { total, counts, warnings } = this
    return total === 0 ? undefined : { total, counts, warnings }
  }
}

function noCounts(): number[] {
  return leftOutReasons.map(() => 0)
}

/** The sentence about a left-out sample of the service's own JSON. */
export function leftOutSentence({
  elementIndex,
  element,
  metric,
  sampleIndex,
  field,
  sent,
}: LeftOutSample) {
  const position = new BodyPosition()
  position.startElement(elementIndex, element)
  position.startSample(sampleIndex, metric)
  const text = position.toString()
  return `E${text.slice(1)}: ${sampleFields[field]!} ${sent} is no observation`
}

const sumBits = (1 << fieldVal) | (1 << fieldAvg) | (1 << fieldSum)

/**
 * True if the finite fields of a sample are meaningful without the unusable ones (spec/samples §4):
 * they have to yield a sum, and a sum that was sent needs its count. The middle of min and max does
 * not replace an average that was sent as NaN.
 */
export function isStillUsable({ mask, unusableMask, values }: SampleFields): boolean {
  if ((mask & sumBits) === 0) return false
  if ((mask >> fieldCnt) & 1) return values[fieldCnt]! > 0
  return ((unusableMask >> fieldCnt) & 1) === 0 || ((mask >> fieldSum) & 1) === 0
}
