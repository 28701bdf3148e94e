/**
 * A hash table from (element, metric name) to a series, with open addressing. A slot contains only
 * the number of a series; the columns of the catalogue have its pair.
 *
 *   slot = hash(element, name) & mask     slots[slot] → series ─► elements[series], names[series]
 *
 * 4 bytes a slot, and at most three quarters of them in use: 5 to 11 bytes a series. With the pairs
 * in the table it took three times that; a Map of Maps takes 39 to 86.
 */

import { assert } from "../base/assert.ts"
import type { IntColumn } from "./int-column.ts"
import type { ElementIndex, SeriesIndex } from "../model/ids.ts"

const empty = -1
const slotsMin = 1024

export class SeriesTable {
  size = 0
  private readonly elements: IntColumn
  private readonly names: IntColumn
  private slots = new Int32Array(slotsMin).fill(empty)

  /** Element and metric name of each series, both by number. */
  constructor(elements: IntColumn, names: IntColumn) {
    this.elements = elements
    this.names = names
  }

  /** Returns the series of the pair, or -1 if it has none: no pair has a number below 0. */
  get(element: ElementIndex, name: number): number {
    const { slots, elements, names } = this
    const mask = slots.length - 1
    let slot = hashPair(element, name) & mask
    for (;;) {
      const series = slots[slot]!
      if (series === empty) return -1
      if (elements.get(series) === element && names.get(series) === name) return series
      slot = (slot + 1) & mask
    }
  }

  /** Adds a series whose pair is in the columns and not in the table yet. */
  add(series: SeriesIndex): void {
    assert(this.names.get(series) >= 0, "Expected the name of the series to be known")
    // At three quarters full, probe chains stay short.
    if (4 * (this.size + 1) > 3 * this.slots.length) this.grow()
    this.insert(series)
    this.size++
  }

  /** Removes a series of the table, whose pair is still in the columns. */
  remove(series: SeriesIndex): void {
    const { slots } = this
    const mask = slots.length - 1
    let free = this.homeOf(series)
    while (slots[free] !== series) {
      assert(slots[free] !== empty, "Expected the series in the table")
      free = (free + 1) & mask
    }
    // Later ones of the probe chain move up, as a search ends at the first free slot.
    for (let slot = (free + 1) & mask; slots[slot] !== empty; slot = (slot + 1) & mask) {
      const fromHome = (slot - this.homeOf(slots[slot]!)) & mask
      if (fromHome < ((slot - free) & mask)) continue
      slots[free] = slots[slot]!
      free = slot
    }
    slots[free] = empty
    this.size--
  }

  private insert(series: SeriesIndex): void {
    const { slots } = this
    const mask = slots.length - 1
    let slot = this.homeOf(series)
    while (slots[slot] !== empty) slot = (slot + 1) & mask
    slots[slot] = series
  }

  /** The slot in which a search for the series begins. */
  private homeOf(series: SeriesIndex): number {
    return hashPair(this.elements.get(series), this.names.get(series)) & (this.slots.length - 1)
  }

  private grow(): void {
    const { slots } = this
    this.slots = new Int32Array(2 * slots.length).fill(empty)
    for (const series of slots) {
      if (series !== empty) this.insert(series)
    }
  }
}

/** Mixes two integers (the finaliser of MurmurHash3, by Austin Appleby, public domain). */
function hashPair(left: number, right: number): number {
  let h = Math.imul(left ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(right + 0x7f4a7c15, 0xc2b2ae35)
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
