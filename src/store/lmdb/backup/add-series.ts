/** Completes the copy of a snapshot: flushes the series that the WAL's records brought. */

import { ServiceError } from "../../../base/errors.ts"
import { Catalogue } from "../../../catalogue/catalogue.ts"
import type { BatchRecord } from "../encoding/batch-record.ts"
import {
  flushedKey,
  packSequence,
  readFlushedSequence,
  readIndexFlushedSequence,
  type Tables,
} from "../disk/tables.ts"
import { loadCatalogue } from "../metadata/catalogue-table.ts"
import { readEarlierBatches } from "../wal/earlier-batches.ts"
import { IndexFlush } from "../wal/index-flush.ts"
import { withoutUnknownSeries } from "../wal/known-series.ts"
import type { PendingBatch } from "../wal/memtable.ts"
import type { WalRecord } from "../wal/segment.ts"
import { decodeSeriesRecord } from "../wal/series-record.ts"

/**
 * Returns the batches that the copy lacks: up to the first gap, but at least those that existed
 * `before` the snapshot; and flushes their series. Always writes something: LMDB fills only one of
 * the two heads of a copy, and a file whose heads are not of consecutive transactions counts as
 * damaged (page-file.ts).
 */
export function addSeries(
  copy: Tables,
  waiting: readonly WalRecord[],
  before: readonly number[],
): PendingBatch[] {
  const flushed = readFlushedSequence(copy)
  // The snapshot of a store of an earlier format holds some; the start after a restore moves them.
  const earlier = new Set(readEarlierBatches(copy).map(({ sequence }) => sequence))
  const numbers = new Set([...earlier, ...waiting.map(({ sequence }) => sequence)])
  if (before.some((sequence) => sequence > flushed && !numbers.has(sequence))) {
    throw new ServiceError(
      "storage",
      "The store was reopened during the backup: take the backup again",
    )
  }
  const newest = before.at(-1) ?? 0
  let end = flushed + 1
  while (numbers.has(end) || end < newest) end++
  const missing = waiting.filter(({ sequence }) => sequence > flushed && !earlier.has(sequence))
  const series = new MissingSeries(copy, newest)
  const last = series.recover(missing, Math.max(end - 1, newest))
  copy.root.transactionSync(() => {
    copy.meta.put(flushedKey, packSequence(flushed))
    series.put(last)
  })
  return missing
    .filter(({ sequence }) => sequence <= last)
    .map(({ sequence, batch }) => ({ sequence, batch: series.withoutUnknown(sequence, batch) }))
}

/** The series of the WAL that the copy lacks. */
class MissingSeries {
  private readonly copy: Tables
  private readonly newest: number
  /** Loaded if any series are missing. */
  private readonly catalogue = new Catalogue()
  private indexFlush: IndexFlush | null = null

  constructor(copy: Tables, newest: number) {
    this.copy = copy
    this.newest = newest
  }

  /**
   * Replays the series of the records up to `last`. Returns the last batch whose series are
   * complete; those of batches that existed before the snapshot are, unless they are damaged.
   */
  recover(records: readonly WalRecord[], last: number): number {
    const indexFlushed = readIndexFlushedSequence(this.copy)
    for (const { sequence, series } of records) {
      if (series === null || sequence <= indexFlushed || sequence > last) continue
      const isTaken = this.load().replay(decodeSeriesRecord(sequence, series), 0)
      if (!isTaken && sequence > this.newest) return sequence - 1
    }
    return last
  }

  /** Call inside a transaction. */
  put(sequence: number): void {
    this.indexFlush?.put(sequence)
  }

  /** Returns the batch without samples whose series are unknown. */
  withoutUnknown(sequence: number, batch: BatchRecord): BatchRecord {
    if (this.indexFlush === null) return batch
    return withoutUnknownSeries(batch, sequence, (one) => this.catalogue.isKnownSeries(one))
  }

  private load(): IndexFlush {
    if (this.indexFlush !== null) return this.indexFlush
    loadCatalogue(this.copy, this.catalogue)
    this.indexFlush = new IndexFlush(this.copy, this.catalogue)
    this.indexFlush.reset()
    return this.indexFlush
  }
}
