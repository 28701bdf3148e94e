/**
 * The closing of one part of a cycle: what it brings, as writes that are committed together.
 *
 *   fillings, computed values, definitions ─► recent cells of each block that they touch
 *   bands                                  ─► recent bands
 *   states, marker                         ─► as they are
 *
 * A filling is taken where no observation is; a later fold does the rest (cycle-merge.ts).
 * On a sealed day the touched slots become recent, and stand in place of the sealed ones.
 */

import { assert } from "../../../base/assert.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import {
  clearCells,
  fillSparse,
  flagComputed,
  flagSparse,
  isPresent,
  redefineCell,
} from "../../../rollup/cell.ts"
import { bandWidth, type ComputedColumns, type CyclePart } from "../../cycle-batch.ts"
import { readRecentBands } from "../tiers/bands.ts"
import { cycleBandsLength, packRecentBands } from "../encoding/bands-record.ts"
import type { JobContext } from "./job.ts"
import { packRecentCells, readRecentCells, slotCells } from "../tiers/recent.ts"
import { isSealed } from "../tiers/sealed-cells.ts"
import { markClosed, putState } from "../metadata/states.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { periodKey } from "../disk/tables.ts"

/** Scratch of the one thread that writes. */
const cells = slotCells()
const bands = new Float32Array(cycleBandsLength)

/** Throws an assertion where the part contradicts itself or the catalogue; nothing changed then. */
export function checkPart(catalogue: Catalogue, part: CyclePart): void {
  const { fills, computed, definitions, bands: said } = part
  assert(Number.isSafeInteger(part.cycle) && part.cycle >= 0, `Expected a cycle: ${part.cycle}`)
  const sameLength =
    fills.series.length === fills.actuals.length &&
    computed.elements.length === computed.fqns.length &&
    computed.elements.length === computed.actuals.length &&
    definitions.series.length === definitions.codes.length &&
    said.series.length * bandWidth === said.values.length
  assert(sameLength, "Expected columns of equal length")
  const isSeries = (series: number): boolean => series >= 0 && series < catalogue.seriesCount
  for (const { series } of [fills, definitions, said]) {
    assert(series.every(isSeries), "Expected series of the catalogue")
  }
  const { elementCount } = catalogue
  assert(
    computed.elements.every((one) => one >= 0 && one < elementCount),
    "Expected elements of the catalogue",
  )
  for (const { actuals } of [fills, computed]) {
    assert(actuals.every(Number.isFinite), "Expected finite actuals")
  }
}

/** The series of computed metrics, which are made where they are new. */
export function computedSeries(catalogue: Catalogue, computed: ComputedColumns): Int32Array {
  const { elements, fqns, definitions } = computed
  return elements.map((element, i) => {
    const name = catalogue.findName(catalogue.elementTenant(element), fqns[i]!)
    const known = name < 0 ? -1 : catalogue.findSeries(element, name)
    return known >= 0 ? known : catalogue.upsertSeries(element, fqns[i]!, definitions?.[i])
  })
}

/** Puts everything that the part changes, but its documents, into the write buffer. */
export function putPart(context: JobContext, part: CyclePart, computed: Int32Array): void {
  const { tables, writes } = context
  context.sealed.forget()
  const touched = new Set<number>()
  putCells(context, part, computed, touched)
  putBands(context, part, touched)
  for (const change of part.states) putState(tables, writes, change)
  markClosed(tables, writes, part)
  const day = Math.floor(part.cycle / cyclesPerDay)
  const elapsedMs = context.elapsedMs()
  // Last, as memory would not forget it with the buffer.
  for (const block of touched) context.openDays.touch(day, block, { tables, writes, elapsedMs })
}

/** What a part says of the cells of one block: places in its columns. */
interface BlockChanges {
  readonly fills: readonly number[]
  readonly computed: readonly number[]
  readonly definitions: readonly number[]
}

