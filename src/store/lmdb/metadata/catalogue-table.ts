/**
 * The catalogue on disk. Names and definitions are numbered in order of appearance and never
 * change; an element's document is rewritten when the element changes, and every change leaves the
 * numbers of the changed elements in a log, by which a reader brings its replica up to date.
 */

import type {
  Catalogue,
  CatalogueChanges,
  MetricName,
  StoredElement,
} from "../../../catalogue/catalogue.ts"
import { ByteReader } from "../../../codec/bytes.ts"
import type { ElementInfo, MetricDefinition } from "../../../model/element.ts"
import { encodeRecord, openRecord, packDocument, unpackDocument } from "../disk/record.ts"
import { indexKey, keyToIndex, keyToSequence, sequenceKey, type Tables } from "../disk/tables.ts"

/** Entries of the change log that are kept. A replica that is further behind loads everything. */
const logEntriesMax = 4096
/** Of an element in an entry of the log, u32. */
const elementBytes = 4

/** What an element's document holds; `series` as raw bytes of Int32, little endian. */
export type ElementDocument = [tenant: number, fqn: string, info: ElementInfo, series: Uint8Array]

/** Puts what is named as changed, as it is now; inside the caller's transaction. */
export function putCatalogueChanges(
  tables: Tables,
  catalogue: Catalogue,
  changes: CatalogueChanges,
): void {
  for (let name = changes.firstName; name < catalogue.nameCount; name++) {
    const key = indexKey(name)
    tables.names.put(key, packDocument(key, catalogue.name(name)))
  }
  for (let index = changes.firstDefinition; index < catalogue.definitionCount; index++) {
    const key = indexKey(index)
    tables.definitions.put(key, packDocument(key, catalogue.definition(index)))
  }
  for (const element of changes.elements) {
    const key = indexKey(element)
    tables.elements.put(key, packElement(key, catalogue.storedElement(element)))
  }
  const last = lastLogSequence(tables)
  const key = sequenceKey(last + 1)
  tables.elementLog.put(key, packLogEntry(key, changes.elements))
  if (last >= logEntriesMax) tables.elementLog.remove(sequenceKey(last + 1 - logEntriesMax))
}

function packLogEntry(key: Buffer, elements: Iterable<number>): Buffer {
  const list = new Uint8Array(Int32Array.from(elements).buffer)
  return encodeRecord(key, (writer) => writer.append(list)) as Buffer
}

/** True of an entry of before format 4, numbers alone; a record has nine bytes before them. */
export function isBareLogEntry(length: number): boolean {
  return length % elementBytes === 0
}

/** The elements that a log entry names. Throws CorruptError. */
function* unpackLogEntry(key: Buffer, value: Buffer): Generator<number> {
  const isBare = isBareLogEntry(value.length)
  const reader = isBare ? new ByteReader(value) : openRecord(key, value)
  while (reader.position < reader.end) yield reader.u32()
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
    catalogue.loadElement(keyToIndex(key), unpackElement(key, value))
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
  for (const { key, value } of tables.elementLog.getRange({ start: sequenceKey(sequence + 1) })) {
    for (const element of unpackLogEntry(key, value)) changed.add(element)
  }
  loadNamesAndDefinitions(tables, catalogue)
  for (const element of [...changed].sort((left, right) => left - right)) {
    const key = indexKey(element)
    const bytes = tables.elements.get(key)
    if (bytes !== undefined) catalogue.loadElement(element, unpackElement(key, bytes))
  }
  return last
}

function loadNamesAndDefinitions(tables: Tables, catalogue: Catalogue): void {
  for (const { key, value } of tables.names.getRange({ start: indexKey(catalogue.nameCount) })) {
    catalogue.loadName(unpackDocument(key, value) as MetricName)
  }
  const start = indexKey(catalogue.definitionCount)
  for (const { key, value } of tables.definitions.getRange({ start })) {
    catalogue.loadDefinition(unpackDocument(key, value) as MetricDefinition)
  }
}

/** The record of an element, to stand under `key`. */
export function packElement(key: Buffer, element: StoredElement): Buffer {
  return packDocument(key, elementToDocument(element))
}

/** The element whose record was found under `key`. Throws CorruptError. */
export function unpackElement(key: Buffer, bytes: Buffer): StoredElement {
  return documentToElement(unpackDocument(key, bytes) as ElementDocument)
}

/** A view on the element. */
export function elementToDocument({ tenant, fqn, info, series }: StoredElement): ElementDocument {
  return [tenant, fqn, info, new Uint8Array(series.buffer, series.byteOffset, series.byteLength)]
}

/** A copy: the bytes of a document may be volatile and are not aligned. */
export function documentToElement([tenant, fqn, info, packed]: ElementDocument): StoredElement {
  const series = new Int32Array(packed.byteLength / 4)
  new Uint8Array(series.buffer).set(packed)
  return { tenant, fqn, info, series }
}
