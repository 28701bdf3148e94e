/** How many series use each name, or each definition. */

import { assert } from "../base/assert.ts"
import { IntColumn } from "./int-column.ts"

export class UseCounts {
  private readonly counts = new IntColumn()

  isUsed(index: number): boolean {
    return this.counts.get(index) > 0
  }

  add(index: number): void {
    this.counts.set(index, Math.max(0, this.counts.get(index)) + 1)
  }

  remove(index: number): void {
    const count = this.counts.get(index)
    assert(count > 0, "Expected to remove a use that was added")
    if (count > 1) this.counts.set(index, count - 1)
    else this.counts.remove(index)
  }
}
