/**
 * Repair of unflushed batches: writes a log without damaged records and without samples whose
 * series are lost, and moves the files that it replaces to the quarantine.
 */

import { join } from "node:path"
import {
  dropEarlierBatches,
  readEarlierBatches,
  withEarlierBatches,
  type EarlierBatch,
} from "../wal/earlier-batches.ts"
import { withoutUnknownSeries } from "../wal/known-series.ts"
import type { PendingBatch } from "../wal/memtable.ts"
import type { WalRecord } from "../wal/segment.ts"
import { readWal, removeUnfinishedSegments, writeSegment } from "../wal/segment-files.ts"
import type { RepairDeps } from "./repair-values.ts"
import { walFile, walFileNumber, walFiles } from "../disk/store-files.ts"
import { earlierTableName, readFlushedSequence } from "../disk/tables.ts"

const lostBatch = "a batch of unflushed samples, unless it was never acknowledged"

/**
 * `known`: the series, if any may have been lost; null otherwise. Then the log is left to the next
 * start, which reports damaged records and removes them, unless LMDB has damaged batches.
 */
export function repairWal(
  deps: RepairDeps,
  folder: string,
  known: ReadonlySet<number> | null,
): void {
  const { tables, quarantine } = deps
  const earlier = readEarlierBatches(tables)
  if (known === null && earlier.every(({ batch }) => batch !== null)) return
  reportDamaged(deps, earlier)
  const flushed = readFlushedSequence(tables)
  const { records, corruptions } = readWal(folder)
  for (const { path, offset, bytes, reason } of corruptions) {
    deps.report(`${path}, ${bytes} bytes at ${offset}: set aside: ${reason}`)
    deps.losses.add(lostBatch)
  }
  const unflushed = records.filter(({ sequence }) => sequence > flushed)
  const kept = withEarlierBatches(unflushed, earlier).map((record) => {
    return known === null ? record : knownPart(deps, record, known)
  })
  removeUnfinishedSegments(folder)
  const replaced = walFiles(folder)
  const number = replaced.length === 0 ? 0 : walFileNumber(replaced.at(-1)!)! + 1
  if (kept.length > 0) writeSegment(join(folder, walFile(number)), kept)
  quarantine.addFiles(replaced)
  dropEarlierBatches(tables)
}

function reportDamaged(
  { quarantine, report, losses }: RepairDeps,
  earlier: readonly EarlierBatch[],
): void {
  for (const { key, value, sequence, batch, problem } of earlier) {
    if (batch !== null) continue
    quarantine.addValue(earlierTableName, key, value)
    report(`batch ${sequence}: set aside: ${problem}`)
    losses.add(lostBatch)
  }
}

function knownPart(
  { report, losses }: RepairDeps,
  { sequence, batch }: WalRecord,
  known: ReadonlySet<number>,
): PendingBatch {
  const kept = withoutUnknownSeries(batch, sequence, (series) => known.has(series))
  const lost = batch.count - kept.count
  if (lost > 0) {
    report(`batch ${sequence}: ${lost} samples of lost series left out`)
    losses.add(`${lost} unflushed samples, of series that are lost`)
  }
  return { sequence, batch: kept }
}
