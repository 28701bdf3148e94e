/** Counts by key; a count of 0 takes no memory. */
export class KeyedCounts<Key> {
  private readonly counts = new Map<Key, number>()

  of(key: Key): number {
    return this.counts.get(key) ?? 0
  }

  add(key: Key, difference: number): void {
    const count = this.of(key) + difference
    if (count === 0) this.counts.delete(key)
    else this.counts.set(key, count)
  }
}
