import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { dayMs, resolutions } from "../../../src/model/resolution.ts"
import {
  getDocument,
  listDocuments,
  putDocuments,
} from "../../../src/store/lmdb/metadata/documents.ts"
import {
  watermarksAt,
  retainedSpan,
  packWatermarks,
  readWatermarks,
} from "../../../src/store/lmdb/disk/retention-watermarks.ts"
import type { Table } from "../../../src/store/lmdb/disk/table.ts"
import { indexKey, textKey } from "../../../src/store/lmdb/disk/tables.ts"
import { WriteBuffer } from "../../../src/store/lmdb/disk/write-buffer.ts"
import { tablesOf } from "../../support/store/lmdb-folder.ts"

test("documents are kept by kind and id, listed in order of id, and removed by null", (t) => {
  const tables = tablesOf(t)
  const put = (kind: string, id: string, document: unknown): void =>
    putDocuments(tables, [{ kind, id, document }])
  put("key", "b", { n: 1, list: [1, "é", null] })
  put("key", "a", { n: 2 })
  put("keys", "c", { n: 3 })
  put("ke", "y", { n: 4 })
  assert.deepEqual(getDocument(tables, "key", "b"), { n: 1, list: [1, "é", null] })
  assert.deepEqual(listDocuments(tables, "key"), [
    { id: "a", document: { n: 2 } },
    { id: "b", document: { n: 1, list: [1, "é", null] } },
  ])
  put("key", "a", null)
  assert.equal(getDocument(tables, "key", "a"), undefined)
  assert.equal(listDocuments(tables, "key").length, 1)
  assert.throws(() => put("k\0ey", "a", {}), /without NUL/)
})

test("writes in any order of keys are all committed, and fill pages in theirs", (t) => {
  const tables = tablesOf(t)
  const stored = new Map<number, number>()
  const write = fc.record({ at: fc.nat(30), value: fc.integer({ min: -1, max: 255 }) })
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 20 }), (writes) => {
      const buffer = new WriteBuffer()
      for (const { at, value } of writes) {
        if (value < 0) buffer.remove(tables.days, indexKey(at))
        else buffer.put(tables.days, indexKey(at), Buffer.of(value))
        if (value < 0) stored.delete(at)
        else stored.set(at, value)
      }
      buffer.commit(tables)
      const found = Array.from(tables.days.getRange(), ({ key, value }) => [
        key.readUInt32BE(0),
        value[0],
      ])
      assert.deepEqual(
        found,
        [...stored].sort(([left], [right]) => left - right),
      )
    }),
  )
  const buffer = new WriteBuffer()
  const value = Buffer.alloc(0.4 * tables.pageBytes)
  for (let key = 0; key < 40; key++) buffer.put(tables.hours, indexKey(key), value)
  buffer.commit(tables)
  const hours = tables.root.openDB("hours", { encoding: "binary", keyEncoding: "binary" })
  const { treeLeafPageCount } = hours.getStats() as { readonly treeLeafPageCount: number }
  assert.equal(treeLeafPageCount, 20)
})

test("a write buffer commits in order, calls back after, and forgets what it committed", (t) => {
  const tables = tablesOf(t)
  const buffer = new WriteBuffer()
  const key = textKey("x")
  const seen: (string | undefined)[] = []
  buffer.put(tables.meta, key, Buffer.from("1"))
  buffer.remove(tables.meta, key)
  buffer.put(tables.meta, key, Buffer.from("2"))
  buffer.afterCommit(() => seen.push(tables.meta.get(key)?.toString()))
  assert.equal(tables.meta.get(key), undefined)
  buffer.commit(tables)
  buffer.commit(tables)
  assert.deepEqual(seen, ["2"])
})

test("a write buffer that was cleared writes nothing and calls no callback", (t) => {
  const tables = tablesOf(t)
  const buffer = new WriteBuffer()
  buffer.put(tables.meta, textKey("x"), Buffer.from("1"))
  buffer.afterCommit(() => assert.fail("Expected no call"))
  buffer.clear()
  buffer.commit(tables)
  assert.equal(tables.meta.get(textKey("x")), undefined)
})

test("a write buffer is full at 256 KiB", (t) => {
  const tables = tablesOf(t)
  const buffer = new WriteBuffer()
  const half = new Uint8Array(128 * 1024)
  buffer.put(tables.meta, indexKey(0), half)
  assert.equal(buffer.isFull, false)
  buffer.put(tables.meta, indexKey(1), half)
  assert.equal(buffer.isFull, true)
  buffer.commit(tables)
  assert.equal(buffer.isFull, false)
})

test("a write buffer is full at 1 MiB while ingest is idle, or at its limit", () => {
  const filled = (buffer: WriteBuffer): number => {
    let at = 0
    const table = {} as Table
    while (!buffer.isFull) buffer.put(table, indexKey(at++), new Uint8Array(64 * 1024))
    return at
  }
  const quiet = new WriteBuffer()
  quiet.setIngestActive(false)
  const busyAgain = new WriteBuffer()
  busyAgain.setIngestActive(false)
  busyAgain.setIngestActive(true)
  const told = new WriteBuffer(1)
  told.setIngestActive(false)
  assert.deepEqual([quiet, busyAgain, told].map(filled), [16, 4, 1])
})

test("a day goes when its end is older than its resolution is kept, and none before", () => {
  const days = fc.integer({ min: 1, max: 400 })
  fc.assert(
    fc.property(fc.nat({ max: 2_000_000_000_000 }), days, (nowMs, kept) => {
      const retentionMs = { ZERO: kept, PT5M: kept, PT1H: kept, PT24H: kept }
      for (const each of resolutions) retentionMs[each] *= dayMs
      const { ZERO: first } = watermarksAt(nowMs, retentionMs)
      assert.ok(Number.isInteger(first) && first >= 0)
      assert.ok(nowMs - (first + 1) * dayMs <= kept * dayMs, "Expected the first day to be due")
      if (first > 0) assert.ok(nowMs - first * dayMs > kept * dayMs, "Expected no earlier day")
    }),
  )
})

test("horizons are nothing in an empty store, and come back as they were put", (t) => {
  const tables = tablesOf(t)
  assert.deepEqual(readWatermarks(tables), { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 })
  const horizons = { ZERO: 4, PT5M: 3, PT1H: 2, PT24H: 1 }
  const { key, value } = packWatermarks(horizons)
  const buffer = new WriteBuffer()
  buffer.put(tables.meta, key, value)
  buffer.commit(tables)
  assert.deepEqual(readWatermarks(tables), horizons)
})

test("a span is cut at the horizon of its resolution, and never turns round", () => {
  const horizons = { ZERO: 10, PT5M: 5, PT1H: 0, PT24H: 0 }
  const f = (startDay: number, endDay: number, want: readonly [number, number]) => {
    const span = { startMs: startDay * dayMs, endMs: endDay * dayMs }
    const { startMs, endMs } = retainedSpan(span, horizons, "ZERO")
    assert.deepEqual([startMs / dayMs, endMs / dayMs], want)
  }

  f(11, 12, [11, 12])
  f(8, 12, [10, 12])
  f(3, 4, [10, 10])
})
