/**
 * Repair of the catalogue. All other tables refer to its entries by number, so a lost entry is
 * replaced by a placeholder, and numbers never change.
 *
 *   name, definition   ─► a placeholder named as lost
 *   element            ─► an empty element; the slots of its series are then vacant
 *   vacant slot        ─► a series of a new element: its samples stay accessible, and no other
 *                         series can get the slot
 */

import { largestOf } from "../../../base/iterables.ts"
import { Catalogue, storedSeriesInts, type StoredElement } from "../../../catalogue/catalogue.ts"
import { newInfo } from "../../../catalogue/merge.ts"
import { defaultDefinition } from "../../../model/element.ts"
import { loadCatalogue, packElement, unpackElement } from "../metadata/catalogue-table.ts"
import {
  numbersOf,
  putNumbers,
  readNumbers,
  type StoredNumbers,
} from "../metadata/stored-numbers.ts"
import { RecordCheck } from "./record-check.ts"
import type { RepairDeps } from "./repair-values.ts"
import { setAside } from "./set-aside.ts"
import { openRecord, packDocument } from "../disk/record.ts"
import {
  indexKey,
  indexKeyBytes,
  keyToIndex,
  keyToPeriod,
  type CatalogueTable,
  type Tables,
  type SlotIndex,
  type BlockIndex,
} from "../disk/tables.ts"
import type { TenantIndex } from "../../../model/ids.ts"

/** A number that exceeds the number of entries by more than this is corrupt. */
const strayGap = 1000

/** Makes the catalogue loadable. Returns the known series if any may have been lost, else null. */
export function repairCatalogue(deps: RepairDeps, nowMs: number): Set<number> | null {
  const repair = new CatalogueRepair(deps, nowMs)
  const elements = repair.quarantineDamaged("elements")
  const used = { names: new Set<number>(), definitions: new Set<number>() }
  const known = new Set<number>()
  for (const [element, value] of elements) {
    const { series } = unpackElement(indexKey(element), value)
    for (let at = 0; at < series.length; at += storedSeriesInts) {
      known.add(series[at]!)
      used.names.add(series[at + 1]!)
      used.definitions.add(series[at + 2]!)
    }
  }
  repair.fill("elements", elements, noNumbers)
  repair.fill("names", repair.quarantineDamaged("names"), used.names)
  repair.fill("definitions", repair.quarantineDamaged("definitions"), used.definitions)
  if (repair.hasLostSeries(known)) repair.fillSlots(known)
  repair.storeNumbers()
  return repair.hasLost ? known : null
}

const noNumbers: ReadonlySet<number> = new Set()

class CatalogueRepair {
  hasLost = false
  readonly check = new RecordCheck()
  private readonly deps: RepairDeps
  private readonly nowMs: number
  /** Undefined in a store that can have forgotten nothing: each gap in its numbers is a loss. */
  private readonly numbers: StoredNumbers | undefined

  constructor(deps: RepairDeps, nowMs: number) {
    this.deps = deps
    this.nowMs = nowMs
    this.numbers = readNumbers(deps.tables)
  }

  /** Moves unreadable entries of a table to the quarantine; returns the others by number. */
  quarantineDamaged(name: CatalogueTable): Map<number, Buffer> {
    const table = this.deps.tables[name]
    const end = Math.max(table.count(), this.numbers?.assigned[name] ?? 0) + strayGap
    const problemOf = (key: Buffer, value: Buffer): string | null =>
      indexOf(key) > end ? "no such number" : this.check.problemOf(name, key, value)
    for (const { key, problem } of setAside(this.deps, name, problemOf)) {
      this.reportLost(`${name}, entry ${key.toString("hex")}: set aside (${problem})`)
      if (indexOf(key) === Infinity) this.deps.losses.add(`${name}: an entry without a number`)
    }
    const good = new Map<number, Buffer>()
    for (const { key, value } of table.getRange({})) good.set(keyToIndex(key), Buffer.from(value))
    return good
  }

  /**
   * Adds a placeholder for every lost number: one that is used, or each that is missing, unless
   * something was forgotten, whose numbers are missing, too.
   */
  fill(name: CatalogueTable, good: ReadonlyMap<number, Buffer>, used: ReadonlySet<number>): void {
    const { tables } = this.deps
    const found = Math.max(largestOf(used), largestOf(good.keys())) + 1
    const fillsGaps = this.areGapsLost(name, good.size, found)
    const count = fillsGaps ? Math.max(found, this.numbers?.assigned[name] ?? 0) : found
    for (let index = 0; index < count; index++) {
      if (good.has(index) || !(fillsGaps || used.has(index))) continue
      tables[name].putSync(indexKey(index), this.placeholder(name, index))
      this.reportLost(`${name}, entry ${index}: lost and replaced by a placeholder`)
      this.deps.losses.addIndex(name, index)
    }
  }

  /** True if series may have been lost; otherwise those that are missing were forgotten. */
  hasLostSeries(known: ReadonlySet<number>): boolean {
    return this.numbers === undefined || known.size < this.numbers.known.series
  }

  /** True if all numbers that are missing were lost, and none was forgotten. */
  private areGapsLost(name: CatalogueTable | "series", found: number, count: number): boolean {
    const { numbers } = this
    if (numbers === undefined) return true
    const lost = numbers.known[name] - found
    return lost > 0 && Math.max(count, numbers.assigned[name]) - found === lost
  }

