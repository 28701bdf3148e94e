/** Cache of a bounded number of entries. */

import { assert } from "./assert.ts"

/**
 * What a full cache drops for a new key: everything, if the keys in use fit and only a changed set
 * of keys fills it (no order to keep), or the entry that was set longest ago. `set` of a known key
 * makes it the newest, so a caller that sets what it gets has a least-recently-used cache.
 */
export type Eviction = "all" | "oldest"

/**
 * A map of at most `entriesMax` entries, for values that can be computed again.
 *
 * @example
 * const cache = new BoundedCache<string, number>(2, "oldest")
 * cache.set("a", 1)
 * cache.set("b", 2)
 * cache.set("c", 3)
 * assert.deepEqual([cache.has("a"), cache.get("c"), cache.size], [false, 3, 2])
 */
export class BoundedCache<Key, Value> {
  private readonly entries = new Map<Key, Value>()
  private readonly entriesMax: number
  private readonly eviction: Eviction

  constructor(entriesMax: number, eviction: Eviction) {
    assert(entriesMax >= 1, `Expected room for at least one entry, got ${entriesMax}`)
    this.entriesMax = entriesMax
    this.eviction = eviction
  }

  get size(): number {
    return this.entries.size
  }

  /** Does not make the entry newer. */
  get(key: Key): Value | undefined {
    return this.entries.get(key)
  }

  /** For caches whose values may be undefined. */
  has(key: Key): boolean {
    return this.entries.has(key)
  }

  /** Makes the entry the newest, and drops others if a new key finds the cache full. */
  set(key: Key, value: Value): void {
    const { entries } = this
    if (!entries.delete(key) && entries.size >= this.entriesMax) {
      if (this.eviction === "all") entries.clear()
      else entries.delete(entries.keys().next().value!)
    }
    entries.set(key, value)
  }

  delete(key: Key): boolean {
    return this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
  }
}
