/**
 * What records are found by, in memory: a search at each keystroke decodes no documents. A list is
 * read when it is needed first, and dropped when a document of its kind changes.
 *
 *   "policy:0" ─► entries        size: entries of all lists, of which the oldest are dropped
 */

import { assert } from "../../base/assert.ts"
import { recordNamesMax } from "../../base/limits/search.ts"

export class RecordNames<Entry> {
  /** By kind of the documents; the list that was used last is the last. */
  private readonly lists = new Map<string, readonly Entry[]>()
  private readonly loading = new Map<string, Promise<readonly Entry[]>>()
  private readonly entriesMax: number
  private entries = 0

  constructor(entriesMax = recordNamesMax) {
    this.entriesMax = entriesMax
  }

  /** Entries that are in memory. */
  get size(): number {
    return this.entries
  }

  /** The list of a kind, by `read` if it is not known. A failure is not kept. */
  async of(kind: string, read: () => Promise<readonly Entry[]>): Promise<readonly Entry[]> {
    const known = this.lists.get(kind)
    if (known !== undefined) {
      this.lists.delete(kind)
      this.lists.set(kind, known)
      return known
    }
    const loading = this.loading.get(kind) ?? read()
    this.loading.set(kind, loading)
    try {
      const list = await loading
      // Not if a change came between.
      if (this.loading.get(kind) === loading) this.keep(kind, list)
      return list
    } finally {
      if (this.loading.get(kind) === loading) this.loading.delete(kind)
    }
  }

  /** A document of this kind has changed. */
  invalidate(kind: string): void {
    this.loading.delete(kind)
    this.entries -= this.lists.get(kind)?.length ?? 0
    this.lists.delete(kind)
  }

  private keep(kind: string, list: readonly Entry[]): void {
    this.invalidate(kind)
    this.lists.set(kind, list)
    this.entries += list.length
    for (const oldest of this.lists.keys()) {
      if (this.entries <= this.entriesMax) break
      this.invalidate(oldest)
    }
    assert(this.entries <= this.entriesMax, "Expected the oldest lists to be dropped")
  }
}
