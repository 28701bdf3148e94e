/**
 * Printed entries: those of one partition, without their ids, in chunks that one thread posts to
 * another. They are transferred, not copied.
 *
 *   entries  │ 0    │ 1      │ 2   │ 3    │ 4     │      lengths: 6 8 5 6 7
 *   chunks   │ 0                   │ 1            │      an entry is within one chunk
 *
 * A chunk is freed when the last of its entries is in the answer.
 */

import { assert } from "../../base/assert.ts"
import type { SeriesIndex } from "../../model/ids.ts"
import { JsonBytes } from "../../wire/json-bytes.ts"
import type { WorkingMemory } from "../core/working-memory.ts"

/** The printed statistics of the series of one partition. */
export interface PartitionStatistics {
  /** Number of values of all series together. */
  readonly valueCount: number
  /** Series with data; empty if the values alone exceed the limit of an answer. */
  readonly series: Int32Array
  /** Bytes of the entry of each of these series. */
  readonly lengths: Int32Array
  readonly chunks: readonly Uint8Array[]
}

/** Bytes from which on a chunk ends: as much of an answer may wait for one of its entries. */
const chunkBytes = 64 * 1024

/** One that is within a chunk. */
export interface PrintedEntry {
  readonly chunk: Chunk
  readonly start: number
  readonly end: number
}

interface Chunk {
  readonly bytes: Uint8Array
  /** Entries that are not in the answer yet. */
  waiting: number
}

export class EntryPrinter {
  private readonly working: Pick<WorkingMemory, "take">
  private readonly out = new JsonBytes()
  private readonly series: number[] = []
  private readonly lengths: number[] = []
  private readonly chunks: Uint8Array[] = []

  /** `working` counts the chunks, which `printPrinted` frees. */
  constructor(working: Pick<WorkingMemory, "take">) {
    this.working = working
  }

  add(series: SeriesIndex, print: (out: JsonBytes) => void): void {
    const before = this.out.byteLength
    print(this.out)
    this.series.push(series)
    this.lengths.push(this.out.byteLength - before)
    if (this.out.byteLength >= chunkBytes) this.keep(this.out.take())
  }

  /** The entries; nothing is added afterwards. */
  end(): Omit<PartitionStatistics, "valueCount"> {
    const { series, lengths, chunks } = this
    const rest = this.out.end()
    if (rest.length > 0) this.keep(rest)
    return { series: Int32Array.from(series), lengths: Int32Array.from(lengths), chunks }
  }

  private keep(chunk: Uint8Array): void {
    this.working.take(chunk.length)
    this.chunks.push(chunk)
  }
}

/** Calls back for each entry of a partition. */
export function forEachPrinted(
  { series, lengths, chunks }: PartitionStatistics,
  callback: (series: SeriesIndex, entry: PrintedEntry) => void,
): void {
  let at = 0
  for (const bytes of chunks) {
    const chunk = { bytes, waiting: 0 }
    for (let start = 0; start < bytes.length; at++) {
      const end = start + lengths[at]!
      assert(end <= bytes.length, "Expected a whole entry in the chunk")
      chunk.waiting++
      callback(series[at]!, { chunk, start, end })
      start = end
    }
  }
  assert(at === series.length, "Expected an entry of each series with data")
}

/** Prints an entry into the answer, once; frees its chunk if it is the last. */
export function printPrinted(
  out: JsonBytes,
  { chunk, start, end }: PrintedEntry,
  working: Pick<WorkingMemory, "free">,
): void {
  out.bytes(chunk.bytes, start, end)
  if (--chunk.waiting === 0) working.free(chunk.bytes.length)
}

/** The buffers of entries, which are transferred. */
export function buffersOfPrinted({ chunks }: PartitionStatistics): ArrayBuffer[] {
  return chunks.map(({ buffer }) => buffer as ArrayBuffer)
}
