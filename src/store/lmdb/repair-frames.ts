/**
 * Repair of what was not folded: samples whose series are lost leave their frames. What is left
 * goes to the inbox, all of it, and the journal's files go to the quarantine.
 */

import { SampleColumns } from "../../model/sample-columns.ts"
import { columnsToFrame, type Frame } from "./frame.ts"
import { readInboxFrame } from "./inbox.ts"
import { Journal } from "./journal.ts"
import { findAggregate } from "./memtable.ts"
import type { RepairContext } from "./repair-values.ts"
import { journalFiles } from "./store-files.ts"
import { foldedKey, readFolded, sequenceKey } from "./tables.ts"

/** Keeps the samples of known series, of all frames that wait. */
export function repairFrames(
  { tables, quarantine, tell }: RepairContext,
  folder: string,
  known: ReadonlySet<number>,
): void {
  const journal = new Journal(folder)
  const { records } = journal.recover(readFolded(tables.meta.get(foldedKey)))
  journal.close()
  const frames = records.map(({ sequence, frame }) => ({ sequence, frame }))
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
    const columns = knownSamples(frame, known)
    const lost = frame.count - columns.count
    if (lost > 0) tell(`frame ${sequence}: ${lost} samples of lost series left out`)
    tables.inbox.putSync(sequenceKey(sequence), columnsToFrame(columns, sequence).bytes as Buffer)
  }
  quarantine.takeFiles(journalFiles(folder))
}

function knownSamples(frame: Frame, known: ReadonlySet<number>): SampleColumns {
  const columns = new SampleColumns()
  let request = -1
  for (let run = 0; run < frame.runCount; run++) {
    for (; request < frame.runRequest[run]!; request++) columns.startRequest()
    const end = run + 1 < frame.runCount ? frame.runStart[run + 1]! : frame.count
    for (let at = frame.runStart[run]!; at < end; at++) {
      const series = frame.series[at]!
      if (!known.has(series)) continue
      const entry = frame.aggregateCount > 0 ? findAggregate(frame, at) : -1
      const said = [series, frame.runTimeMs[run]!, frame.values[at]!] as const
      if (entry < 0) columns.push(...said)
      else {
        const fields = frame.aggregateFields.slice(entry * 6, entry * 6 + 6)
        columns.pushAggregate(...said, frame.aggregateMask[entry]!, fields)
      }
    }
  }
  return columns
}
