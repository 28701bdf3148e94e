/**
 * Repair of series records in the WAL: their names, definitions and elements are added to the
 * catalogue tables by number, before the repair of the catalogue fills gaps. A loss in one place
 * then loses no entry of the other, and numbers never change.
 */

import { largestOf } from "../../../base/iterables.ts"
import { storedSeriesInts } from "../../../catalogue/catalogue.ts"
import { elementToDocument } from "../metadata/catalogue-table.ts"
import { readWal } from "../wal/segment-files.ts"
import { decodeSeriesRecord, type SeriesRecord } from "../wal/series-record.ts"
import { putNumbers, readNumbers, type StoredNumbers } from "../metadata/stored-numbers.ts"
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

/** Call after `meta` and keys have been repaired. */
export function repairNames(tables: Tables, folder: string): void {
  const indexFlushed = readIndexFlushedSequence(tables)
  const waiting = readWal(folder).records.filter(({ sequence }) => sequence > indexFlushed)
  if (!waiting.some(({ series }) => series !== null)) return
  tables.root.transactionSync(() => {
    for (const { sequence, series } of waiting) {
      if (series !== null) putSection(tables, decodeSeriesRecord(sequence, series))
    }
    tables.meta.put(indexFlushedKey, packSequence(waiting.at(-1)!.sequence))
  })
}

/** Skips a record whose base is below the tables' counts: it was flushed before. */
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
  const numbers = readNumbers(tables)
  if (numbers !== undefined) putNumbers(tables, numbersAfter(numbers, section))
}

/** All that a section numbers is new: series first, location last of its integers. */
function numbersAfter({ assigned, known }: StoredNumbers, section: SeriesRecord): StoredNumbers {
  const { base, names, definitions, elements } = section
  const integersAt = (at: number) =>
    elements.flatMap((one) => [...one.series].filter((_, i) => i % storedSeriesInts === at))
  const after = {
    names: base.names + names.length,
    definitions: base.definitions + definitions.length,
    elements: largestOf([base.elements - 1, ...elements.map(({ element }) => element)]) + 1,
    series: largestOf([base.series - 1, ...integersAt(0)]) + 1,
  }
  const partitions = Math.max(assigned.partitions, (largestOf([-1, ...integersAt(3)]) >> 8) + 1)
  return {
    assigned: { ...after, partitions },
    known: {
      names: known.names + after.names - assigned.names,
      definitions: known.definitions + after.definitions - assigned.definitions,
      elements: known.elements + after.elements - assigned.elements,
      series: known.series + after.series - assigned.series,
    },
  }
}

function putAt(table: Table, index: number, document: unknown): void {
  const key = indexKey(index)
  table.put(key, packDocument(key, document))
}

/** Returns the number of assigned numbers, according to the last key. */
function countOf(table: Table): number {
  for (const key of table.getKeys({ reverse: true })) {
    if (key.length === indexKey(0).length) return keyToIndex(key) + 1
  }
  return 0
}