  /** Stores the numbers that the tables have now. */
  storeNumbers(): void {
    if (this.numbers === undefined) return
    const { tables } = this.deps
    const catalogue = new Catalogue()
    loadCatalogue(tables, catalogue)
    tables.root.transactionSync(() => putNumbers(tables, numbersOf(catalogue)))
  }

  /**
   * Assigns every vacant slot to a new element, with a missing series number if there is one, and
   * creates slots for the other missing series numbers.
   */
  fillSlots(known: ReadonlySet<number>): void {
    const { tables } = this.deps
    const catalogue = new Catalogue()
    loadCatalogue(tables, catalogue)
    const numbers = Array.from({ length: catalogue.seriesCount }, (_, series) => series)
    const areLost = this.areGapsLost("series", known.size, catalogue.seriesCount)
    const missing = areLost ? numbers.filter((series) => !known.has(series)) : []
    let { seriesCount, elementCount, nameCount } = catalogue
    const assign = (location: number, name: number, tenant: TenantIndex): void => {
      const fqn = `lost-place-${location >> 8}-${location & 255}`
      const entry = Int32Array.of(missing.shift() ?? seriesCount++, name, 0, location)
      const key = indexKey(elementCount++)
      tables.elements.putSync(key, this.element(key, { fqn, tenant, series: entry }))
      this.reportLost(
        `slot ${location & 255} of block ${location >> 8} lost its series: ${fqn} has it now`,
      )
    }
    const newName = (): number => {
      tables.names.putSync(indexKey(nameCount), this.placeholder("names", nameCount))
      return nameCount++
    }
    const slotsStored = slotsByBlock(tables, this.check)
    if (slotsStored.size > 0 && catalogue.definitionCount === 0) {
      const key = indexKey(0)
      tables.definitions.putSync(key, packDocument(key, defaultDefinition))
    }
    let blocks = catalogue.partitionCount
    for (const block of blocksOf(catalogue, slotsStored)) {
      blocks = Math.max(blocks, block + 1)
      const { vacant, held } = occupancyOf(catalogue, block, slotsStored.get(block) ?? 0)
      if (vacant.length === 0) continue
      const name = held < 0 ? newName() : catalogue.seriesName(held)
      const tenant = held < 0 ? 0 : catalogue.name(name).tenant
      for (const slot of vacant) assign((block << 8) | slot, name, tenant)
    }
    // Series without stored samples, or the last ones of their block.
    for (; missing.length > 0; blocks++) {
      const name = newName()
      for (let slot = 0; slot < 256 && missing.length > 0; slot++) {
        assign((blocks << 8) | slot, name, 0)
      }
    }
  }

  private reportLost(line: string): void {
    this.hasLost = true
    this.deps.report(line)
  }

  private placeholder(name: CatalogueTable, index: number): Buffer {
    const fqn = `lost-${name}-${index}`
    const key = indexKey(index)
    if (name === "names") return packDocument(key, { tenant: 0, fqn })
    // Equal definitions are interned as one, so each placeholder has a name of its own.
    if (name === "definitions") return packDocument(key, { ...defaultDefinition, name: fqn })
    return this.element(key, { fqn, tenant: 0, series: new Int32Array(0) })
  }

  private element(key: Buffer, of: Omit<StoredElement, "info">): Buffer {
    return packElement(key, { ...of, info: newInfo(of.fqn, {}, this.nowMs) })
  }
}

/** Infinity for a key that is none of the table. */
function indexOf(key: Buffer): number {
  return key.length === indexKeyBytes ? keyToIndex(key) : Infinity
}

/** Returns the blocks of the catalogue, then unknown blocks that have samples, ascending. */
function blocksOf(
  { partitionCount }: Catalogue,
  slotsStored: ReadonlyMap<number, number>,
): number[] {
  const known = Array.from({ length: partitionCount }, (_, block) => block)
  const end = partitionCount + slotsStored.size + strayGap
  const beyond = [...slotsStored.keys()].filter((block) => block >= partitionCount && block < end)
  return [...known, ...beyond.sort((left, right) => left - right)]
}

/** Returns the vacant slots of a block, and one series of the block or -1. */
function occupancyOf(catalogue: Catalogue, block: BlockIndex, slotsStored: number) {
  const members = block < catalogue.partitionCount ? [...catalogue.partitionSeries(block)] : []
  const isHeld = (slot: SlotIndex): boolean =>
    slot < members.length && catalogue.seriesLocation(members[slot]!) === ((block << 8) | slot)
  const slots = Array.from({ length: Math.max(members.length, slotsStored) }, (_, slot) => slot)
  const heldSlot = slots.find(isHeld)
  const held = heldSlot === undefined ? -1 : members[heldSlot]!
  return { vacant: slots.filter((slot) => !isHeld(slot)), held }
}

/** Returns the number of slots of each block: the first number of its records. */
function slotsByBlock(tables: Tables, check: RecordCheck): Map<number, number> {
  const slots = new Map<number, number>()
  for (const name of ["recentRaw", "raw", "hours", "days"] as const) {
    for (const { key, value } of tables[name].getRange({})) {
      if (check.problemOf(name, key, value) !== null) continue
      const { block } = keyToPeriod(key)
      slots.set(block, Math.max(slots.get(block) ?? 0, openRecord(key, value).varint()))
    }
  }
  return slots
}
