/**
 * Entries by number, in pages. Numbers are never assigned again, so a page is released once all of
 * its entries are removed: memory follows what is known, not what was ever numbered.
 */

const pageBits = 10
const pageMask = 2 ** pageBits - 1

interface Page<T> {
  readonly entries: (T | undefined)[]
  known: number
}

export class Pages<T> {
  /** Numbers that have an entry. */
  size = 0
  private readonly pages: (Page<T> | undefined)[] = []

  get(index: number): T | undefined {
    return this.pages[index >>> pageBits]?.entries[index & pageMask]
  }

  set(index: number, entry: T): void {
    const page = (this.pages[index >>> pageBits] ??= { entries: [], known: 0 })
    const at = index & pageMask
    // Without holes, an array takes less and is read faster.
    while (page.entries.length < at) page.entries.push(undefined)
    if (page.entries[at] === undefined) {
      page.known++
      this.size++
    }
    page.entries[at] = entry
  }

  remove(index: number): void {
    const page = this.pages[index >>> pageBits]
    const at = index & pageMask
    if (page?.entries[at] === undefined) return
    page.entries[at] = undefined
    page.known--
    this.size--
    if (page.known === 0) this.pages[index >>> pageBits] = undefined
  }

  /** Numbers that have an entry, ascending. */
  *numbers(): Generator<number, void, undefined> {
    for (let page = 0; page < this.pages.length; page++) {
      const entries = this.pages[page]?.entries ?? []
      for (let at = 0; at < entries.length; at++) {
        if (entries[at] !== undefined) yield (page << pageBits) | at
      }
    }
  }
}
