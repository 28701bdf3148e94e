/**
 * A column of integers from 0 to 2^31 - 1 by number; unset entries are -1.
 *
 *   flat    one array, while numbers come one after the other: reading takes a quarter less
 *   pages   as those of pages.ts, once one of them has lost all of its entries, or numbers are left
 *           out: memory follows the entries, not the greatest number
 */

import { assert } from "../base/assert.ts"

const pageBits = 12
const pageLength = 2 ** pageBits
const pageMask = pageLength - 1
/** In place of a page without entries, so that reading one needs no other check. */
const emptyPage = new Int32Array(pageLength).fill(-1)

const noPages: readonly Int32Array[] = []

export class IntColumn {
  /** Empty once there are pages. */
  private flat = new Int32Array(0)
  private pages: Int32Array[] | null = null
  /** Entries that are set, of each page; of the flat array as if it were pages. */
  private readonly counts: number[] = []

  get(index: number): number {
    const { flat } = this
    // Unsigned: -1 is the number of nothing.
    if (index >>> 0 < flat.length) return flat[index]!
    const page = (this.pages ?? noPages)[index >>> pageBits]
    return page === undefined ? -1 : page[index & pageMask]!
  }

  set(index: number, value: number): void {
    assert(value >= 0, "Expected a number to set, or to remove the entry")
    if (index >>> 0 >= this.flat.length) return this.setOutside(index, value)
    // Without further calls: the first posts after a start run this before V8 has compiled it.
    if (this.flat[index] === -1) this.counts[index >>> pageBits]!++
    this.flat[index] = value
  }

  /** Sets an entry that the flat array does not have. */
  private setOutside(index: number, value: number): void {
    const at = index >>> pageBits
    if (this.pages === null && at > this.counts.length) this.divide()
    if (this.pages === null) {
      this.grow(index + 1)
      return this.set(index, value)
    }
    while (this.counts.length <= at) this.counts.push(0)
    if (this.get(index) === -1) this.counts[at]!++
    pageToWrite(this.pages, at)[index & pageMask] = value
  }

  remove(index: number): void {
    if (this.get(index) === -1) return
    const at = index >>> pageBits
    if (--this.counts[at]! === 0 && this.pages === null) this.divide()
    if (this.pages === null) this.flat[index] = -1
    else if (this.counts[at] === 0) this.pages[at] = emptyPage
    else this.pages[at]![index & pageMask] = -1
  }

  /** Makes the flat array longer, with room for `length` entries. */
  private grow(length: number): void {
    const { flat, counts } = this
    // By a quarter, not twice: a column of a million entries must not have a million spare ones.
    const larger = new Int32Array(Math.max(length, 64, Math.ceil(flat.length * 1.25))).fill(-1)
    larger.set(flat)
    this.flat = larger
    while (counts.length << pageBits < larger.length) counts.push(0)
  }

  /** Goes on in pages. */
  private divide(): void {
    const { flat, counts } = this
    this.flat = new Int32Array(0)
    this.pages = counts.map((count, at) => {
      if (count === 0) return emptyPage
      const page = new Int32Array(pageLength).fill(-1)
      page.set(flat.subarray(at << pageBits, (at + 1) << pageBits))
      return page
    })
  }
}

function pageToWrite(pages: Int32Array[], at: number): Int32Array {
  while (pages.length <= at) pages.push(emptyPage)
  const page = pages[at]!
  return page === emptyPage ? (pages[at] = new Int32Array(pageLength).fill(-1)) : page
}
