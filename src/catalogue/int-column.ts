/**
 * A column of integers from 0 to 2^31 - 1 by number, in pages as those of pages.ts; unset entries
 * are -1.
 */

import { assert } from "../base/assert.ts"

const pageBits = 12
const pageLength = 2 ** pageBits
const pageMask = pageLength - 1

export class IntColumn {
  private readonly pages: (Int32Array | undefined)[] = []
  /** Entries of each page that are set. */
  private readonly counts: number[] = []

  get(index: number): number {
    const page = this.pages[index >>> pageBits]
    return page === undefined ? -1 : page[index & pageMask]!
  }

  set(index: number, value: number): void {
    assert(value >= 0, "Expected a number to set, or to remove the entry")
    const at = index >>> pageBits
    const page = this.pages[at] ?? this.addPage(at)
    if (page[index & pageMask] === -1) this.counts[at]!++
    page[index & pageMask] = value
  }

  remove(index: number): void {
    const at = index >>> pageBits
    const page = this.pages[at]
    if (page === undefined || page[index & pageMask] === -1) return
    page[index & pageMask] = -1
    if (--this.counts[at]! === 0) this.pages[at] = undefined
  }

  private addPage(at: number): Int32Array {
    while (this.pages.length < at) this.counts[this.pages.push(undefined) - 1] = 0
    this.counts[at] = 0
    return (this.pages[at] = new Int32Array(pageLength).fill(-1))
  }
}
