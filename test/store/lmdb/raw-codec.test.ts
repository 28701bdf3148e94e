import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../../src/codec/bytes.ts"
import { CorruptError } from "../../../src/codec/corrupt-error.ts"
import { encodeIntegers } from "../../../src/codec/integer-stream.ts"
import {
  decodeRecentRaw,
  decodeCompactedRaw,
  encodeRecentRaw,
  encodeCompactedRaw,
} from "../../../src/store/lmdb/encoding/raw-codec.ts"
import { SampleRun } from "../../../src/store/lmdb/encoding/sample-run.ts"
import {
  canonical,
  sampleRunOf,
  samplesOf,
  sampleText,
  spread,
  type RawSample,
} from "../../support/ingest/raw-samples.ts"

const startMs = Date.UTC(2026, 10, 18, 12)

const slots = fc
  .array(fc.array(spread, { maxLength: 12 }), { maxLength: 20 })
  .map((lists) => lists.map((list) => canonical(list.map(afterStart))))

const layouts = [
  { name: "recent", encode: encodeRecentRaw, decode: decodeRecentRaw },
  { name: "compacted", encode: encodeCompactedRaw, decode: decodeCompactedRaw },
] as const

function afterStart(sample: RawSample): RawSample {
  return { ...sample, timeMs: sample.timeMs + startMs }
}

function bytesOf(encode: typeof encodeRecentRaw, raw: SampleRun): Uint8Array {
  const writer = new ByteWriter(64)
  encode(writer, raw, startMs)
  return writer.finish()
}

function textsBySlot(raw: SampleRun): string[][] {
  return Array.from({ length: raw.slotCount }, (_, slot) =>
    samplesOf(raw, raw.slotFrom(slot), raw.slotTo(slot)).map(sampleText),
  )
}

for (const { name, encode, decode } of layouts) {
  test(`${name}: samples come back bit for bit, aggregates included`, () => {
    const reused = new SampleRun()
    fc.assert(
      fc.property(slots, (lists) => {
        const raw = sampleRunOf(lists)
        const reader = new ByteReader(bytesOf(encode, raw))
        decode(reader, reused, startMs)
        assert.deepEqual(textsBySlot(reused), textsBySlot(raw))
      }),
      { numRuns: 300 },
    )
  })

  test(`${name}: the same samples give the same bytes, also after a way through bytes`, () => {
    fc.assert(
      fc.property(slots, (lists) => {
        const raw = sampleRunOf(lists)
        const bytes = bytesOf(encode, raw)
        const again = new SampleRun()
        decode(new ByteReader(bytes), again, startMs)
        assert.deepEqual(bytesOf(encode, again), bytes)
        assert.deepEqual(bytesOf(encode, raw.copy()), bytes)
      }),
      { numRuns: 200 },
    )
  })
}

test("compacted: one slot is read alone, and the others are empty then", () => {
  fc.assert(
    fc.property(slots, fc.nat(), (lists, which) => {
      const raw = sampleRunOf(lists)
      const only = lists.length === 0 ? 0 : which % lists.length
      const alone = new SampleRun()
      decodeCompactedRaw(new ByteReader(bytesOf(encodeCompactedRaw, raw)), alone, startMs, only)
      const want = textsBySlot(raw).map((texts, slot) => (slot === only ? texts : []))
      assert.deepEqual(textsBySlot(alone), want)
    }),
    { numRuns: 300 },
  )
})

test("a block of 256 slots with 60 samples each comes back", () => {
  const steps = Array.from({ length: 60 }, (_, i) => i)
  const lists = Array.from({ length: 256 }, (_, slot) =>
    steps.map((i) => ({ timeMs: startMs + i * 5000, value: slot + i / 100, mask: 0, fields: [] })),
  )
  for (const { encode, decode } of layouts) {
    const raw = sampleRunOf(lists)
    const again = new SampleRun(1)
    decode(new ByteReader(bytesOf(encode, raw)), again, startMs)
    assert.deepEqual(textsBySlot(again), textsBySlot(raw))
  }
})

test("a count that no slot can have is refused, not cut to one that it can", () => {
  for (const { decode } of layouts) {
    for (const count of [-1, 2 ** 31, 2 ** 32 + 1]) {
      const writer = new ByteWriter()
      writer.varint(1)
      encodeIntegers(writer, Float64Array.of(count), 1)
      const reader = new ByteReader(writer.finish())
      assert.throws(() => decode(reader, new SampleRun(), startMs), CorruptError)
    }
  }
})
