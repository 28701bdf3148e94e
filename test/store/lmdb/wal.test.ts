import assert from "node:assert/strict"
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import fc from "fast-check"
import { SampleBatchBuilder } from "../../../src/model/sample-batch.ts"
import { columnsToBatchRecord } from "../../../src/store/lmdb/encoding/batch-record.ts"
import type { PendingBatch } from "../../../src/store/lmdb/wal/memtable.ts"
import { readWal } from "../../../src/store/lmdb/wal/segment-files.ts"
import { Wal } from "../../../src/store/lmdb/wal/wal.ts"
import { folderOf } from "../../support/store/lmdb-folder.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"

const segmentBytes = 2048

/** A frame whose first value tells which it is. */
function frameOf(id: number, samples: number): Uint8Array {
  const columns = new SampleBatchBuilder()
  columns.startRequest()
  for (let i = 0; i < samples; i++) columns.push(i, 1_000 * i, id + i)
  return columnsToBatchRecord(columns, id).bytes
}

function withWal<T>(folder: string, work: (wal: Wal) => T): T {
  const wal = new Wal(folder, segmentBytes)
  try {
    return work(wal)
  } finally {
    wal.close()
  }
}

/** The recovery of a new process: numbers and first values; and how many records were cut. */
function found(folder: string, flushed = 0): { kept: [number, number][]; corruptions: number } {
  return withWal(folder, (wal) => {
    const { records, corruptions } = wal.recover(flushed)
    const kept = records.map(({ sequence, batch }): [number, number] => [
      sequence,
      batch.values[0]!,
    ])
    return { kept, corruptions: corruptions.length }
  })
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name))
}

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })

test("what was appended and not flushed is found again, in order, by any later process", () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (samples, restart, flush) => {
      const folder = makeFolder()
      let flushed = 0
      let wal = new Wal(folder, segmentBytes)
      try {
        samples.forEach((count, i) => {
          const sequence = i + 1
          wal.append(sequence, frameOf(sequence, count))
          if (i % 7 === flush % 7) wal.release((flushed = i))
          if (wal.hasSpareSegment && i % 3 === flush % 3) wal.removeSpareSegment()
          if (i % 5 !== restart % 5) return
          wal.close()
          wal = new Wal(folder, segmentBytes)
          assert.equal(wal.recover(flushed).records.at(-1)?.sequence, sequence)
        })
        wal.close()
        const want = samples.map((_, i) => [i + 1, i + 1]).slice(flushed)
        assert.deepEqual(found(folder, flushed), { kept: want, corruptions: 0 })
      } finally {
        wal.close()
        removeFolder(folder)
      }
    }),
    { numRuns: 60 },
  )
})

test("segments are used again, so that the files do not grow", (t) => {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    for (let sequence = 1; sequence <= 500; sequence++) {
      wal.append(sequence, frameOf(sequence, 30))
      if (sequence % 10 === 0) wal.release(sequence)
    }
  })
  assert.ok(filesOf(folder).length <= 8, `${filesOf(folder).length} segments`)
  for (const path of filesOf(folder)) assert.equal(statSync(path).size, segmentBytes)
  assert.deepEqual(
    found(folder, 490).kept.map(([sequence]) => sequence),
    range(491, 500),
  )
})

test("what a burst took is given back once a later flush had less in use", (t) => {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    let sequence = 0
    const appendAndRelease = (records: number): number => {
      for (let i = 0; i < records; i++) wal.append(++sequence, frameOf(sequence, 30))
      wal.release(sequence)
      return filesOf(folder).length
    }
    const burst = appendAndRelease(30)
    assert.ok(burst > 4, `${burst} segments`)
    assert.equal(wal.hasSpareSegment, false, "a burst like it finds them")
    for (let flush = 0; flush < 2; flush++) appendAndRelease(1)
    for (; wal.hasSpareSegment; wal.removeSpareSegment());
    // One that is written to, and one.
    assert.equal(filesOf(folder).length, 2)
    assert.throws(() => wal.removeSpareSegment(), /to spare/)
    assert.equal(appendAndRelease(30), burst)
  })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** Three records in one segment; the offset of the last. */
function threeRecords(t: TestContext): { folder: string; path: string; bytes: Buffer; at: number } {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    for (const sequence of [1, 2, 3]) wal.append(sequence, frameOf(sequence, 5))
  })
  const [path] = filesOf(folder)
  const bytes = readFileSync(path!)
  const recordBytes = Math.ceil((24 + frameOf(1, 5).length) / 8) * 8
  return { folder, path: path!, bytes, at: 2 * recordBytes }
}

