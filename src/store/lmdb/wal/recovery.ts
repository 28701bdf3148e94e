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
export function recover(parts: RecoveryDeps): Recovered {
  const { tables, wal, indexFlush } = parts
  const folded = readFlushedSequence(tables)
  const published = readIndexFlushedSequence(tables)
  const { records, cuts } = wal.recover(folded)
  for (const cut of cuts) parts.warn({ ...cut }, "damaged journal record was cut")
  const inbox = recoverOverflow(tables, parts.warn)
  // A batch in both places was moved by an earlier recovery that did not complete; take it once.
  const inInbox = new Set(inbox.map(({ sequence }) => sequence))
  const left = records.filter(({ sequence }) => !inInbox.has(sequence))
  const hurt = recoverNames(parts, left, published)
  const held = pendingBatchesOf(left, inbox)
  const frames = held.map((one): PendingBatch => ({ ...one, batch: knownPart(parts, one, hurt) }))
  const numbers = [...inInbox].reduce((most, each) => Math.max(most, each), 0)
  const greatestSequence = Math.max(folded, published, wal.greatestSequence, numbers)
  const isDamaged = cuts.length > 0 || hurt.size > 0
  const kept = isDamaged
    ? frames.map((one): PendingBatch => ({ ...one, isInOverflow: true }))
    : frames
  if (isDamaged || indexFlush.isPending)
    completeRecovery(parts, isDamaged ? kept : null, greatestSequence)
  const damagedInbox = inbox.filter(({ batch }) => batch === null).length
  return {
    batches: kept,
    greatestSequence,
    corruptRecords: cuts.length + damagedInbox + hurt.size,
  }
}

/**
 * Applies the series records that LMDB lacks to the catalogue; returns the sequence numbers of
 * those refused.
 */
function recoverNames(
  { indexFlush, warn, elapsedMs }: RecoveryDeps,
  records: readonly WalRecord[],
  published: number,
): Set<number> {
  const refused = new Set<number>()
  for (const { sequence, series } of records) {
    if (series === null || sequence <= published) continue
    if (indexFlush.replay(decodeSeriesRecord(sequence, series), elapsedMs())) continue
    refused.add(sequence)
    warn({ sequence }, "names in the journal were left out: those before them are damaged")
  }
  return refused
}

function pendingBatchesOf(
  records: readonly WalRecord[],
  inbox: readonly { readonly sequence: number; readonly batch: BatchRecord | null }[],
): PendingBatch[] {
  const held: PendingBatch[] = records.map(({ sequence, batch }) => {
    return { sequence, batch, isInOverflow: false }
  })
  for (const { sequence, batch } of inbox) {
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
  hurt: Set<number>,
): BatchRecord {
  const { seriesCount } = catalogue
  const known = withoutUnknownSeries(batch, sequence, (series) => series < seriesCount)
  if (known === batch) return batch
  hurt.add(sequence)
  const samples = batch.count - known.count
  warn({ sequence, samples }, "samples whose names were damaged were left out")
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
