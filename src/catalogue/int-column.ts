/**
 * A column of integers from 0 to 2^31 - 1 by number, in pages as those of pages.ts; unset entries
 * are -1.
 */

import { assert } from "../base/assert.ts"

const pageBits = 12
const pageLength = 2 ** pageBits
const pageMask = pageLength - 1
/** In place of a page without entries, so that reading one needs no other check. */
const emptyPage = new Int32Array(pageLength).fill(-1)

export class IntColumn {
  private readonly pages: Int32Array[] = []
  /** Entries of each page that are set. */
  private readonly counts: number[] = []

  get(index: number): number {
    const at = index >>> pageBits
    return at < this.pages.length ? this.pages[at]![index & pageMask]! : -1
  }

  set(index: number, value: number): void {
    assert(value >= 0, "Expected a number to set, or to remove the entry")
    const at = index >>> pageBits
    const page = this.pageToWrite(at)
    if (page[index & pageMask] === -1) this.counts[at]!++
    page[index & pageMask] = value
  }

  remove(index: number): void {
    if (this.get(index) === -1) return
    const at = index >>> pageBits
    this.pages[at]![index & pageMask] = -1
    if (--this.counts[at]! === 0) this.pages[at] = emptyPage
  }

  private pageToWrite(at: number): Int32Array {
    while (this.pages.length <= at) this.counts[this.pages.push(emptyPage) - 1] = 0
    const page = this.pages[at]!
    return page === emptyPage ? (this.pages[at] = new Int32Array(pageLength).fill(-1)) : page
  }
}
