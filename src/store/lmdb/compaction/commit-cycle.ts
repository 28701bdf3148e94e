/**
 * The closing of one cycle batch, as writes that are committed together.
 *
 *   gap fills, computed values, actual kinds ─► recent cells of each block that they change
 *   bands                                    ─► recent bands
 *   states, marker                           ─► unchanged
 *
 * A gap fill is stored if the cell has no observation; a later flush replaces it (cycle-merge.ts).
 * On a compacted day the changed slots become recent cells, which override the compacted ones.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import {
  assertCells,
  clearCells,
  setSynthetic,
  flagComputed,
  flagGapFill,
  isCounterCell,
  isPresent,
  changeActualKind,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { Contributions } from "../../../rollup/contribution.ts"
import { bandFieldCount, type ComputedColumns, type CycleBatch } from "../../cycle-store.ts"
import { readRecentBands } from "../tiers/bands.ts"
import { packRecentBands } from "../encoding/bands-record.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import type { JobDeps } from "./job.ts"
import { rawToCell } from "../tiers/raw-to-cell.ts"
import { packRecentCells, readRecentCells, readRecentRaw } from "../tiers/recent.ts"
import { isCompacted } from "../tiers/compacted-cells.ts"
import { isClosed, markClosed, putState } from "../metadata/states.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { periodKey, type SlotIndex, type BlockIndex, type Tables } from "../disk/tables.ts"
import type { SeriesIndex } from "../../../model/ids.ts"

/**
 * False if the batch is closed, or names what was forgotten since its evaluation. Asserts that the
 * batch is consistent and fits the catalogue, before anything is changed.
 */
export function isNewBatch(tables: Tables, catalogue: Catalogue, batch: CycleBatch): boolean {
  checkColumns(catalogue, batch)
  return !isClosed(tables, batch.cycle, batch.name) && isCurrent(catalogue, batch)
}

/** True if the elements of a batch have the series that its evaluation saw, and maybe more. */
function isCurrent(catalogue: Catalogue, { rows, ...batch }: CycleBatch): boolean {
  const isKnown = (series: Int32Array) => series.every((one) => catalogue.isKnownSeries(one))
  const series = [batch.gapFills, batch.actualKinds, batch.bands]
  if (!series.every((columns) => isKnown(columns.series))) return false
  const elements = [...batch.computed.elements, ...(rows?.elements ?? [])]
  if (!elements.every((one) => catalogue.isKnownElement(one))) return false
  if (rows === undefined) return true
  let from = 0
  return rows.elements.every((element, i) => {
    const seen = rows.series.subarray(from, (from += rows.counts[i]!))
    const now = catalogue.elementSeries(element)
    return seen.every((one, at) => now[at] === one)
  })
}

function checkColumns(catalogue: Catalogue, batch: CycleBatch): void {
  const { gapFills, computed, actualKinds, bands: said } = batch
  assert(Number.isSafeInteger(batch.cycle) && batch.cycle >= 0, `Expected a cycle: ${batch.cycle}`)
  const sameLength =
    gapFills.series.length === gapFills.actuals.length &&
    computed.elements.length === computed.fqns.length &&
    computed.elements.length === computed.actuals.length &&
    actualKinds.series.length === actualKinds.kinds.length &&
    said.series.length * bandFieldCount === said.values.length
  assert(sameLength, "Expected columns of equal length")
  // As they were numbered; some may be forgotten.
  const isSeries = (series: number): boolean => series >= 0 && series < catalogue.seriesCount
  for (const { series } of [gapFills, actualKinds, said]) {
    assert(series.every(isSeries), "Expected series of the catalogue")
  }
  const { elementCount } = catalogue
  assert(
    computed.elements.every((one) => one >= 0 && one < elementCount),
    "Expected elements of the catalogue",
  )
  for (const { actuals } of [gapFills, computed]) {
    assert(actuals.every(Number.isFinite), "Expected finite actuals")
  }
}

/** Returns the series of computed metrics; creates those that do not exist. */
export function resolveComputedSeries(catalogue: Catalogue, computed: ComputedColumns): Int32Array {
  const { elements, fqns, definitions } = computed
  return elements.map((element, i) => {
    const name = catalogue.findName(catalogue.elementTenant(element), fqns[i]!)
    const known = catalogue.findSeries(element, name)
    return known >= 0 ? known : catalogue.upsertSeries(element, fqns[i]!, definitions?.[i])
  })
}

/** Puts all changes of the batch, except its documents, into the write buffer. */
export function putCycleBatch(deps: JobDeps, batch: CycleBatch, computed: Int32Array): void {
  const { tables, writes } = deps
  assert(!isClosed(tables, batch.cycle, batch.name), "Expected a batch that is not closed")
  assert(computed.length === batch.computed.fqns.length, "Expected a series of each metric")
  deps.compactedWindows.invalidate()
  const touched = new Set<number>()
  putCells(deps, batch, computed, touched)
  putBands(deps, batch, touched)
  for (const change of batch.states) putState(tables, writes, change)
  markClosed(tables, writes, batch)
  const day = Math.floor(batch.cycle / cyclesPerDay)
  const elapsedMs = deps.elapsedMs()
  // Last: the queue in memory is not rolled back with the buffer.
  for (const block of touched) deps.compactionQueue.touch(day, block, { tables, writes, elapsedMs })
}

/** The changes of one block: indexes into the columns of the batch. */
interface BlockChanges {
  readonly fills: readonly number[]
  readonly computed: readonly number[]
  readonly definitions: readonly number[]
}

