/**
 * How well a text matches a search: equal, prefix, start of a word, part. A search of several words
 * matches a text with all of them in any order. Case does not matter.
 */

/** The lower, the better. */
export const ranks = { equal: 0, prefix: 1, wordStart: 2, part: 3, words: 4 } as const
export type Rank = (typeof ranks)[keyof typeof ranks]

/** A search as it is compared with texts. */
export interface SearchTerm {
  /** The whole search, in lower case, with single spaces. */
  readonly text: string
  /** Its words, the longest first. */
  readonly words: readonly string[]
}

/** The term of a search; `words` is empty for blank texts. */
export function searchTermOf(searched: string): SearchTerm {
  const text = comparable(searched).trim().replaceAll(/ +/g, " ")
  const words = text.split(" ").filter((word) => word !== "")
  return { text, words: [...new Set(words)].sort((one, other) => other.length - one.length) }
}

/** A text in lower case and on one line. */
export function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\0]/g, " ")
}

const wordEnds = new Set([".", "-", "_", " ", "/", ":"])

/**
 * The rank of a text that is `comparable`; null if it does not match.
 *
 * @example
 * const of = (text: string) => rankOf(text, searchTermOf("CPU"))
 * assert.deepEqual(["cpu", "cpu.total", "host-cpu", "acpu", "mem"].map(of), [0, 1, 2, 3, null])
 * assert.equal(rankOf("web-1 cpu", searchTermOf("cpu web")), ranks.words)
 */
export function rankOf(text: string, term: SearchTerm): Rank | null {
  const first = text.indexOf(term.text)
  if (first === 0) return text.length === term.text.length ? ranks.equal : ranks.prefix
  for (let at = first; at > 0; at = text.indexOf(term.text, at + 1)) {
    if (wordEnds.has(text[at - 1]!)) return ranks.wordStart
  }
  if (first > 0) return ranks.part
  return term.words.length > 1 && term.words.every((word) => text.includes(word))
    ? ranks.words
    : null
}

/** A match, and what decides between matches of one rank. */
export interface RankedMatch<Thing> {
  readonly thing: Thing
  readonly rank: Rank
  readonly text: string
}

/** Better ones first: by rank, then the shorter text, then in order of the alphabet. */
function compareMatches(
  one: Omit<RankedMatch<unknown>, "thing">,
  other: Omit<RankedMatch<unknown>, "thing">,
): number {
  if (one.rank !== other.rank) return one.rank - other.rank
  if (one.text.length !== other.text.length) return one.text.length - other.text.length
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0
}

/** The best matches of a scan, and how many there were. Adding one that is no better costs 10 ns. */
export class BestMatches<Thing> {
  /** Distinct things that matched. */
  total = 0
  private readonly best: RankedMatch<Thing>[] = []
  private readonly things = new Set<Thing>()
  private readonly countMax: number

  constructor(countMax: number) {
    this.countMax = countMax
  }

  /** Keeps a match if it is among the best; a thing is kept once, with its better text. */
  offer(match: RankedMatch<Thing>): void {
    const { best, countMax } = this
    const last = best.at(-1)
    if (best.length === countMax && last !== undefined && compareMatches(match, last) >= 0) return
    if (this.things.has(match.thing)) {
      const at = best.findIndex(({ thing }) => thing === match.thing)
      if (compareMatches(match, best[at]!) >= 0) return
      best.splice(at, 1)
    }
    let at = best.length
    while (at > 0 && compareMatches(match, best[at - 1]!) < 0) at--
    best.splice(at, 0, match)
    this.things.add(match.thing)
    if (best.length > countMax) this.things.delete(best.pop()!.thing)
  }

  /** From the best on. */
  list(): readonly RankedMatch<Thing>[] {
    return this.best
  }
}

/** A thing with the texts by which it is found, best ones first. */
export interface SearchableText<Thing> {
  readonly thing: Thing
  readonly texts: readonly string[]
}

/** The best `countMax` things of a short list, and how many of them match. */
export function bestOf<Thing>(
  things: Iterable<SearchableText<Thing>>,
  term: SearchTerm,
  countMax: number,
): BestMatches<Thing> {
  const found = new BestMatches<Thing>(countMax)
  for (const { thing, texts } of things) {
    const matches = texts.flatMap((shown) => {
      const text = comparable(shown)
      const rank = rankOf(text, term)
      return rank === null ? [] : [{ thing, rank, text }]
    })
    if (matches.length === 0) continue
    found.total++
    for (const match of matches) found.offer(match)
  }
  return found
}
