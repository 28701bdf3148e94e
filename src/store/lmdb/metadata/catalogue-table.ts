/**
 * The catalogue on disk. Names and definitions are numbered in order of appearance and never
 * change. An element's document is rewritten when the element changes and removed when it is
 * forgotten, and every change appends the numbers of these elements to a log, from which a reader
 * updates its replica.
 */

import { assert } from "../../../base/assert.ts"
import type {
  Catalogue,
  CatalogueChanges,
  MetricName,
  StoredElement,
  UnusedNumbers,
} from "../../../catalogue/catalogue.ts"
import { ByteReader } from "../../../codec/bytes.ts"
import type { TenantIndex } from "../../../model/ids.ts"
import type { ElementInfo, MetricDefinition } from "../../../model/element.ts"
import type { StateChange } from "../../cycle-store.ts"
import { encodeRecord, openRecord, packDocument, unpackDocument } from "../disk/record.ts"
import type { Table } from "../disk/table.ts"
import { indexKey, keyToIndex, keyToSequence, sequenceKey, type Tables } from "../disk/tables.ts"
import { listStates } from "./states.ts"
import { numbersOf, putNumbers, readNumbers, type StoredNumbers } from "./stored-numbers.ts"

/** Number of log entries that are kept. A replica further behind reloads everything. */
const logEntriesMax = 4096
/** Bytes of an element number in a log entry, u32. */
const elementBytes = 4

/** Content of an element's document; `series` as raw bytes of Int32, little endian. */
export type ElementDocument = [
  tenant: TenantIndex,
  fqn: string,
  info: ElementInfo,
  series: Uint8Array,
]

/** Writes the current state of everything that changed, inside the caller's transaction. */
export function putCatalogueChanges(
  tables: Tables,
  catalogue: Catalogue,
  changes: CatalogueChanges,
): void {
  assert(changes.firstName <= catalogue.nameCount, "Expected names of the catalogue")
  assert(changes.firstDefinition <= catalogue.definitionCount, "Expected definitions of it, too")
  for (let name = changes.firstName; name < catalogue.nameCount; name++) {
    if (!catalogue.isKnownName(name)) continue
    const key = indexKey(name)
    tables.names.put(key, packDocument(key, catalogue.name(name)))
  }
  for (let index = changes.firstDefinition; index < catalogue.definitionCount; index++) {
    if (!catalogue.isKnownDefinition(index)) continue
    const key = indexKey(index)
    tables.definitions.put(key, packDocument(key, catalogue.definition(index)))
  }
  for (const element of changes.elements) {
    assert(element < catalogue.elementCount, "Expected an element of the catalogue")
    const key = indexKey(element)
    if (!catalogue.isKnownElement(element)) tables.elements.remove(key)
    else tables.elements.put(key, packElement(key, catalogue.storedElement(element)))
  }
  putNumbers(tables, numbersOf(catalogue))
  const last = lastLogSequence(tables)
  const key = sequenceKey(last + 1)
  tables.elementLog.put(key, packLogEntry(key, changes.elements))
  if (last >= logEntriesMax) tables.elementLog.remove(sequenceKey(last + 1 - logEntriesMax))
}

/** Removes names and definitions that no series uses, inside the caller's transaction. */
export function removeUnused(tables: Tables, { names, definitions }: UnusedNumbers): void {
  for (const name of names) tables.names.remove(indexKey(name))
  for (const index of definitions) tables.definitions.remove(indexKey(index))
}

/** Kind of the states that hold how many slots of a block were assigned: u32, by block. */
const assignedSlotsKind = "assignedSlots"

/** The state by which the slots of forgotten series at the end of a block stay assigned. */
export function assignedSlotsState(block: number, slots: number): StateChange {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(slots)
  return { kind: assignedSlotsKind, key: indexKey(block), bytes: slots === 0 ? null : bytes }
}

function packLogEntry(key: Buffer, elements: Iterable<number>): Buffer {
  const list = new Uint8Array(Int32Array.from(elements).buffer)
  return encodeRecord(key, (writer) => writer.append(list)) as Buffer
}

/**
 * True for the length of an entry before format 4, without an envelope; a record has nine bytes
 * more.
 */
export function isBareLogEntry(length: number): boolean {
  return length % elementBytes === 0
}

