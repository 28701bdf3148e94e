/**
 * Bytes of streams are those of the format: of 4,000 drawn streams of every kind their checksum is
 * what the first encoder wrote. Compacted days are compared by their bytes (`verify`, backups).
 */

import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import { ByteWriter } from "../../src/codec/bytes.ts"
import { encodeIntegers } from "../../src/codec/integer-stream.ts"
import { encodeValues } from "../../src/codec/value-stream.ts"
import { seededNumbers } from "../support/ingest/samples.ts"

const random = seededNumbers(1)
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!

const lengths = [0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 66, 129, 288, 700]
const odd = [0, -0, 1, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 2 ** 53 - 1, 2 ** 51, 0.1]

/** A function that draws the values of one stream. */
function drawer(): (i: number) => number {
  const top = 2 ** below(53)
  const first = Math.floor((random() - 0.5) * 2 ** below(53))
  const decimals = 10 ** below(11)
  const factor = 1 + below(5_000)
  let level = first
  return oneOf<(i: number) => number>([
    () => below(top) + 0,
    () => below(top) - Math.floor(top / 2),
    () => below(top) / decimals,
    () => (level = (level + below(1 + top / 1_024)) % 2 ** 52),
    () => (level += below(100) - 50) / decimals,
    () => below(1_000) * factor + (first % 1e9),
    (i) => (first % 2 ** 40) + i * factor,
    () => (random() < 0.05 ? random() * top : below(100) / 100),
    () => (random() < 0.03 ? below(top) : below(200)),
    () => (random() < 0.9 ? 5.25 : random()),
    () => first / decimals,
    () => first / 7 + 0.1,
    () => Math.round(1e4 / (1 - random()) ** 2) / 100,
    () => 1 / (1 - random()),
    () => oneOf(odd),
  ])
}

const streams = Array.from({ length: 4_000 }, () => {
  const draw = drawer()
  return Float64Array.from({ length: oneOf(lengths) }, (_, i) => draw(i))
})

function checksumOf(encode: (writer: ByteWriter, values: Float64Array, i: number) => void): string {
  const hash = createHash("sha256")
  const writer = new ByteWriter()
  for (const [i, values] of streams.entries()) {
    writer.reset()
    encode(writer, values, i)
    hash.update(writer.finish())
  }
  return hash.digest("hex").slice(0, 16)
}

test("values have the bytes of the format", () => {
  const checksum = checksumOf((writer, values) => encodeValues(writer, values, values.length))
  assert.equal(checksum, "6127c5cea7cabfaf")
})

test("integers have the bytes of the format", () => {
  const checksum = checksumOf((writer, values, i) => {
    const isWhole = values.every((value) => Number.isSafeInteger(value) && !Object.is(value, -0))
    if (isWhole) encodeIntegers(writer, values, values.length, i % 32)
  })
  assert.equal(checksum, "12639da39be358f2")
})
