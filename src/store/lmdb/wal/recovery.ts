/**
 * Recovery: restores at the start what was acknowledged but is neither flushed nor index-flushed.
 *
 *   WAL ─┬─ series records, in order ─► catalogue ─► index flush: one transaction, so that none is
 *        │                                                        pending when the store is open
 *        └─ batches ─► those of known series ─► memtable
 *                                     └─► if anything was damaged: a log without it
 *
 * If anything was damaged, series numbers that only the damaged part knew are assigned again by
 * later appends. No bytes may remain that use them with the old meaning: the index is flushed up to
 * the greatest number that was seen, and then the log is rewritten, before a number is assigned. A
 * crash in between finds the same series again, and thus the same samples without one.
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { largestOf } from "../../../base/iterables.ts"
import type { StoreOptions } from "../../store.ts"
import {
  dropEarlierBatches,
  readEarlierBatches,
  withEarlierBatches,
  type EarlierBatch,
} from "./earlier-batches.ts"
import type { Wal } from "./wal.ts"
import type { WalRecord } from "./segment.ts"
import { withoutUnknownSeries } from "./known-series.ts"
import type { PendingBatch } from "./memtable.ts"
import { decodeSeriesRecord } from "./series-record.ts"
import type { IndexFlush } from "./index-flush.ts"
import { readFlushedSequence, readIndexFlushedSequence, type Tables } from "../disk/tables.ts"

interface RecoveryDeps {
  readonly tables: Tables
  /** The catalogue as it is in LMDB. */
  readonly catalogue: Catalogue
  readonly indexFlush: IndexFlush
  readonly wal: Wal
  readonly warn: StoreOptions["warn"]
  readonly onPoint: (name: string) => void
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
}

export interface Recovered {
  /** In order of their sequence numbers. */
  readonly batches: readonly PendingBatch[]
  /** No sequence number up to this one is assigned again. */
  readonly greatestSequence: number
  /** Damaged records, and good ones from which series or samples were left out. */
  readonly corruptRecords: number
}

/** Runs once, before the first append. Throws the disk's error, and CorruptError. */
export function recover(deps: RecoveryDeps): Recovered {
  const { tables, wal, indexFlush, warn, onPoint } = deps
  const flushed = readFlushedSequence(tables)
  const indexFlushed = readIndexFlushedSequence(tables)
  const { records, corruptions, hasRepeats } = wal.recover(flushed)
  for (const each of corruptions) warn({ ...each }, "damaged WAL record was left out")
  const earlier = readEarlierBatches(tables)
  const corruptEarlier = reportEarlier(earlier, warn)
  const found = withEarlierBatches(records, earlier)
  const damaged = recoverSeries(deps, found, indexFlushed)
  const kept = found.map((record) => knownPart(deps, record, damaged))
  const newest = largestOf(earlier.map(({ sequence }) => sequence))
  const greatestSequence = Math.max(flushed, indexFlushed, wal.greatestSequence, newest)
  const isDamaged = corruptions.length > 0 || damaged.size > 0
  const isClean = !isDamaged && !hasRepeats && earlier.length === 0
  if (!isClean || indexFlush.isPending) flushIndex(deps, greatestSequence)
  if (!isClean) wal.rewrite(kept, onPoint)
  dropEarlierBatches(tables)
  return {
    batches: kept,
    greatestSequence,
    corruptRecords: corruptions.length + corruptEarlier + damaged.size,
  }
}

/** Reports what is wrong with earlier batches; returns how many are damaged. */
function reportEarlier(earlier: readonly EarlierBatch[], warn: StoreOptions["warn"]): number {
  for (const { sequence, batch, value, problem } of earlier) {
    if (problem === null) continue
    const outcome = batch === null ? "damaged and left out" : "put under its own number"
    warn(
      { sequence, bytes: value.length, reason: problem },
      `batch of an earlier format was ${outcome}`,
    )
  }
  return earlier.filter(({ batch }) => batch === null).length
}

/**
 * Applies the series records that LMDB lacks to the catalogue; returns the sequence numbers of
 * those refused.
 */
function recoverSeries(
  { indexFlush, warn, elapsedMs }: RecoveryDeps,
  records: readonly WalRecord[],
  indexFlushed: number,
): Set<number> {
  const refused = new Set<number>()
  for (const { sequence, series } of records) {
    if (series === null || sequence <= indexFlushed) continue
    if (indexFlush.replay(decodeSeriesRecord(sequence, series), elapsedMs())) continue
    refused.add(sequence)
    warn({ sequence }, "a WAL record's series were left out: an earlier record is damaged")
  }
  return refused
}

/**
 * The batch without the samples whose series were lost: their numbers are assigned to others now. A
 * batch without samples remains, because a backup requires all numbers.
 */
function knownPart(
  { catalogue, warn }: RecoveryDeps,
  { sequence, batch }: WalRecord,
  damaged: Set<number>,
): PendingBatch {
  const known = withoutUnknownSeries(batch, sequence, (series) => catalogue.isKnownSeries(series))
  if (known === batch) return { sequence, batch }
  damaged.add(sequence)
  const samples = batch.count - known.count
  warn({ sequence, samples }, "samples of damaged series were left out")
  return { sequence, batch: known }
}

function flushIndex({ tables, indexFlush, onPoint }: RecoveryDeps, sequence: number): void {
  onPoint("recovery.commit")
  tables.root.transactionSync(() => indexFlush.put(sequence))
  indexFlush.markFlushed()
  onPoint("recovery.committed")
}