/** The elements in a log entry. Throws CorruptError. */
function* unpackLogEntry(key: Buffer, value: Buffer): Generator<number> {
  const isBare = isBareLogEntry(value.length)
  const reader = isBare ? new ByteReader(value) : openRecord(key, value)
  while (reader.position < reader.end) yield reader.u32()
}

/** Sequence of the newest log entry; 0 if there is none. */
export function lastLogSequence(tables: Tables): number {
  const key = tables.elementLog.lastKey()
  return key === undefined ? 0 : keyToSequence(key)
}

/** Fills an empty catalogue from the store; returns its log sequence. */
export function loadCatalogue(tables: Tables, catalogue: Catalogue): number {
  const sequence = lastLogSequence(tables)
  loadNamesAndDefinitions(tables, catalogue)
  for (const { key, value } of tables.elements.getRange({})) {
    catalogue.loadElement(keyToIndex(key), unpackElement(key, value))
  }
  const numbers = readNumbers(tables)
  if (numbers !== undefined) catalogue.reserveNumbers(numbers.assigned)
  for (const { key, bytes } of listStates(tables, assignedSlotsKind)) {
    const slots = Buffer.from(bytes).readUInt32LE()
    catalogue.reservePartition(Buffer.from(key).readUInt32BE(), slots)
  }
  catalogue.markStored()
  return sequence
}

/**
 * Updates a replica from log sequence `sequence`. Returns the new sequence, or -1 if the log no
 * longer reaches back that far and the replica must be reloaded.
 */
export function refreshCatalogue(tables: Tables, catalogue: Catalogue, sequence: number): number {
  const last = lastLogSequence(tables)
  if (last === sequence) return sequence
  assert(last > sequence, "Expected the log to grow")
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
    else if (catalogue.isKnownElement(element)) catalogue.forgetElement(element)
  }
  const numbers = readNumbers(tables)
  if (numbers !== undefined) followNumbers(tables, catalogue, numbers)
  catalogue.markStored()
  return last
}

/** Forgets names and definitions that the tables have no more. */
function followNumbers(tables: Tables, catalogue: Catalogue, numbers: StoredNumbers): void {
  catalogue.reserveNumbers(numbers.assigned)
  const { names, definitions } = numbers.known
  const { known } = catalogue
  if (names === known.names && definitions === known.definitions) return
  const missing = (table: Table, known: Iterable<number>): number[] => {
    const stored = new Set(Array.from(table.getKeys({}), (key) => keyToIndex(key)))
    return [...known].filter((index) => !stored.has(index))
  }
  catalogue.forgetUnused({
    names: missing(tables.names, catalogue.names()),
    definitions: missing(tables.definitions, catalogue.definitionNumbers()),
  })
}

function loadNamesAndDefinitions(tables: Tables, catalogue: Catalogue): void {
  for (const { key, value } of tables.names.getRange({ start: indexKey(catalogue.nameCount) })) {
    catalogue.loadName(unpackDocument(key, value) as MetricName, keyToIndex(key))
  }
  const start = indexKey(catalogue.definitionCount)
  for (const { key, value } of tables.definitions.getRange({ start })) {
    catalogue.loadDefinition(unpackDocument(key, value) as MetricDefinition, keyToIndex(key))
  }
}

/** Encodes the record of an element for `key`. */
export function packElement(key: Buffer, element: StoredElement): Buffer {
  return packDocument(key, elementToDocument(element))
}

/** Decodes the element whose record was found under `key`. Throws CorruptError. */
export function unpackElement(key: Buffer, bytes: Buffer): StoredElement {
  return documentToElement(unpackDocument(key, bytes) as ElementDocument)
}

/** A view of the element. */
export function elementToDocument({ tenant, fqn, info, series }: StoredElement): ElementDocument {
  return [tenant, fqn, info, new Uint8Array(series.buffer, series.byteOffset, series.byteLength)]
}

/** A copy: the bytes of a document may be volatile and are not aligned. */
export function documentToElement([tenant, fqn, info, packed]: ElementDocument): StoredElement {
  assert(packed.byteLength % 4 === 0, "Expected whole numbers")
  const series = new Int32Array(packed.byteLength / 4)
  new Uint8Array(series.buffer).set(packed)
  return { tenant, fqn, info, series }
}
