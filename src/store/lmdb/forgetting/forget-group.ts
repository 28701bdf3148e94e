/**
 * Forgets a group of elements and series in one transaction: they leave the catalogue tables, and
 * what is kept of them leaves `states`. A crash leaves all of it or nothing; it is then done again.
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex } from "../../../model/ids.ts"
import { dayMs } from "../../../model/resolution.ts"
import type { RowStates, StateChange } from "../../cycle-store.ts"
import { lateNoteKind } from "../../late-notes.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { readWatermarks } from "../disk/retention-watermarks.ts"
import type { Table } from "../disk/table.ts"
import {
  columnKey,
  indexKey,
  keyToIndex,
  periodKey,
  type BlockIndex,
  type Tables,
} from "../disk/tables.ts"
import type { WriteBuffer } from "../disk/write-buffer.ts"
import { assignedSlotsState } from "../metadata/catalogue-table.ts"
import { listStates, putState } from "../metadata/states.ts"
import { lastSeen } from "../read/last-seen.ts"
import type { ReaderWorkspace } from "../read/reader-workspace.ts"
import type { Memtable } from "../wal/memtable.ts"

/** Elements, and series of other elements. */
export interface ForgetGroup {
  readonly elements: ElementIndex[]
  readonly series: SeriesIndex[]
}

/** A few milliseconds a transaction, as that of a closing: an element has some hundred states. */
export const elementsPerGroup = 16

interface ForgetDeps {
  readonly tables: Tables
  readonly catalogue: Catalogue
  readonly workspace: ReaderWorkspace
  readonly memtable: Memtable
  readonly writes: WriteBuffer
  readonly rowStates: RowStates
}

/**
 * Puts what follows from forgetting a group into the write buffer: without what got a value since.
 * Returns what forgets it in the catalogue, to be called by the commit of the buffer, which still
 * needs to know whose blocks they are; null if nothing is left to forget.
 */
export function forgetGroup(
  deps: ForgetDeps,
  group: ForgetGroup,
  nowMs: number,
): (() => void) | null {
  const { catalogue } = deps
  const heard = new Heard(deps, group, nowMs)
  const elements = group.elements.filter((element) => !heard.hasElement(element))
  const series = group.series.filter((one) => catalogue.isKnownSeries(one) && !heard.has(one))
  if (elements.length + series.length === 0) return null
  for (const element of elements) removeStates(deps, element)
  removeRows(deps, series)
  removeFromBlocks(deps, [
    ...elements.flatMap((one) => [...catalogue.elementSeries(one)]),
    ...series,
  ])
  return () => {
    for (const element of elements) catalogue.forgetElement(element)
    for (const one of series) catalogue.forgetSeries(one)
  }
}

/** Notes the slots that stay assigned, and removes what is left of blocks that lose all series. */
function removeFromBlocks(deps: ForgetDeps, series: readonly SeriesIndex[]): void {
  const { catalogue, tables, writes } = deps
  const gone = new Set(series)
  for (const block of new Set(series.map((one) => catalogue.partitionOf(one)))) {
    const members = catalogue.partitionSeries(block)
    const isEmpty = members.every((one) => one < 0 || gone.has(one))
    putState(tables, writes, assignedSlotsState(block, isEmpty ? 0 : members.length))
    if (isEmpty) removeBlock(deps, block)
  }
}

/**
 * Removes the records of a block without values: those of days that are about to be dropped, and of
 * the days after them, on which a closing expected values.
 */
function removeBlock({ tables, writes }: ForgetDeps, block: BlockIndex): void {
  const { PT24H: first } = readWatermarks(tables)
  const [oldest = first] = Array.from(tables.days.getKeys({ limit: 1 }), (key) => keyToIndex(key))
  const removeIf = (table: Table, key: Buffer): void => {
    if (table.doesExist(key)) writes.remove(table, key)
  }
  for (let day = Math.min(oldest, first); day < first + expectedDays; day++) {
    for (const table of [tables.bands, tables.hours, tables.days]) {
      removeIf(table, periodKey(day, block))
    }
    for (const [column] of cellColumnNames.entries()) {
      removeIf(tables.cells, columnKey(day, block, column))
    }
  }
}

/** Days after its last value in which a series may have bands; it is inactive after some hours. */
const expectedDays = 3

/** Series of a group that got a value since they were found without one. */
class Heard {
  private readonly catalogue: Catalogue
  private readonly series: ReadonlySet<SeriesIndex>

  constructor(deps: ForgetDeps, { elements, series }: ForgetGroup, nowMs: number) {
    const { catalogue, workspace, memtable } = deps
    this.catalogue = catalogue
    const all = elements.flatMap((element) => [...catalogue.elementSeries(element)])
    const asked = Int32Array.from([...all, ...series])
    const waiting = memtable.select(asked, { startMs: -Infinity, endMs: Infinity })
    // A closing may have written a value since, and no flush: one job runs at a time.
    const span = { startMs: nowMs - dayMs, endMs: nowMs + dayMs }
    const seenMs = lastSeen(workspace, catalogue, { series: asked, span, onlyWhether: true })
    const stored = asked.filter((_, i) => !Number.isNaN(seenMs[i]!))
    this.series = new Set([...waiting.series.subarray(0, waiting.count), ...stored])
  }

  has(series: SeriesIndex): boolean {
    return this.series.has(series)
  }
  hasElement(element: ElementIndex): boolean {
    return this.catalogue.elementSeries(element).some((one) => this.has(one))
  }
}

/** Removes all states of an element. */
function removeStates({ tables, writes, rowStates }: ForgetDeps, element: ElementIndex): void {
  for (const state of statesOf(tables, [...rowStates.kinds, lateNoteKind], element)) {
    putState(tables, writes, { ...state, bytes: null })
  }
}

/** The states of these kinds that an element has. */
function* statesOf(
  tables: Tables,
  kinds: readonly string[],
  element: ElementIndex,
): Generator<StateChange & { readonly bytes: Uint8Array }> {
  const range = { from: indexKey(element), to: indexKey(element + 1) }
  for (const kind of kinds) {
    for (const { key, bytes } of listStates(tables, kind, range)) yield { kind, key, bytes }
  }
}

/** Removes the rows of series from the states of their elements, which remain. */
function removeRows(deps: ForgetDeps, series: readonly SeriesIndex[]): void {
  const { catalogue, tables, writes, rowStates } = deps
  const gone = new Set(series)
  for (const element of new Set(series.map((one) => catalogue.seriesElement(one)))) {
    const list = catalogue.elementSeries(element)
    const rows = [...list.keys()].filter((row) => gone.has(list[row]!))
    for (const { kind, key, bytes } of statesOf(tables, rowStates.kinds, element)) {
      putState(tables, writes, { kind, key, bytes: rowStates.withoutRows(kind, bytes, rows) })
    }
  }
}
