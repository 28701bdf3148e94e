/**
 * Lists of integers that grow, one behind the other in one array:
 *
 *   entries   [list 0][list 2 ·····][left][list 1 ············]     starts, lengths, rooms by list
 *
 * The last list grows where it stands, any other moves behind it; what it leaves is never used
 * again, so that views of a list stay what they were. An array a list took 330 bytes more each.
 */

import { assert } from "../base/assert.ts"
import { IntColumn } from "./int-column.ts"

const capacityMin = 8

export class IntLists {
  count = 0
  private readonly entries = new IntColumn()
  private used = 0
  private readonly starts = new IntColumn()
  private readonly lengths = new IntColumn()
  private readonly capacities = new IntColumn()

  /** Adds an empty list, whose number is the count of those before it. */
  addList(): void {
    this.starts.set(this.count, this.used)
    this.lengths.set(this.count, 0)
    this.capacities.set(this.count, 0)
    this.count++
  }

  /** The list as it is now; a view that the caller must not change, and that does not grow. */
  view(list: number): Int32Array {
    const start = this.starts.get(list)
    return this.entries.data.subarray(start, start + this.lengths.get(list))
  }

  push(list: number, value: number): void {
    assert(list < this.count, `Expected one of ${this.count} lists, got ${list}`)
    const length = this.lengths.get(list)
    if (length === this.capacities.get(list)) this.grow(list, length)
    this.entries.data[this.starts.get(list) + length] = value
    this.lengths.set(list, length + 1)
  }

  private grow(list: number, length: number): void {
    const start = this.starts.get(list)
    const isLast = start + length === this.used
    const at = isLast ? start : this.used
    // What comes at once comes in one place: mostly, lists are as long as they will ever be.
    const room = isLast || length === 0 ? length + 1 : Math.max(capacityMin, 2 * length)
    this.entries.reserve(at + room)
    if (at !== start) this.entries.data.copyWithin(at, start, start + length)
    this.used = at + room
    this.starts.set(list, at)
    this.capacities.set(list, room)
  }
}
