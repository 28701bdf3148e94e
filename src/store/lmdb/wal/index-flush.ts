/**
 * Publishing: the catalogue's tables in LMDB lag behind the journal, and are brought up to it in
 * one transaction for many appends.
 *
 *   append ─► journal: frame and names ···· durable, known to the writer
 *                       │ publish
 *                       ▼
 *             names, definitions, elements, elementLog, meta/published ···· seen by readers
 *
 * LMDB always holds all names up to a number and none after it. A transaction for each append cost
 * 1.7 ms of CPU where names came with most of them: a dozen scattered pages, two syncs.
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { putCatalogueChanges } from "../metadata/catalogue-table.ts"
import {
  applySeriesRecord,
  countsOf,
  encodeSeriesRecord,
  type CatalogueCounts,
} from "./series-record.ts"
import type { SeriesRecord } from "./series-record.ts"
import { packSequence, indexFlushedKey, type Tables } from "../disk/tables.ts"

/**
 * Names that nobody asked for wait so long for company: where a fleet starts, two appends in three
 * bring some. A damaged record costs the names that came after it until then, so not longer.
 */
export const indexFlushPauseMs = 1000
/** Changed elements that wait at most: publishing them takes 6 to 10 ms, which posts wait for. */
const pendingElementsMax = 500

export class IndexFlush {
  private readonly tables: Tables
  private readonly catalogue: Catalogue
  /** What LMDB lacks: these elements, and names and definitions from these numbers on. */
  private readonly elements = new Set<number>()
  private firstName = 0
  private firstDefinition = 0
  /** Since when anything waits, monotonic milliseconds; Infinity where nothing does. */
  private sinceMs = Infinity
  /** What the catalogue had when all of it was durable last. */
  private durable: CatalogueCounts

  constructor(tables: Tables, catalogue: Catalogue) {
    this.tables = tables
    this.catalogue = catalogue
    this.durable = countsOf(catalogue)
  }

  /** True where the journal has names that LMDB has not. */
  get isPending(): boolean {
    return this.sinceMs < Infinity
  }

  /** True where no more should wait. */
  get isFull(): boolean {
    return this.elements.size >= pendingElementsMax
  }

  /** `runSync`: where nothing better is to be done, or somebody waits. */
  isDue(elapsedMs: number, atOnce: boolean): boolean {
    return this.isPending && (atOnce || elapsedMs - this.sinceMs >= indexFlushPauseMs)
  }

  /** To be called when the catalogue is as LMDB has it. */
  reset(): void {
    this.elements.clear()
    this.firstName = this.catalogue.nameCount
    this.firstDefinition = this.catalogue.definitionCount
    this.sinceMs = Infinity
    this.durable = countsOf(this.catalogue)
  }

  /** The names section of the record of this number: what is not durable yet. */
  encodeRecord(sequence: number): Uint8Array {
    return encodeSeriesRecord(sequence, this.catalogue, this.durable)
  }

  /** Notes that all changes of the catalogue are durable now, in the journal. */
  markDurable(elapsedMs: number): void {
    this.note(this.catalogue.changes().elements, elapsedMs)
    this.catalogue.markStored()
  }

  /** Takes a section of the journal into the catalogue; false where it does not stand on that. */
  replay(section: SeriesRecord, elapsedMs: number): boolean {
    if (!applySeriesRecord(this.catalogue, section)) return false
    this.note(
      section.elements.map(({ element }) => element),
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
   * Puts what waits, and changes of the catalogue that are nowhere yet; inside the caller's
   * transaction, after which `markFlushed` is to be called. `sequence`: the newest number given.
   */
  put(sequence: number): void {
    const changes = this.catalogue.changes()
    if (this.isPending || this.catalogue.hasChanges()) {
      putCatalogueChanges(this.tables, this.catalogue, {
        elements: [...new Set([...this.elements, ...changes.elements])],
        firstName: this.firstName,
        firstDefinition: this.firstDefinition,
      })
    }
    this.tables.meta.put(indexFlushedKey, packSequence(sequence))
  }

  markFlushed(): void {
    this.catalogue.markStored()
    this.reset()
  }
}
