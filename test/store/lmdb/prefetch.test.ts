import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { prefetchLmdb } from "../../../src/store/lmdb/read/prefetch.ts"
import { dataFile } from "../../../src/store/lmdb/disk/store-files.ts"

const mib = 1024 * 1024

async function sizesOf(fileBytes: number, bytesMax: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-read-ahead-"))
  try {
    writeFileSync(join(folder, dataFile), Buffer.alloc(fileBytes))
    const sizes: number[] = []
    for await (const size of prefetchLmdb(folder, bytesMax)) sizes.push(size)
    return sizes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test("prefetchLmdb() reads at most the file and at most `bytesMax`", async () => {
  const f = async (fileBytes: number, bytesMax: number, want: readonly number[]) =>
    assert.deepEqual(await sizesOf(fileBytes, bytesMax), want)

  await f(0, 10, [])
  await f(10, 0, [])
  await f(10, 4, [4])
  await f(10, 100, [10])
  await f(2 * mib + 5, 10 * mib, [mib, mib, 5])
  await f(3 * mib, 2 * mib, [mib, mib])
})

test("prefetchLmdb() throws if there is no file", async () => {
  const pieces = prefetchLmdb(join(tmpdir(), "tidegauge-no-such-folder"), mib)
  await assert.rejects(pieces.next(), { code: "ENOENT" })
})