function putCells(
  context: JobContext,
  part: CyclePart,
  computed: Int32Array,
  touched: Set<number>,
): void {
  const { tables, writes } = context
  for (const [block, changes] of changesByBlock(context.catalogue, part, computed)) {
    const editor = new CellEditor(context, part.cycle, block)
    for (const i of changes.fills) {
      editor.fill(part.fills.series[i]!, part.fills.actuals[i]!, flagSparse)
    }
    for (const i of changes.computed) {
      editor.fill(computed[i]!, part.computed.actuals[i]!, flagComputed)
    }
    for (const i of changes.definitions) {
      editor.redefine(part.definitions.series[i]!, part.definitions.codes[i]!)
    }
    if (!editor.hasChanged) continue
    const key = periodKey(part.cycle, block)
    writes.put(tables.recentCells, key, packRecentCells(key, cells))
    touched.add(block)
  }
}

function changesByBlock(
  catalogue: Catalogue,
  part: CyclePart,
  computed: Int32Array,
): Map<number, BlockChanges> {
  const byBlock = new Map<number, BlockChanges>()
  const add = (series: Int32Array, kind: keyof BlockChanges): void => {
    for (const [block, places] of placesByBlock(catalogue, series)) {
      const none = { fills: [], computed: [], definitions: [] }
      byBlock.set(block, { ...(byBlock.get(block) ?? none), [kind]: places })
    }
  }
  add(part.fills.series, "fills")
  add(computed, "computed")
  add(part.definitions.series, "definitions")
  return byBlock
}

/** The recent cells of one cycle and block, in `cells`, while they are changed. */
class CellEditor {
  hasChanged = false
  private readonly context: JobContext
  private readonly cycle: number
  private readonly block: number
  private readonly isSealed: boolean
  /** The slot whose sealed cell stands in `cells`, or -1. */
  private borrowed = -1

  constructor(context: JobContext, cycle: number, block: number) {
    this.context = context
    this.cycle = cycle
    this.block = block
    this.isSealed = isSealed(context.tables, Math.floor(cycle / cyclesPerDay), block)
    readRecentCells(context.tables, cycle, block, cells)
  }

  fill(series: number, actual: number, flag: number): void {
    const slot = this.take(series)
    if (cells.count[slot]! > 0) return this.giveBack(slot)
    // A sample that comes later must know how the actual is made.
    if (!isPresent(cells, slot)) cells.definition[slot] = this.context.codes.ofSeries(series)
    fillSparse(cells, slot, actual, flag)
    this.hasChanged = true
  }

  redefine(series: number, code: number): void {
    const slot = this.take(series)
    if (!isPresent(cells, slot) || cells.definition[slot] === code) return this.giveBack(slot)
    redefineCell(cells, slot, code)
    this.hasChanged = true
  }

  /** The slot of a series, its cell in `cells`: the recent one, or else the sealed one. */
  private take(series: number): number {
    const slot = this.context.catalogue.seriesSlot(series)
    this.borrowed = -1
    if (!this.isSealed || isPresent(cells, slot)) return slot
    this.context.sealed.cells.readWhole(this.cycle, this.block, slot, cells)
    this.borrowed = slot
    return slot
  }

  /** The slot was not changed: what was taken from the sealed cells stays there. */
  private giveBack(slot: number): void {
    if (this.borrowed === slot) clearCells(cells, slot, slot + 1)
  }
}

function putBands(context: JobContext, part: CyclePart, touched: Set<number>): void {
  const { catalogue, tables, writes } = context
  const { series, values } = part.bands
  for (const [block, places] of placesByBlock(catalogue, series)) {
    readRecentBands(tables, part.cycle, block, bands)
    for (const place of places) {
      const to = catalogue.seriesSlot(series[place]!) * bandWidth
      for (let i = 0; i < bandWidth; i++) {
        const value = values[place * bandWidth + i]!
        // Beyond f32 there is no band; adding 0 turns -0 into 0, which the sealed form cannot tell.
        bands[to + i] = Number.isFinite(value) ? value + 0 : NaN
      }
    }
    const key = periodKey(part.cycle, block)
    writes.put(tables.recentBands, key, packRecentBands(key, bands))
    touched.add(block)
  }
}

/** Where in `series` those of each block stand. */
function placesByBlock(catalogue: Catalogue, series: Int32Array): Map<number, number[]> {
  const byBlock = new Map<number, number[]>()
  for (let place = 0; place < series.length; place++) {
    const block = catalogue.seriesBlock(series[place]!)
    const places = byBlock.get(block)
    if (places === undefined) byBlock.set(block, [place])
    else places.push(place)
  }
  return byBlock
}
