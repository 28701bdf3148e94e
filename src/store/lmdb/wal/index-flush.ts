/**
 * Index flush: the catalogue tables in LMDB lag behind the WAL and are updated in one transaction
 * for many appends.
 *
 *   append ─► WAL: batch and series record ···· durable, known to the writer
 *                       │ index flush
 *                       ▼
 *             names, definitions, elements, elementLog, meta/published ···· seen by readers
 *
 * LMDB always has all series up to a sequence number and none after it. A transaction for each
 * append cost 1.7 ms of CPU while most appends brought new series: a dozen scattered pages, two
 * syncs.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue, UnusedNumbers } from "../../../catalogue/catalogue.ts"
import { putCatalogueChanges, removeUnused } from "../metadata/catalogue-table.ts"
import {
  applySeriesRecord,
  countsOf,
  encodeSeriesRecord,
  type CatalogueCounts,
} from "./series-record.ts"
import type { SeriesRecord } from "./series-record.ts"
import {
  indexFlushedKey,
  packSequence,
  readIndexFlushedSequence,
  type Tables,
} from "../disk/tables.ts"

/**
 * Maximum wait of new series that no reader has requested: while a fleet starts, two appends in
 * three bring some. Not longer, because a damaged record costs the series that came after it until
 * the next index flush.
 */
const indexFlushPauseMs = 1000
/**
 * Maximum number of changed elements that wait: flushing them takes 6 to 10 ms, during which ingest
 * waits.
 */
const pendingElementsMax = 500

const noneUnused: UnusedNumbers = { names: [], definitions: [] }

export class IndexFlush {
  private readonly tables: Tables
  private readonly catalogue: Catalogue
  /**
   * Changes that LMDB lacks: these elements, and the names and definitions from these numbers on.
   */
  private readonly elements = new Set<number>()
  private firstName = 0
  private firstDefinition = 0
  /** Start of the wait in monotonic milliseconds; Infinity if nothing waits. */
  private sinceMs = Infinity
  /** Counts of the catalogue when all of it was last durable. */
  private durable: CatalogueCounts

  constructor(tables: Tables, catalogue: Catalogue) {
    this.tables = tables
    this.catalogue = catalogue
    this.durable = countsOf(catalogue)
  }

  /** True if the WAL has series that LMDB lacks. */
  get isPending(): boolean {
    return this.sinceMs < Infinity
  }

  /** True if an append should flush first. */
  get isFull(): boolean {
    return this.elements.size >= pendingElementsMax
  }

  /** `atOnce`: true if the writer is idle or a reader waits. */
  isDue(elapsedMs: number, atOnce: boolean): boolean {
    return this.isPending && (atOnce || elapsedMs - this.sinceMs >= indexFlushPauseMs)
  }

  /** Call it when the catalogue equals that in LMDB. */
  reset(): void {
    this.elements.clear()
    this.firstName = this.catalogue.nameCount
    this.firstDefinition = this.catalogue.definitionCount
    this.sinceMs = Infinity
    this.durable = countsOf(this.catalogue)
  }

  /** Encodes the series record of this sequence number: the changes that are not durable yet. */
  encodeRecord(sequence: number): Uint8Array {
    return encodeSeriesRecord(sequence, this.catalogue, this.durable)
  }

  /** Notes that all changes of the catalogue are durable in the WAL. */
  markDurable(elapsedMs: number): void {
    this.note(this.catalogue.changes().elements, elapsedMs)
    this.catalogue.markStored()
  }

  /**
   * Applies a series record of the WAL to the catalogue. Returns false if it does not follow the
   * current state.
   */
  replay(record: SeriesRecord, elapsedMs: number): boolean {
    if (!applySeriesRecord(this.catalogue, record)) return false
    this.note(
      record.elements.map(({ element }) => element),
      elapsedMs,
    )
    return true
  }

  private note(elements: readonly number[], elapsedMs: number): void {
    for (const element of elements) this.elements.add(element)
    this.sinceMs = Math.min(this.sinceMs, elapsedMs)
    this.durable = countsOf(this.catalogue)
  }

  /**
   * Writes the waiting changes, and changes of the catalogue that are not in the WAL, inside the
   * caller's transaction; call `markFlushed` after it. `sequence`: the newest number assigned.
   * `unused`: what the catalogue has forgotten of names and definitions.
   */
  put(sequence: number, unused: UnusedNumbers = noneUnused): void {
    const changes = this.catalogue.changes()
    removeUnused(this.tables, unused)
    if (this.isPending || this.catalogue.hasChanges() || unused !== noneUnused) {
      putCatalogueChanges(this.tables, this.catalogue, {
        elements: [...new Set([...this.elements, ...changes.elements])],
        firstName: this.firstName,
        firstDefinition: this.firstDefinition,
      })
    }
    assert(sequence >= readIndexFlushedSequence(this.tables), "Expected the index to move on")
    this.tables.meta.put(indexFlushedKey, packSequence(sequence))
  }

  markFlushed(): void {
    this.catalogue.markStored()
    this.reset()
  }
}
