/**
 * Overflow table (`inbox` on disk): batches that did not fit into the WAL, or were rescued from a
 * damaged one.
 */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { StoreOptions } from "../../store.ts"
import { bytesToBatchRecord, type BatchRecord } from "../encoding/batch-record.ts"
import { keyToSequence, sequenceKey, type Tables } from "../disk/tables.ts"

export interface OverflowRecord {
  readonly sequence: number
  /** Null if it is damaged. */
  readonly batch: BatchRecord | null
}

/**
 * Reads the batches that an earlier process left, in key order. Removes and reports damaged ones;
 * moves batches found under another number than their own back to their key and reports them.
 */
export function recoverOverflow(tables: Tables, warn: StoreOptions["warn"]): OverflowRecord[] {
  const found: OverflowRecord[] = []
  const strays: { key: Buffer; frame: BatchRecord | null }[] = []
  for (const { key, value } of tables.inbox.getRange({})) {
    const { reason, ...one } = readOverflowRecord(key, value)
    found.push(one)
    if (reason === null) continue
    strays.push({ key: Buffer.from(key), frame: one.batch })
    const message =
      one.batch === null
        ? "damaged batch of the overflow table was left out"
        : "batch of the overflow table was put back"
    warn({ sequence: one.sequence, bytes: value.length, reason }, message)
  }
  if (strays.length > 0) restoreKeys(tables, strays)
  return found
}

/**
 * Decodes the batch under a key, with the sequence number that it was written under, and the
 * problem, or null.
 */
export function readOverflowRecord(
  key: Buffer,
  value: Uint8Array,
): OverflowRecord & { readonly reason: string | null } {
  const sequence = keyToSequence(key)
  try {
    const batch = bytesToBatchRecord(value)
    if (batch.sequence === 0 || batch.sequence === sequence) {
      return { sequence, batch, reason: null }
    }
    return { sequence: batch.sequence, batch, reason: `found under sequence number ${sequence}` }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return { sequence, batch: null, reason: error.message }
  }
}

function restoreKeys(
  { root, inbox }: Tables,
  strays: readonly { readonly key: Buffer; readonly frame: BatchRecord | null }[],
): void {
  root.transactionSync(() => {
    for (const { key } of strays) inbox.remove(key)
    for (const { frame } of strays) {
      if (frame !== null) inbox.put(sequenceKey(frame.sequence), frame.bytes as Buffer)
    }
  })
}
