/**
 * Growing lists of integers, one after the other in one array:
 *
 *   entries   [list 0][list 2 ·····][left][list 1 ············]     starts, lengths, capacities
 *
 * The last list grows in place, any other moves to the end. The space it leaves is not reused, so
 * existing views of a list stay valid; once half of the array is left, the lists move to another
 * one. A separate array for each list took 330 bytes more.
 */

import { assert } from "../base/assert.ts"
import { IntColumn } from "./int-column.ts"

const capacityMin = 8
/** Entries up to which space that lists left is kept: 256 KiB. */
const leftMax = 65_536

export class IntLists {
  private entries = new Int32Array(1024)
  private used = 0
  /** Entries of `used` that no list has. */
  private left = 0
  /** Lists have numbers below this one. */
  private end = 0
  private readonly starts = new IntColumn()
  private readonly lengths = new IntColumn()
  private readonly capacities = new IntColumn()

  /** Entries of the array, used ones or not. */
  get length(): number {
    return this.entries.length
  }

  /** Adds an empty list with a number of its own. */
  addList(list: number): void {
    assert(this.starts.get(list) < 0, "Expected the number of a new list")
    this.starts.set(list, this.used)
    this.lengths.set(list, 0)
    this.capacities.set(list, 0)
    this.end = Math.max(this.end, list + 1)
  }

  /** The current list; a view that the caller must not change, and that does not grow. */
  view(list: number): Int32Array {
    const start = this.starts.get(list)
    return start < 0 ? none : this.entries.subarray(start, start + this.lengths.get(list))
  }

  push(list: number, value: number): void {
    const length = this.lengths.get(list)
    assert(length >= 0, "Expected a list that was added")
    if (length === this.capacities.get(list)) this.grow(list, length)
    this.entries[this.starts.get(list) + length] = value
    this.lengths.set(list, length + 1)
  }

  /** Replaces a list by these values. */
  replace(list: number, values: Int32Array): void {
    this.removeList(list)
    this.addList(list)
    this.moveToEnd(list, values, values.length)
    this.lengths.set(list, values.length)
  }

  removeList(list: number): void {
    this.left += Math.max(0, this.capacities.get(list))
    this.starts.remove(list)
    this.lengths.remove(list)
    this.capacities.remove(list)
    if (this.isMostlyLeft()) this.compact()
  }

  private grow(list: number, length: number): void {
    const start = this.starts.get(list)
    const isLast = start + length === this.used
    // Entries that arrive together get no spare capacity: most lists never grow again.
    const room = isLast || length === 0 ? length + 1 : Math.max(capacityMin, 2 * length)
    if (!isLast) return this.moveToEnd(list, this.view(list), room)
    this.reserve(start + room)
    this.used = start + room
    this.capacities.set(list, room)
  }

  /** Puts values, and room for more, behind all lists, and makes them those of a list. */
  private moveToEnd(list: number, values: Int32Array, room: number): void {
    this.left += this.capacities.get(list)
    this.capacities.set(list, 0)
    if (this.isMostlyLeft()) this.compact(list)
    this.reserve(this.used + room)
    this.entries.set(values, this.used)
    this.starts.set(list, this.used)
    this.capacities.set(list, room)
    this.used += room
  }

  private isMostlyLeft(): boolean {
    return this.left > leftMax && 2 * this.left > this.used
  }

  /** Moves all lists but one to another array, without the space that lists have left. */
  private compact(except = -1): void {
    const before = this.entries
    this.entries = new Int32Array(Math.max(1024, this.used - this.left))
    this.used = 0
    this.left = 0
    for (let list = 0; list < this.end; list++) {
      const start = this.starts.get(list)
      if (start < 0 || list === except) continue
      const room = this.capacities.get(list)
      this.entries.set(before.subarray(start, start + room), this.used)
      this.starts.set(list, this.used)
      this.used += room
    }
  }

  /** Grows by a quarter, not twice: a million entries must not have a million spare ones. */
  private reserve(length: number): void {
    if (length <= this.entries.length) return
    const larger = new Int32Array(Math.max(length, Math.ceil(this.entries.length * 1.25)))
    larger.set(this.entries)
    this.entries = larger
  }
}

const none = new Int32Array(0)
