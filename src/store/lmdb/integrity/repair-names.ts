/**
 * Repair of the names that wait in the journal: they go into their tables by their numbers, before
 * the repair of the catalogue looks for gaps there. So what is lost of either costs no name of the
 * other, and each number stays what it is.
 */

import { elementToDocument } from "../metadata/catalogue-table.ts"
import { readWal } from "../wal/wal.ts"
import { decodeSeriesRecord, type SeriesRecord } from "../wal/series-record.ts"
import { packDocument } from "../disk/record.ts"
import type { Table } from "../disk/table.ts"
import {
  indexKey,
  keyToIndex,
  packSequence,
  indexFlushedKey,
  readIndexFlushedSequence,
  type Tables,
} from "../disk/tables.ts"

/** To be called when `meta` and the keys are in order. */
export function repairNames(tables: Tables, folder: string): void {
  const published = readIndexFlushedSequence(tables)
  const waiting = readWal(folder).filter(({ sequence }) => sequence > published)
  if (!waiting.some(({ series }) => series !== null)) return
  tables.root.transactionSync(() => {
    for (const { sequence, series } of waiting) {
      if (series !== null) putSection(tables, decodeSeriesRecord(sequence, series))
    }
    tables.meta.put(indexFlushedKey, packSequence(waiting.at(-1)!.sequence))
  })
}

/** One that stands on fewer than there are was published, and only the number of that was lost. */
function putSection(tables: Tables, section: SeriesRecord): void {
  const { base, names, definitions, elements } = section
  const isLater =
    base.names >= countOf(tables.names) &&
    base.definitions >= countOf(tables.definitions) &&
    base.elements >= countOf(tables.elements)
  if (!isLater) return
  for (const [i, name] of names.entries()) putAt(tables.names, base.names + i, name)
  for (const [i, definition] of definitions.entries()) {
    putAt(tables.definitions, base.definitions + i, definition)
  }
  for (const { element, ...stored } of elements) {
    putAt(tables.elements, element, elementToDocument(stored))
  }
}

function putAt(table: Table, index: number, document: unknown): void {
  const key = indexKey(index)
  table.put(key, packDocument(key, document))
}

/** As many as were numbered, as far as the table tells. */
function countOf(table: Table): number {
  for (const key of table.getKeys({ reverse: true })) {
    if (key.length === indexKey(0).length) return keyToIndex(key) + 1
  }
  return 0
}
