/**
 * A set of small numbers, such as series: one bit each, read in ascending order. Adding a million
 * costs no sorting and 125 kB; an array of them costs 4 MB and a sort.
 */
export class IndexSet {
  /** How many there are. */
  size = 0
  private readonly words: Int32Array

  /** Of numbers in `[0, capacity)`. */
  constructor(capacity: number) {
    this.words = new Int32Array((capacity + 31) >>> 5)
  }

  static of(capacity: number, members: Iterable<number>): IndexSet {
    const set = new IndexSet(capacity)
    for (const member of members) set.add(member)
    return set
  }

  add(member: number): void {
    const before = this.words[member >>> 5]!
    const after = before | (1 << (member & 31))
    if (after === before) return
    this.words[member >>> 5] = after
    this.size++
  }

  has(member: number): boolean {
    return (this.words[member >>> 5]! & (1 << (member & 31))) !== 0
  }

  forEach(visit: (member: number) => void): void {
    for (let word = 0; word < this.words.length; word++) {
      let bits = this.words[word]!
      while (bits !== 0) {
        visit((word << 5) + 31 - Math.clz32(bits & -bits))
        bits &= bits - 1
      }
    }
  }

  /** All members, ascending. */
  toArray(): Int32Array {
    return this.slice(0, this.size)
  }

  /** The members from the `from`-th to before the `to`-th, ascending. */
  slice(from: number, to: number): Int32Array {
    const end = Math.min(to, this.size)
    const members = new Int32Array(Math.max(0, end - from))
    let position = 0
    for (let word = 0; word < this.words.length && position < end; word++) {
      let bits = this.words[word]!
      const count = popCount(bits)
      if (position + count <= from) {
        position += count
        continue
      }
      while (bits !== 0 && position < end) {
        if (position >= from) members[position - from] = (word << 5) + 31 - Math.clz32(bits & -bits)
        bits &= bits - 1
        position++
      }
    }
    return members
  }
}

/** How many bits of a 32-bit integer are set (Hacker's Delight, figure 5-2). */
function popCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
