/**
 * A hash table from a pair of small integers to a third, by open addressing.
 *
 *   slot = hash(left, right) & mask          keys[2·slot], keys[2·slot + 1] → values[slot]
 *
 * It finds a series by (element, metric name). At 1,000,000 series it costs 12 bytes an entry over
 * the load factor, where a Map of Maps costs 39 to 86.
 */

import { assert } from "../base/assert.ts"

const empty = -1

export class PairTable {
  size = 0
  private keys = new Int32Array(2 * 1024).fill(empty)
  private values = new Int32Array(1024)
  private mask = 1023

  /** The value of the pair, or -1 where it has none. */
  get(left: number, right: number): number {
    let slot = hashPair(left, right) & this.mask
    for (;;) {
      const key = this.keys[2 * slot]
      if (key === empty) return -1
      if (key === left && this.keys[2 * slot + 1] === right) return this.values[slot]!
      slot = (slot + 1) & this.mask
    }
  }

  /** Adds a pair that is not there yet. All three numbers are at least 0. */
  add(left: number, right: number, value: number): void {
    assert(left >= 0 && right >= 0 && value >= 0, `Expected indexes, got ${left} ${right} ${value}`)
    // Three quarters full: probe chains stay short, and memory stays under 16 bytes an entry.
    if (4 * (this.size + 1) > 3 * (this.mask + 1)) this.grow()
    this.insert(left, right, value)
    this.size++
  }

  private insert(left: number, right: number, value: number): void {
    let slot = hashPair(left, right) & this.mask
    while (this.keys[2 * slot] !== empty) slot = (slot + 1) & this.mask
    this.keys[2 * slot] = left
    this.keys[2 * slot + 1] = right
    this.values[slot] = value
  }

  private grow(): void {
    const { keys, values } = this
    const slots = 2 * (this.mask + 1)
    this.keys = new Int32Array(2 * slots).fill(empty)
    this.values = new Int32Array(slots)
    this.mask = slots - 1
    for (let slot = 0; slot < values.length; slot++) {
      if (keys[2 * slot] !== empty) this.insert(keys[2 * slot]!, keys[2 * slot + 1]!, values[slot]!)
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
