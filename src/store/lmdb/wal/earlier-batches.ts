/**
 * Unflushed batches in LMDB, as recovery, repair and backup of formats 1 to 5 left them: in the
 * table `inbox`, under their sequence numbers. A start and a repair move them to the WAL.
 */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { keyToSequence, openEarlierTable, type Tables } from "../disk/tables.ts"
import { bytesToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import type { WalRecord } from "./segment.ts"

export interface EarlierBatch {
  readonly key: Buffer
  readonly value: Buffer
  /** The number that the batch holds; that of its key if it holds none. */
  readonly sequence: number
  /** Null if it is damaged. */
  readonly batch: BatchRecord | null
  /** The problem with the batch or its key; null if there is none. */
  readonly problem: string | null
}

/** Reads the batches in key order; none if the store has no such table. */
export function readEarlierBatches(tables: Pick<Tables, "root">): EarlierBatch[] {
  const table = openEarlierTable(tables)
  if (table === null) return []
  return Array.from(table.getRange(), ({ key, value }) => ({
    key,
    value,
    ...decode(keyToSequence(key), value),
  }))
}

function decode(
  sequence: number,
  value: Buffer,
): Pick<EarlierBatch, "sequence" | "batch" | "problem"> {
  try {
    const batch = bytesToBatchRecord(value)
    // Before format 4 a batch does not hold its number.
    if (batch.sequence === 0 || batch.sequence === sequence) {
      return { sequence, batch, problem: null }
    }
    return { sequence: batch.sequence, batch, problem: `found under sequence number ${sequence}` }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return { sequence, batch: null, problem: error.message }
  }
}

/** Returns records of the WAL and earlier batches, in order. */
export function withEarlierBatches(
  records: readonly WalRecord[],
  earlier: readonly EarlierBatch[],
): WalRecord[] {
  const all = new Map(records.map((record) => [record.sequence, record]))
  for (const { sequence, batch } of earlier) {
    // A batch in both places is left from a recovery that was interrupted; its series are stored.
    if (batch !== null) all.set(sequence, { sequence, batch, series: null })
  }
  return [...all.values()].sort((left, right) => left.sequence - right.sequence)
}

/** Drops the table, if there is one; call it when its batches are in the WAL. */
export function dropEarlierBatches(tables: Pick<Tables, "root">): void {
  const table = openEarlierTable(tables)
  if (table !== null) tables.root.transactionSync(() => table.drop())
}