test("a record torn at any byte is cut, and all before it are kept", (t) => {
  const { folder, path, bytes, at } = threeRecords(t)
  const length = 24 + frameOf(3, 5).length
  for (const fill of [0, 0xff, 0x54]) {
    for (let cut = 0; cut < length; cut++) {
      const torn = Buffer.from(bytes)
      torn.fill(fill, at + cut, at + length)
      if (torn.equals(bytes)) continue
      writeFileSync(path, torn)
      const { kept, corruptions } = found(folder)
      assert.deepEqual(
        kept,
        [
          [1, 1],
          [2, 2],
        ],
        `cut at ${cut}`,
      )
      // Zeros from the first byte on are what a record leaves of which nothing was written.
      assert.equal(corruptions, cut === 0 && fill === 0 ? 0 : 1, `cut at ${cut}`)
    }
  }
})

test("a damaged record costs itself only, and its number is not used again", (t) => {
  const { folder, path, bytes } = threeRecords(t)
  for (const at of [0, 5, 10, 30, 60]) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0x10
    writeFileSync(path, damaged)
    assert.deepEqual(
      found(folder).kept,
      [
        [2, 2],
        [3, 3],
      ],
      `byte ${at}`,
    )
  }
  const lastTorn = Buffer.from(bytes)
  lastTorn[threeRecordsEnd(bytes) - 1]! ^= 1
  writeFileSync(path, lastTorn)
  withWal(folder, (wal) => {
    wal.recover(0)
    assert.equal(wal.greatestSequence, 3)
    assert.throws(() => wal.append(3, frameOf(9, 1)), /numbers to grow/)
    wal.append(4, frameOf(4, 2))
  })
  assert.deepEqual(found(folder).kept, [
    [1, 1],
    [2, 2],
    [4, 4],
  ])
})

/** Where the content of the only segment ends. */
function threeRecordsEnd(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}

test("what an earlier use of a segment left behind is never a record", (t) => {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    for (const sequence of range(1, 8)) wal.append(sequence, frameOf(sequence, 20))
    wal.release(8)
    for (const sequence of range(9, 10)) wal.append(sequence, frameOf(sequence, 3))
  })
  // Even if the flushed sequence is not known any more.
  const { kept } = found(folder, 0)
  assert.deepEqual(kept.slice(-2), [
    [9, 9],
    [10, 10],
  ])
  assert.deepEqual(found(folder, 8), {
    kept: [
      [9, 9],
      [10, 10],
    ],
    corruptions: 0,
  })
})

test("a larger record has a segment of its own, which is removed once it is flushed", (t) => {
  const folder = folderOf(t)
  const large = 4 * segmentBytes
  withWal(folder, (wal) => {
    wal.append(1, frameOf(1, 5))
    wal.append(2, frameOf(2, large / 8))
    wal.append(3, frameOf(3, 5))
    assert.equal(filesOf(folder).length, 2, "the third is behind the first")
    const { segments, bytes } = wal.figures()
    assert.equal(segments, 2)
    assert.ok(bytes > segmentBytes + large, `${bytes} bytes`)
  })
  const kept = range(1, 3).map((sequence) => [sequence, sequence])
  assert.deepEqual(found(folder), { kept, corruptions: 0 })
  withWal(folder, (wal) => {
    wal.recover(1)
    wal.append(4, frameOf(4, large / 8))
    wal.release(4)
    assert.deepEqual(sizesOf(folder), [segmentBytes], "large ones are never used again")
  })
})

test("of a flushed store a larger segment is removed at the start", (t) => {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    wal.append(1, frameOf(1, segmentBytes))
    wal.append(2, frameOf(2, 1))
  })
  assert.deepEqual(found(folder, 2), { kept: [], corruptions: 0 })
  assert.deepEqual(sizesOf(folder), [segmentBytes])
})

test("a larger record that is torn anywhere is cut, and the others are kept", (t) => {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    wal.append(1, frameOf(1, 5))
    wal.append(2, frameOf(2, segmentBytes / 8))
    wal.append(3, frameOf(3, 5))
  })
  const path = filesOf(folder).find((each) => statSync(each).size > segmentBytes)!
  const bytes = readFileSync(path)
  const length = 24 + frameOf(2, segmentBytes / 8).length
  for (let cut = 0; cut < length; cut += 97) {
    for (const torn of [Buffer.from(bytes).fill(0, cut, length), bytes.subarray(0, cut)]) {
      if (bytes.equals(torn)) continue
      writeFileSync(path, torn)
      const { kept, corruptions } = found(folder)
      const left = kept.map(([sequence]) => sequence)
      assert.deepEqual(left, [1, 3], `cut at ${cut}`)
      // Bytes that begin with zeros were never written, as far as can be known.
      assert.equal(corruptions > 0, cut > 0 || torn.length === 0, `cut at ${cut}`)
    }
  }
})

