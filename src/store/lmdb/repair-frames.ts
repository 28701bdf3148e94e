/**
 * Repair of what was not folded: samples whose series are lost leave their frames. What is left
 * goes to the inbox, all of it, and the journal's files go to the quarantine.
 */

import { SampleColumns } from "../../model/sample-columns.ts"
import { columnsToFrame, bytesToFrame, type Frame } from "./frame.ts"
import { CorruptError } from "../../codec/corrupt.ts"
import { Journal } from "./journal.ts"
import { findAggregate } from "./memtable.ts"
import type { RepairContext } from "./repair-values.ts"
import { journalFiles } from "./store-files.ts"
import { foldedKey, keyToSequence, readFolded, sequenceKey } from "./tables.ts"

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
  for (const { key, value } of tables.inbox.getRange({})) {
    const frame = readFrame(value)
    if (frame !== null) frames.push({ sequence: keyToSequence(key), frame })
  }
  for (const { sequence, frame } of frames) {
    const columns = knownSamples(frame, known)
    const lost = frame.count - columns.count
    if (lost > 0) tell(`frame ${sequence}: ${lost} samples of lost series left out`)
    tables.inbox.putSync(sequenceKey(sequence), columnsToFrame(columns).bytes as Buffer)
  }
  quarantine.takeFiles(journalFiles(folder))
}

/** Null where it is damaged; the start tells and removes it. */
function readFrame(value: Uint8Array): Frame | null {
  try {
    return bytesToFrame(value)
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return null
  }
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
