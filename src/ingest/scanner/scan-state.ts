/** The state of scanning one body; one object is reused, so that scans allocate nothing. */

import { fieldCount, SampleBatchBuilder } from "../../model/sample-batch.ts"
import { LeftOutCounter } from "../left-out.ts"
import type { IngestRequest } from "../request.ts"
import { SampleFields } from "../value.ts"

/** Values of one sample: six numbers and a timestamp. */
const valuesMax = 7
/** Kind of a timestamp value; the kinds of the others are their fields, 0 to 5. */
export const timeKind = 6
/** Bytes of a timestamp with what follows it, kept because the next sample often repeats them. */
export const timeBytesMax = 64

export class ScanState {
  /** The whole buffer that contains the body; positions count from its start. */
  bytes: Uint8Array = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  /** The same, for native searches. */
  buffer = Buffer.from(this.bytes.buffer)
  /** Index after the `]` that closes the body. */
  limit = 0
  columns = new SampleBatchBuilder()
  tenant = 0
  injectTimestamp = false
  nowMs = 0
  oldestMs = 0
  newestMs = 0

  /** The values of the last sample. */
  readonly fields = new SampleFields()
  /** Its time, the only entry: a property would box the number. */
  readonly timeMs = new Float64Array(1)
  metricStart = 0
  /** Index of its metric name, or -1, if it was looked up. */
  metricName = -1
  /** Code of the last key (general-sample.ts). */
  key = 0
  metricEnd = 0
  /** Its values in order: kind, start and end of each. */
  valueCount = 0
  readonly valueKinds = new Int32Array(valuesMax)
  readonly valueStarts = new Int32Array(valuesMax)
  readonly valueEnds = new Int32Array(valuesMax)
  /** False if no template can represent the sample. */
  isTemplatable = true

  /** True if the last sample of `readSample` has nothing to store (left-out.ts). */
  isLeftOut = false
  /** Its first unusable field, and the ranges of those fields. */
  unusableField = 0
  readonly unusableStarts = new Int32Array(fieldCount)
  readonly unusableEnds = new Int32Array(fieldCount)
  /** Samples of the body left out so far. */
  readonly leftOut = new LeftOutCounter()
  /** Index of the current element. */
  elementIndex = 0
  /** Samples stored and left out before those of this element. */
  samplesBefore = 0

  /** The last timestamp with the byte that ended it; length 0 if there is none. */
  readonly lastTimeWords = new Float64Array(timeBytesMax / 8)
  lastTimeLength = 0
  lastTimeIsText = false
  readonly lastTimeMs = new Float64Array(1)

  /** The last timestamp together with the literal after it, as one literal. */
  readonly repeatedWords = new Float64Array(timeBytesMax / 8)
  repeatedLength = 0
  /** The sample templates with that literal, and its start in their words. */
  repeatedOwner: object | undefined = undefined
  repeatedAt = 0
  readonly repeatedMs = new Float64Array(1)

  /** Position between two samples, the template predicted there, and the one before it. */
  at = 0
  template = -1
  previousTemplate = -1

  /** Starts a body; false if it does not end in `]`, as every valid one does. */
  start(
    body: Uint8Array,
    request: IngestRequest,
    period: { readonly oldestMs: number; readonly newestMs: number },
  ): boolean {
    if (this.bytes.buffer !== body.buffer) {
      this.bytes = new Uint8Array(body.buffer)
      this.view = new DataView(body.buffer)
      this.buffer = Buffer.from(body.buffer)
    }
    let limit = body.byteOffset + body.byteLength
    while (limit > body.byteOffset && this.bytes[limit - 1]! <= 32) {
      if (!isSpace(this.bytes[limit - 1]!)) return false
      limit--
    }
    this.limit = limit
    this.tenant = request.tenant
    this.leftOut.start(request.reportsLeftOut)
    this.repeatedOwner = undefined
    this.lastTimeLength = 0
    this.injectTimestamp = request.injectTimestamp
    this.nowMs = request.nowMs
    // With injected timestamps, templates without a timestamp leave this value unchanged.
    this.timeMs[0] = request.injectTimestamp ? request.nowMs : NaN
    this.oldestMs = period.oldestMs
    this.newestMs = period.newestMs
    return limit > body.byteOffset && this.bytes[limit - 1] === 93 /* ] */
  }

  addValue(kind: number, start: number, end: number): void {
    const at = this.valueCount++
    this.valueKinds[at] = kind
    this.valueStarts[at] = start
    this.valueEnds[at] = end
  }
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
