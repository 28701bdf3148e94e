/**
 * Recovery: restores at the start what was acknowledged but is neither flushed nor index-flushed.
 *
 *   WAL ──────┬─ series records, in order ─► catalogue ─┐
 *             └─ batches ─┐                             ├─► one transaction: no index flush is
 *   overflow ─── batches ─┴─► those of known series ────┘   pending when the store is open
 *
 * If anything was damaged, series numbers that only the damaged part knew are assigned again by
 * later appends. No bytes may remain that use them with the old meaning: the good batches are moved
 * to the overflow table in the same transaction, and the WAL files are removed, before a number is
 * assigned.
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { StoreOptions } from "../../store.ts"
import type { BatchRecord } from "../encoding/batch-record.ts"
import { recoverOverflow } from "./overflow-table.ts"
import type { Wal, WalRecord } from "./wal.ts"
import { syncPath } from "../disk/wal-file-system.ts"
import { withoutUnknownSeries } from "./known-series.ts"
import type { PendingBatch } from "./memtable.ts"
import { decodeSeriesRecord } from "./series-record.ts"
import type { IndexFlush } from "./index-flush.ts"
import {
  readFlushedSequence,
  readIndexFlushedSequence,
  sequenceKey,
  type Tables,
} from "../disk/tables.ts"

export interface RecoveryDeps {
  readonly folder: string
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
  const { tables, wal, indexFlush } = deps
  const flushed = readFlushedSequence(tables)
  const indexFlushed = readIndexFlushedSequence(tables)
  const { records, cuts } = wal.recover(flushed)
  for (const cut of cuts) deps.warn({ ...cut }, "damaged WAL record was left out")
  const overflow = recoverOverflow(tables, deps.warn)
  // A batch in both places was moved by an earlier recovery that did not complete; take it once.
  const inOverflow = new Set(overflow.map(({ sequence }) => sequence))
  const left = records.filter(({ sequence }) => !inOverflow.has(sequence))
  const damaged = recoverSeries(deps, left, indexFlushed)
  const held = pendingBatchesOf(left, overflow)
  const batches = held.map((one): PendingBatch => ({
    ...one,
    batch: knownPart(deps, one, damaged),
  }))
  const numbers = [...inOverflow].reduce((most, each) => Math.max(most, each), 0)
  const greatestSequence = Math.max(flushed, indexFlushed, wal.greatestSequence, numbers)
  const isDamaged = cuts.length > 0 || damaged.size > 0
  const kept = isDamaged
    ? batches.map((one): PendingBatch => ({ ...one, isInOverflow: true }))
    : batches
  if (isDamaged || indexFlush.isPending)
    completeRecovery(deps, isDamaged ? kept : null, greatestSequence)
  const damagedOverflow = overflow.filter(({ batch }) => batch === null).length
  return {
    batches: kept,
    greatestSequence,
    corruptRecords: cuts.length + damagedOverflow + damaged.size,
  }
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

function pendingBatchesOf(
  records: readonly WalRecord[],
  overflow: readonly { readonly sequence: number; readonly batch: BatchRecord | null }[],
): PendingBatch[] {
  const held: PendingBatch[] = records.map(({ sequence, batch }) => {
    return { sequence, batch, isInOverflow: false }
  })
  for (const { sequence, batch } of overflow) {
    if (batch !== null) held.push({ sequence, batch, isInOverflow: true })
  }
  return held.sort((left, right) => left.sequence - right.sequence)
}

/**
 * The batch without the samples whose series were lost: their numbers are assigned to others now.
 */
function knownPart(
  { catalogue, warn }: RecoveryDeps,
  { sequence, batch }: PendingBatch,
  damaged: Set<number>,
): BatchRecord {
  const { seriesCount } = catalogue
  const known = withoutUnknownSeries(batch, sequence, (series) => series < seriesCount)
  if (known === batch) return batch
  damaged.add(sequence)
  const samples = batch.count - known.count
  warn({ sequence, samples }, "samples of damaged series were left out")
  return known
}

/** Flushes the index. If batches are moved to the overflow table, the WAL is empty afterwards. */
function completeRecovery(
  { folder, tables, indexFlush, wal, onPoint }: RecoveryDeps,
  moved: readonly PendingBatch[] | null,
  sequence: number,
): void {
  onPoint("recovery.commit")
  tables.root.transactionSync(() => {
    indexFlush.put(sequence)
    for (const { sequence: number, batch } of moved ?? []) {
      tables.inbox.put(sequenceKey(number), batch.bytes as Buffer)
    }
  })
  indexFlush.markFlushed()
  onPoint("recovery.committed")
  if (moved === null) return
  wal.removeRecovered()
  syncPath(folder)
}
