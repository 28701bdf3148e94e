import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CorruptError } from "../../../src/codec/corrupt-error.ts"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import {
  bytesToBatchRecord,
  columnsToBatchRecord,
  type BatchRecord,
} from "../../../src/store/lmdb/encoding/batch-record.ts"
import { spread, type RawSample } from "../../support/ingest/raw-samples.ts"

const request = fc.array(fc.tuple(fc.nat({ max: 1000 }), spread), { maxLength: 10 })
const group = fc.array(request, { maxLength: 5 })
const sequenceNumber = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

function columnsOf(requests: readonly (readonly (readonly [number, RawSample])[])[]) {
  const columns = new SampleBatchBuilder()
  for (const samples of requests) {
    columns.startRequest()
    for (const [series, { timeMs, value, mask, fields }] of samples) {
      if (mask === 0) columns.push(series, timeMs, value)
      else columns.pushAggregate(series, timeMs, value, mask, fields)
    }
  }
  return columns
}

function content(frame: BatchRecord): unknown {
  // Compared column by column: the order of the bytes may change.
  return { ...frame, bytes: [...frame.bytes] }
}

const sample: RawSample = { timeMs: 5, value: 1, mask: 2, fields: [0, 7, 0, 0, 0, 0] }
const small = columnsToBatchRecord(columnsOf([[[3, sample]], [[4, { ...sample, mask: 0 }]]]), 7)

test("a frame holds what the columns held, and its bytes give it back", () => {
  fc.assert(
    fc.property(group, fc.nat({ max: 9 }), sequenceNumber, (requests, offset, sequence) => {
      const columns = columnsOf(requests)
      const frame = columnsToBatchRecord(columns, sequence)
      assert.deepEqual(frame.values, columns.values.slice(0, columns.count))
      assert.deepEqual(frame.series, columns.series.slice(0, columns.count))
      assert.deepEqual(frame.runTimesMs, columns.runTimesMs.slice(0, columns.runCount))
      assert.deepEqual(frame.runRequests, columns.runRequests.slice(0, columns.runCount))
      assert.equal(frame.sequence, sequence)
      assert.equal(frame.requestCount, requests.length)
      const volatile = new Uint8Array(offset + frame.bytes.length)
      volatile.set(frame.bytes, offset)
      const again = bytesToBatchRecord(volatile.subarray(offset))
      volatile.fill(0)
      assert.deepEqual(content(again), content(frame))
    }),
    { numRuns: 200 },
  )
})

test("every flipped bit of a frame is found", () => {
  for (let bit = 0; bit < 8 * small.bytes.length; bit++) {
    const damaged = small.bytes.slice()
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => bytesToBatchRecord(damaged), CorruptError, `bit ${bit}`)
  }
})

test("a frame that was cut at any byte, or has one too many, is found", () => {
  for (let length = 0; length < small.bytes.length; length++) {
    assert.throws(
      () => bytesToBatchRecord(small.bytes.subarray(0, length)),
      CorruptError,
      `${length}`,
    )
  }
  const longer = new Uint8Array(small.bytes.length + 1)
  longer.set(small.bytes)
  assert.throws(() => bytesToBatchRecord(longer), CorruptError)
})
