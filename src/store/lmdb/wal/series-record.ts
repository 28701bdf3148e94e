/**
 * Series record: the catalogue changes of one WAL record, after its batch.
 *
 *   counts before │ new names │ new definitions │ new and changed elements, complete
 *
 * It holds numbers, which are meaningful only after everything that was numbered before. Therefore
 * it has the counts of the catalogue before it, and a catalogue with other counts refuses it: an
 * earlier series record was damaged. They count the numbers assigned so far, which are never taken
 * back, so if the counts agree again after a damaged record, that record added nothing new.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue, MetricName, StoredElement } from "../../../catalogue/catalogue.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { ElementIndex, SeriesIndex } from "../../../model/ids.ts"
import type { MetricDefinition } from "../../../model/element.ts"
import {
  documentToElement,
  elementToDocument,
  type ElementDocument,
} from "../metadata/catalogue-table.ts"
import { openRecord, packDocument, unpackDocument } from "../disk/record.ts"
import { sequenceKey } from "../disk/tables.ts"

/** Number of things of each kind in a catalogue. */
export interface CatalogueCounts {
  readonly elements: number
  readonly names: number
  readonly definitions: number
  readonly series: SeriesIndex
}

export interface SeriesRecord {
  /** Counts of the catalogue before the record. */
  readonly base: CatalogueCounts
  readonly names: readonly MetricName[]
  readonly definitions: readonly MetricDefinition[]
  /** In order of their numbers. */
  readonly elements: readonly (StoredElement & { readonly element: ElementIndex })[]
}

type SeriesDocument = [
  base: [elements: number, names: number, definitions: number, series: SeriesIndex],
  names: MetricName[],
  definitions: MetricDefinition[],
  elements: [element: ElementIndex, document: ElementDocument][],
]

export function countsOf(catalogue: Catalogue): CatalogueCounts {
  return {
    elements: catalogue.elementCount,
    names: catalogue.nameCount,
    definitions: catalogue.definitionCount,
    series: catalogue.seriesCount,
  }
}

/**
 * Encodes the changes since the last `markStored` for the record of this sequence number, in a
 * buffer of its own. `base`: the counts of the catalogue then.
 */
export function encodeSeriesRecord(
  sequence: number,
  catalogue: Catalogue,
  base: CatalogueCounts,
): Uint8Array {
  const { elements, firstName, firstDefinition } = catalogue.changes()
  assert(firstName === base.names, "Expected all names since the counts")
  assert(firstDefinition === base.definitions, "Expected all definitions since the counts")
  const document: SeriesDocument = [
    [base.elements, base.names, base.definitions, base.series],
    range(firstName, catalogue.nameCount).map((name) => catalogue.name(name)),
    range(firstDefinition, catalogue.definitionCount).map((index) => catalogue.definition(index)),
    elements
      .filter((element) => catalogue.isKnownElement(element))
      .sort((left, right) => left - right)
      .map((element) => [element, elementToDocument(catalogue.storedElement(element))]),
  ]
  return packDocument(sequenceKey(sequence), document)
}

/** Throws CorruptError if these bytes were not written into the record of this sequence number. */
export function checkSeriesRecord(sequence: number, bytes: Uint8Array): void {
  openRecord(sequenceKey(sequence), bytes)
}

/** Throws CorruptError. */
export function decodeSeriesRecord(sequence: number, bytes: Uint8Array): SeriesRecord {
  const document = unpackDocument(sequenceKey(sequence), bytes)
  if (!Array.isArray(document) || document.length !== 4) {
    throw new CorruptError(`Expected the names of record ${sequence}, got something else`)
  }
  const [base, names, definitions, stored] = document as SeriesDocument
  const [elements, nameCount, definitionCount, series] = base
  return {
    base: { elements, names: nameCount, definitions: definitionCount, series },
    names,
    definitions,
    elements: stored.map(([element, each]) => ({ element, ...documentToElement(each) })),
  }
}

/**
 * Applies a series record to a catalogue. Returns false, and changes nothing, if it does not follow
 * the current state. Marks nothing as changed.
 */
export function applySeriesRecord(catalogue: Catalogue, record: SeriesRecord): boolean {
  const { base, names, definitions, elements } = record
  const have = countsOf(catalogue)
  const isBase =
    have.elements === base.elements &&
    have.names === base.names &&
    have.definitions === base.definitions &&
    have.series === base.series
  if (!isBase) return false
  for (const [i, name] of names.entries()) catalogue.loadName(name, base.names + i)
  for (const [i, definition] of definitions.entries()) {
    catalogue.loadDefinition(definition, base.definitions + i)
  }
  for (const { element, ...stored } of elements) catalogue.loadElement(element, stored)
  assert(catalogue.nameCount === base.names + names.length, "Expected to load each name once")
  const definitionCount = base.definitions + definitions.length
  assert(catalogue.definitionCount === definitionCount, "Expected to load each definition once")
  return true
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
