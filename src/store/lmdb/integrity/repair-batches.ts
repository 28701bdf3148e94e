/**
 * Repair of unflushed batches: removes samples whose series are lost, stores all batches in the
 * overflow table, and moves the WAL's files to the quarantine.
 */

import { readOverflowRecord } from "../wal/overflow-table.ts"
import { readWal } from "../wal/wal.ts"
import { withoutUnknownSeries } from "../wal/known-series.ts"
import type { RepairDeps } from "./repair-values.ts"
import { walFiles } from "../disk/store-files.ts"
import { readFlushedSequence, sequenceKey } from "../disk/tables.ts"

/** Rewrites all unflushed batches with the samples of known series. */
export function repairBatches(
  { tables, quarantine, report, losses }: RepairDeps,
  folder: string,
  known: ReadonlySet<number>,
): void {
  const folded = readFlushedSequence(tables)
  const frames = readWal(folder)
    .filter(({ sequence }) => sequence > folded)
    .map(({ sequence, batch }) => ({ sequence, frame: batch }))
  const strays: Buffer[] = []
  for (const { key, value } of tables.inbox.getRange({})) {
    const { sequence, batch, reason } = readOverflowRecord(key, value)
    // A damaged batch is left to the next start, which reports and removes it.
    if (batch === null) continue
    frames.push({ sequence, frame: batch })
    if (reason !== null) strays.push(Buffer.from(key))
  }
  for (const key of strays) tables.inbox.removeSync(key)
  for (const { sequence, frame } of frames) {
    const kept = withoutUnknownSeries(frame, sequence, (series) => known.has(series))
    const lost = frame.count - kept.count
    if (lost > 0) {
      report(`batch ${sequence}: ${lost} samples of lost series left out`)
      losses.add(`${lost} unflushed samples, of series that are lost`)
    }
    tables.inbox.putSync(sequenceKey(sequence), kept.bytes as Buffer)
  }
  quarantine.addFiles(walFiles(folder))
}
