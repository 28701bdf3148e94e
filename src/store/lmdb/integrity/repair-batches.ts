/**
 * Repair of what was not folded: samples whose series are lost leave their frames. What is left
 * goes to the inbox, all of it, and the journal's files go to the quarantine.
 */

import { readOverflowRecord } from "../wal/overflow-table.ts"
import { readWal } from "../wal/wal.ts"
import { withoutUnknownSeries } from "../wal/known-series.ts"
import type { RepairDeps } from "./repair-values.ts"
import { walFiles } from "../disk/store-files.ts"
import { readFlushedSequence, sequenceKey } from "../disk/tables.ts"

/** Keeps the samples of known series, of all frames that wait. */
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
    // One that is damaged is left to the start, which tells and removes it.
    if (batch === null) continue
    frames.push({ sequence, frame: batch })
    if (reason !== null) strays.push(Buffer.from(key))
  }
  for (const key of strays) tables.inbox.removeSync(key)
  for (const { sequence, frame } of frames) {
    const kept = withoutUnknownSeries(frame, sequence, (series) => known.has(series))
    const lost = frame.count - kept.count
    if (lost > 0) {
      report(`frame ${sequence}: ${lost} samples of lost series left out`)
      losses.add(`${lost} samples that were not folded, of series that are lost`)
    }
    tables.inbox.putSync(sequenceKey(sequence), kept.bytes as Buffer)
  }
  quarantine.addFiles(walFiles(folder))
}