function putCells(
  deps: JobDeps,
  batch: CycleBatch,
  computed: Int32Array,
  touched: Set<number>,
): void {
  const { tables, writes } = deps
  const { cells } = deps.closing
  for (const [block, changes] of changesByBlock(deps.catalogue, batch, computed)) {
    const editor = new CellEditor(deps, batch.cycle, block)
    for (const i of changes.fills) {
      editor.fill(batch.gapFills.series[i]!, batch.gapFills.actuals[i]!, flagGapFill)
    }
    for (const i of changes.computed) {
      editor.fill(computed[i]!, batch.computed.actuals[i]!, flagComputed)
    }
    for (const i of changes.definitions) {
      editor.redefine(batch.actualKinds.series[i]!, batch.actualKinds.kinds[i]!)
    }
    if (!editor.hasChanged) continue
    assertCells(cells, 0, cells.length)
    const key = periodKey(batch.cycle, block)
    writes.put(tables.recentCells, key, packRecentCells(key, cells))
    touched.add(block)
  }
}

function changesByBlock(
  catalogue: Catalogue,
  batch: CycleBatch,
  computed: Int32Array,
): Map<number, BlockChanges> {
  const byBlock = new Map<number, BlockChanges>()
  const add = (series: Int32Array, kind: keyof BlockChanges): void => {
    for (const [block, places] of indexesByBlock(catalogue, series)) {
      const none = { fills: [], computed: [], definitions: [] }
      byBlock.set(block, { ...(byBlock.get(block) ?? none), [kind]: places })
    }
  }
  add(batch.gapFills.series, "fills")
  add(computed, "computed")
  add(batch.actualKinds.series, "definitions")
  return byBlock
}

/** Edits the recent cells of one cycle and block, in the workspace. */
class CellEditor {
  hasChanged = false
  private readonly deps: JobDeps
  private readonly cells: CellColumns
  readonly cycle: number
  readonly block: BlockIndex
  private readonly isCompacted: boolean
  /** Of the cycle; null until the first cell becomes a counter's. */
  private recentRaw: SampleRun | null = null
  /** The slot whose compacted cell has been copied to `cells`, or -1. */
  private copiedSlot = -1

  constructor(deps: JobDeps, cycle: number, block: BlockIndex) {
    this.deps = deps
    this.cells = deps.closing.cells
    this.cycle = cycle
    this.block = block
    this.isCompacted = isCompacted(deps.tables, Math.floor(cycle / cyclesPerDay), block)
    readRecentCells(deps.tables, cycle, block, this.cells)
    assertCells(this.cells, 0, this.cells.length)
  }

  fill(series: SeriesIndex, actual: number, flag: number): void {
    const { cells } = this
    const slot = this.load(series)
    if (cells.count[slot]! > 0) return this.discard(slot)
    // A later sample must have the actual kind.
    if (!isPresent(cells, slot)) cells.actualKind[slot] = this.deps.actualKinds.ofSeries(series)
    setSynthetic(cells, slot, actual, flag)
    this.hasChanged = true
  }

  redefine(series: SeriesIndex, code: number): void {
    const { cells } = this
    const slot = this.load(series)
    if (!isPresent(cells, slot) || cells.actualKind[slot] === code) return this.discard(slot)
    changeActualKind(cells, slot, code)
    if (isCounterCell(cells, slot)) this.computeAgain(slot)
    this.hasChanged = true
  }

  /** The drops of a counter follow from the raw samples, unless retention has dropped them. */
  private computeAgain(slot: SlotIndex): void {
    const { cycle, block, cells } = this
    const { tables, compactedWindows } = this.deps
    if (this.recentRaw === null) {
      this.recentRaw = new SampleRun()
      readRecentRaw(tables, cycle, block, this.recentRaw)
    }
    const range = compactedWindows.samplesOf(this.recentRaw, this, slot)
    if (range !== null) rawToCell(range.columns, range, cells, slot, new Contributions())
  }

  /** Returns the slot of a series, with its recent or else its compacted cell in `cells`. */
  private load(series: SeriesIndex): number {
    const slot = this.deps.catalogue.indexInPartition(series)
    this.copiedSlot = -1
    if (!this.isCompacted || isPresent(this.cells, slot)) return slot
    this.deps.compactedWindows.cells.readWhole(this.cycle, this.block, slot, this.cells)
    this.copiedSlot = slot
    return slot
  }

  /** Removes the copy of a compacted cell that was not changed. */
  private discard(slot: SlotIndex): void {
    if (this.copiedSlot === slot) clearCells(this.cells, slot, slot + 1)
  }
}

function putBands(deps: JobDeps, batch: CycleBatch, touched: Set<number>): void {
  const { catalogue, tables, writes } = deps
  const { bands } = deps.closing
  const { series, values } = batch.bands
  for (const [block, places] of indexesByBlock(catalogue, series)) {
    readRecentBands(tables, batch.cycle, block, bands)
    for (const index of places) {
      const to = catalogue.indexInPartition(series[index]!) * bandFieldCount
      for (let i = 0; i < bandFieldCount; i++) {
        const value = values[index * bandFieldCount + i]!
        // Numbers beyond f32 are no band; adding 0 turns -0 into 0, as the compacted form has no
        // -0.
        bands[to + i] = Number.isFinite(value) ? value + 0 : NaN
      }
    }
    const key = periodKey(batch.cycle, block)
    writes.put(tables.recentBands, key, packRecentBands(key, bands))
    touched.add(block)
  }
}

/** Returns the indexes in `series` of the series of each block. */
function indexesByBlock(catalogue: Catalogue, series: Int32Array): Map<number, number[]> {
  const byBlock = new Map<number, number[]>()
  for (let index = 0; index < series.length; index++) {
    const block = catalogue.partitionOf(series[index]!)
    const places = byBlock.get(block)
    if (places === undefined) byBlock.set(block, [index])
    else places.push(index)
  }
  return byBlock
}
