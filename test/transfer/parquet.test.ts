/** Parquet files of other writers: columns, types of times, compression, refusals. */

import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { gzipSync } from "node:zlib"
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer"
import { folderOf, openWriter } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { answersOf, importFile, settle, storeSink } from "../support/store/transfer.ts"

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">

async function imported(t: TestContext, columnData: ColumnSource[], options: Options = {}) {
  const folder = folderOf(t)
  const path = join(folder, "a.parquet")
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, ...options })))
  const store = openWriter(folder)
  try {
    const outcome = await importFile(storeSink(store), path)
    settle(store)
    return { ...outcome, folder }
  } finally {
    await store.close()
  }
}

const element: ColumnSource = { name: "element", data: ["web"], type: "STRING" }
const metric: ColumnSource = { name: "metric", data: ["cpu"], type: "STRING" }
const date: ColumnSource = { name: "timestamp", data: [new Date(noonMs)], type: "TIMESTAMP" }
const val: ColumnSource = { name: "val", data: [1.5], type: "DOUBLE" }

const times: readonly ColumnSource[] = [
  date,
  { name: "timestamp", data: [BigInt(noonMs)], type: "INT64" },
  { name: "timestamp", data: [new Date(noonMs).toISOString()], type: "STRING" },
]
const values: readonly ColumnSource[] = [
  val,
  { name: "val", data: [1.5], type: "FLOAT" },
  { name: "avg", data: [1.5], type: "DOUBLE" },
]
for (const time of times) {
  for (const one of values) {
    test(`${time.type} as time, ${one.name} of ${one.type}`, async (t) => {
      const other: ColumnSource = { name: "host", data: ["x"], type: "STRING" }
      const { folder } = await imported(t, [other, one, time, metric, element])
      const [{ id, values: found } = assert.fail()] = await answersOf(folder, ["ZERO"])
      assert.equal(id, "web cpu")
      assert.deepEqual(found[0]![1], [[{ timeMs: noonMs, fields: { [one.name]: 1.5 } }]])
    })
  }
}

test("gzip inside", async (t) => {
  const compressors = { GZIP: (bytes: Uint8Array) => gzipSync(bytes) }
  const columns = [element, metric, date, val]
  const { counts } = await imported(t, columns, { codec: "GZIP", compressors })
  assert.equal(counts.stored, 1)
})

test("a compression that is unknown, a column that is missing, a text as value", async (t) => {
  const compressors = { LZO: (bytes: Uint8Array) => bytes }
  await assert.rejects(imported(t, [element, metric, date, val], { codec: "LZO", compressors }), {
    code: "invalid",
    message: /a\.parquet, rows from 1: .*compression codec: LZO/,
  })
  await assert.rejects(imported(t, [element, date, val]), {
    code: "invalid",
    message: /expected columns element, metric and timestamp, got element, timestamp, val$/,
  })
  const text: ColumnSource = { name: "val", data: ["x"], type: "STRING" }
  await assert.rejects(imported(t, [element, metric, date, text]), {
    code: "invalid",
    message: /a\.parquet:1: val "x" is not a number$/,
  })
})

test("a file that is none", async (t) => {
  const folder = folderOf(t)
  const path = join(folder, "a.parquet")
  writeFileSync(path, "element,metric,timestamp,val\n")
  const store = openWriter(folder)
  try {
    const problem = { code: "invalid", message: /a\.parquet is no Parquet file/ }
    await assert.rejects(importFile(storeSink(store), path), problem)
  } finally {
    await store.close()
  }
})
