import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import fc from "fast-check"
import { textKey } from "../../../src/store/lmdb/disk/tables.ts"
import { tablesOf } from "../../support/store/lmdb-folder.ts"

const key = textKey("key")

/** Reads the bytes by every means whose bounds do not depend on the property `length`. */
function readings(bytes: Buffer): unknown[] {
  const { buffer, byteOffset, byteLength } = bytes
  return [
    bytes.length,
    byteLength,
    crc32(bytes),
    crc32(bytes.subarray(0)),
    bytes.subarray(1).byteLength,
    bytes.slice(1).byteLength,
    new DataView(buffer, byteOffset, byteLength).byteLength,
    Uint8Array.from(bytes).length,
    structuredClone(new Uint8Array(bytes)).length,
    new TextDecoder("latin1").decode(bytes).length,
    [...bytes.values()].length,
    Buffer.concat([bytes]).byteLength,
  ]
}

test("every value that a table gives has exact bounds, by each way to read it", (t) => {
  const tables = tablesOf(t)
  // Beyond 32 KiB and beyond the pool of 16 MiB, LMDB takes other buffers.
  const sizes = fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 8 },
    { arbitrary: fc.constantFrom(4095, 4096, 32_767, 32_768, 32_769, 100_000), weight: 2 },
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(sizes, fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (writes) => {
        for (const [size, byte] of writes) {
          const value = Buffer.alloc(size, byte)
          tables.meta.putSync(key, value)
          const expected = readings(value)
          assert.deepEqual(readings(tables.meta.view(key)!), expected)
          assert.deepEqual(readings(tables.meta.get(key)!), expected)
          for (const entry of tables.meta.getRange({})) {
            assert.deepEqual(readings(entry.value), expected)
            assert.deepEqual(readings(entry.key), readings(key))
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test("a value beyond the pool of 16 MiB has exact bounds, and so has the next one", (t) => {
  const tables = tablesOf(t)
  for (const size of [17 * 1024 ** 2, 5, 40 * 1024 ** 2, 70_000]) {
    tables.meta.putSync(key, Buffer.alloc(size, 7))
    for (const bytes of [tables.meta.get(key)!, tables.meta.view(key)!]) {
      assert.deepEqual(
        [bytes.length, bytes.byteLength, bytes.subarray(4).byteLength],
        [size, size, size - 4],
      )
    }
  }
})

test("what a copy holds outlives the next read; a view is overwritten by it", (t) => {
  const tables = tablesOf(t)
  const other = textKey("other")
  tables.meta.putSync(key, Buffer.from("first"))
  tables.meta.putSync(other, Buffer.from("later"))
  const copy = tables.meta.get(key)!
  const entries = [...tables.meta.getRange({})]
  assert.equal(String(tables.meta.view(other)), "later")
  assert.equal(String(copy), "first")
  assert.deepEqual(
    entries.map(({ key: at, value }) => `${String(at)}=${String(value)}`),
    ["key=first", "other=later"],
  )
})

test("a key that is appended is after all others, or the transaction fails", (t) => {
  const tables = tablesOf(t)
  const { documents, root } = tables
  assert.equal(documents.lastKey(), undefined)
  const append = (...texts: string[]) =>
    root.transactionSync(() => {
      for (const text of texts) documents.append(textKey(text), Buffer.from(text))
    })
  append("b", "c")
  assert.deepEqual(documents.lastKey(), textKey("c"))
  for (const text of ["a", "c"]) {
    assert.throws(() => append("d", text), /after all others/)
  }
  assert.deepEqual(Array.from(documents.getKeys(), String), ["b", "c"])
})
