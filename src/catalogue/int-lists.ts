/**
 * Growing lists of integers, one after the other in one array:
 *
 *   entries   [list 0][list 2 ·····][left][list 1 ············]     starts, lengths, capacities
 *
 * The last list grows in place, any other moves to the end. The space it leaves is never reused, so
 * existing views of a list stay valid. A separate array for each list took 330 bytes more.
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

  /** Adds an empty list; its number is the count of earlier ones. */
  addList(): void {
    this.starts.set(this.count, this.used)
    this.lengths.set(this.count, 0)
    this.capacities.set(this.count, 0)
    this.count++
  }

  /** The current list; a view that the caller must not change, and that does not grow. */
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
    // Entries that arrive together get no spare capacity: most lists never grow again.
    const room = isLast || length === 0 ? length + 1 : Math.max(capacityMin, 2 * length)
    this.entries.reserve(at + room)
    if (at !== start) this.entries.data.copyWithin(at, start, start + length)
    this.used = at + room
    this.starts.set(list, at)
    this.capacities.set(list, room)
  }
}
