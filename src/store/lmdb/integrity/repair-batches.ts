/**
 * Repair of what was not folded: samples whose series are lost leave their frames. What is left
 * goes to the inbox, all of it, and the journal's files go to the quarantine.
 */

import { readInboxFrame } from "../wal/inbox.ts"
import { readJournal } from "../wal/wal.ts"
import { keepKnown } from "../wal/known-series.ts"
import type { RepairDeps } from "./repair-values.ts"
import { journalFiles } from "../disk/store-files.ts"
import { readFolded, sequenceKey } from "../disk/tables.ts"

/** Keeps the samples of known series, of all frames that wait. */
export function repairBatches(
  { tables, quarantine, report, losses }: RepairDeps,
  folder: string,
  known: ReadonlySet<number>,
): void {
  const folded = readFolded(tables)
  const frames = readJournal(folder)
    .filter(({ sequence }) => sequence > folded)
    .map(({ sequence, frame }) => ({ sequence, frame }))
  const strays: Buffer[] = []
  for (const { key, value } of tables.inbox.getRange({})) {
    const { sequence, frame, reason } = readInboxFrame(key, value)
    // One that is damaged is left to the start, which tells and removes it.
    if (frame === null) continue
    frames.push({ sequence, frame })
    if (reason !== null) strays.push(Buffer.from(key))
  }
  for (const key of strays) tables.inbox.removeSync(key)
  for (const { sequence, frame } of frames) {
    const kept = keepKnown(frame, sequence, (series) => known.has(series))
    const lost = frame.count - kept.count
    if (lost > 0) {
      report(`frame ${sequence}: ${lost} samples of lost series left out`)
      losses.add(`${lost} samples that were not folded, of series that are lost`)
    }
    tables.inbox.putSync(sequenceKey(sequence), kept.bytes as Buffer)
  }
  quarantine.takeFiles(journalFiles(folder))
}
