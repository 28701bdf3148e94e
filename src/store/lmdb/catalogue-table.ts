/**
 * The catalogue on disk. Names and definitions are numbered in order of appearance and never
 * change; an element's document is rewritten when the element changes, and every change leaves the
 * numbers of the changed elements in a log, by which a reader brings its replica up to date.
 */

import type { Catalogue, MetricName, StoredElement } from "../../catalogue/catalogue.ts"
import type { ElementInfo, MetricDefinition } from "../../model/element.ts"
import { packDocument, unpackDocument } from "./record.ts"
import { indexKey, keyToIndex, keyToSequence, sequenceKey, type Tables } from "./tables.ts"

/** Entries of the change log that are kept. A replica that is further behind loads everything. */
const logEntriesMax = 4096

/** What an element's document holds; `series` as raw bytes of Int32, little endian. */
type ElementDocument = [tenant: number, fqn: string, info: ElementInfo, series: Uint8Array]

/** Puts every change since the last `keepChanges`; inside the caller's transaction. */
export function putCatalogueChanges(tables: Tables, catalogue: Catalogue): void {
  const changes = catalogue.changes()
  for (let name = changes.firstName; name < catalogue.nameCount; name++) {
    tables.names.put(indexKey(name), packDocument(catalogue.name(name)))
  }
  for (let index = changes.firstDefinition; index < catalogue.definitionCount; index++) {
    tables.definitions.put(indexKey(index), packDocument(catalogue.definition(index)))
  }
  for (const element of changes.elements) {
    tables.elements.put(indexKey(element), packElement(catalogue.storedElement(element)))
  }
  const last = lastLogSequence(tables)
  const log = Buffer.from(Int32Array.from(changes.elements).buffer)
  tables.elementLog.put(sequenceKey(last + 1), log)
  if (last >= logEntriesMax) tables.elementLog.remove(sequenceKey(last + 1 - logEntriesMax))
}

/** Sequence of the newest log entry; 0 when there is none. */
export function lastLogSequence(tables: Tables): number {
  for (const key of tables.elementLog.getKeys({ reverse: true, limit: 1 })) {
    return keyToSequence(key)
  }
  return 0
}

/** Fills an empty catalogue from the store; returns the log sequence it stands at. */
export function loadCatalogue(tables: Tables, catalogue: Catalogue): number {
  const sequence = lastLogSequence(tables)
  loadNamesAndDefinitions(tables, catalogue)
  for (const { key, value } of tables.elements.getRange({})) {
    catalogue.loadElement(keyToIndex(key), unpackElement(value))
  }
  return sequence
}

/**
 * Brings a replica that stands at `sequence` up to date; returns where it stands then, or -1 where
 * the log no longer reaches back that far and the replica must be loaded anew.
 */
export function refreshCatalogue(tables: Tables, catalogue: Catalogue, sequence: number): number {
  const last = lastLogSequence(tables)
  if (last === sequence) return sequence
  if (last - sequence >= logEntriesMax) return -1
  const changed = new Set<number>()
  for (const { value } of tables.elementLog.getRange({ start: sequenceKey(sequence + 1) })) {
    for (let at = 0; at < value.length; at += 4) changed.add(value.readInt32LE(at))
  }
  loadNamesAndDefinitions(tables, catalogue)
  for (const element of [...changed].sort((left, right) => left - right)) {
    const bytes = tables.elements.get(indexKey(element))
    if (bytes !== undefined) catalogue.loadElement(element, unpackElement(bytes))
  }
  return last
}

function loadNamesAndDefinitions(tables: Tables, catalogue: Catalogue): void {
  for (const { value } of tables.names.getRange({ start: indexKey(catalogue.nameCount) })) {
    catalogue.loadName(unpackDocument(value) as MetricName)
  }
  const start = indexKey(catalogue.definitionCount)
  for (const { value } of tables.definitions.getRange({ start })) {
    catalogue.loadDefinition(unpackDocument(value) as MetricDefinition)
  }
}

export function packElement(element: StoredElement): Buffer {
  const { buffer, byteOffset, byteLength } = element.series
  const series = new Uint8Array(buffer, byteOffset, byteLength)
  const document: ElementDocument = [element.tenant, element.fqn, element.info, series]
  return packDocument(document)
}

export function unpackElement(bytes: Buffer): StoredElement {
  const [tenant, fqn, info, packed] = unpackDocument(bytes) as ElementDocument
  const series = new Int32Array(packed.byteLength / 4)
  new Uint8Array(series.buffer).set(packed)
  return { tenant, fqn, info, series }
}