/** Two segments; of the five records the second is damaged, and the third is to lose samples. */
function damagedLog(t: TestContext): { folder: string; clean: PendingBatch[] } {
  const folder = folderOf(t)
  withWal(folder, (wal) => {
    for (const sequence of range(1, 4)) wal.append(sequence, frameOf(sequence, 25))
  })
  withWal(folder, (wal) => {
    wal.recover(0)
    wal.append(5, frameOf(5, 5))
  })
  const path = join(folder, "journal-0")
  const bytes = readFileSync(path)
  bytes[Math.ceil((24 + frameOf(1, 25).length) / 8) * 8 + 40]! ^= 1
  writeFileSync(path, bytes)
  const columns = new SampleBatchBuilder()
  const emptied = columnsToBatchRecord(columns, 3)
  const clean = readWal(folder).records.map(({ sequence, batch }) => {
    return { sequence, batch: sequence === 3 ? emptied : batch }
  })
  return { folder, clean }
}

/** Recovers a folder with a damaged log and rewrites it; returns copies of it at each point. */
function rewriteAt(t: TestContext, folder: string, clean: PendingBatch[]): Map<string, string> {
  const copies = new Map<string, string>()
  withWal(folder, (wal) => {
    wal.recover(0)
    wal.rewrite(clean, (point) => {
      const copy = folderOf(t)
      cpSync(folder, copy, { recursive: true })
      copies.set(point, copy)
    })
  })
  return copies
}

test("a rewritten log is one segment of the given batches, then the next are appended", (t) => {
  const { folder, clean } = damagedLog(t)
  assert.ok(filesOf(folder).length > 2)
  withWal(folder, (wal) => {
    assert.equal(wal.recover(0).corruptions.length, 1)
    wal.rewrite(clean, () => {})
    assert.equal(filesOf(folder).length, 1)
    assert.equal(wal.figures().segments, 1)
    wal.append(6, frameOf(6, 5))
    assert.equal(filesOf(folder).length, 2)
    wal.release(5)
    assert.deepEqual(sizesOf(folder), [segmentBytes], "it is removed when it is flushed")
  })
  const { kept, corruptions } = found(folder)
  assert.deepEqual([kept, corruptions], [[[6, 6]], 0])
})

test("after a crash in a rewrite the same batches are found, and the newer file wins", (t) => {
  const { folder, clean } = damagedLog(t)
  const copies = rewriteAt(t, folder, clean)
  assert.deepEqual([...copies.keys()], ["rewrite.commit", "rewrite.committed", "rewrite.removed"])
  const numbers = clean.map(({ sequence }) => sequence)
  for (const [point, copy] of copies) {
    writeFileSync(join(copy, "journal-99.new"), "was not written to its end")
    withWal(copy, (wal) => {
      const { records, corruptions, hasRepeats } = wal.recover(0)
      assert.deepEqual([corruptions.length > 0, hasRepeats], expectedAt[point], point)
      assert.deepEqual(
        records.map(({ sequence }) => sequence),
        numbers,
        point,
      )
      const third = records.find(({ sequence }) => sequence === 3)!
      assert.equal(third.batch.count, point === "rewrite.commit" ? 25 : 0, point)
      // The rewrite is done again, whichever files are left.
      wal.rewrite(clean, () => {})
    })
    const { records, corruptions } = readWal(copy)
    assert.deepEqual(corruptions, [], point)
    assert.deepEqual(
      records.map(({ batch }) => [...batch.bytes]),
      clean.map(({ batch }) => [...batch.bytes]),
      point,
    )
    assert.equal(filesOf(copy).length, 1, point)
  }
})

/** Whether damage is found, and numbers in two files. */
const expectedAt: Readonly<Record<string, [boolean, boolean]>> = {
  "rewrite.commit": [true, false],
  "rewrite.committed": [true, true],
  "rewrite.removed": [false, false],
}

test("a rewrite of no batches removes the files", (t) => {
  const { folder } = damagedLog(t)
  rewriteAt(t, folder, [])
  assert.deepEqual(filesOf(folder), [])
})

test("a rewritten log that is cut anywhere is reported", (t) => {
  const { folder, clean } = damagedLog(t)
  rewriteAt(t, folder, clean)
  const [path] = filesOf(folder)
  const bytes = readFileSync(path!)
  assert.ok(bytes.subarray(-8).every((byte) => byte === 0))
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(path!, bytes.subarray(0, length))
    const { kept, corruptions } = found(folder)
    const whole = clean.slice(0, kept.length).map(({ sequence }) => sequence)
    assert.deepEqual(
      kept.map(([sequence]) => sequence),
      whole,
    )
    assert.equal(corruptions, 1, `cut to ${length} of ${bytes.length} bytes`)
    writeFileSync(path!, bytes)
  }
})

function sizesOf(folder: string): number[] {
  return filesOf(folder).map((path) => statSync(path).size)
}
