/** Which of many regular expressions find something in a name, without trying all of them. */

import { literalsNeeded, type Needs } from "./literal.ts"
import { NamePattern } from "./name-pattern.ts"

/** Length of the pieces by which expressions are found. */
const pieceLength = 3

/** Expressions by number, matched in either case. Those with the same text are tried once. */
export class PatternIndex {
  private readonly patterns: readonly NamePattern[]
  /** The distinct text of each number. */
  private readonly textOf: readonly number[]
  /** What each distinct text needs: looking for literals costs a tenth of trying. */
  private readonly needs: readonly Needs[]
  /** Numbers of each distinct text. */
  private readonly numbers: readonly (readonly number[])[]
  /** Distinct texts that need a literal with this piece. */
  private readonly byPiece = new Map<string, number[]>()
  /** Distinct texts that are tried on every name. */
  private readonly always: number[] = []

  constructor(texts: readonly string[]) {
    const numbers = new Map<string, number[]>()
    texts.forEach((text, number) => pushTo(numbers, text, number))
    const distinct = [...numbers.keys()]
    const places = new Map(distinct.map((text, place) => [text, place]))
    this.textOf = texts.map((text) => places.get(text)!)
    this.numbers = [...numbers.values()]
    this.patterns = distinct.map((text) => new NamePattern(text))
    const needs = distinct.map(literalsNeeded)
    this.needs = needs
    const frequency = pieceFrequency(needs.flat(2))
    needs.forEach((sets, text) => {
      const pieces = rarestPieces(sets, frequency)
      if (pieces === null) this.always.push(text)
      else for (const piece of pieces) pushTo(this.byPiece, piece, text)
    })
  }

  /** Numbers of those that `isWanted` and find something in `name`, ascending. */
  find(name: string, isWanted: (number: number) => boolean): number[] {
    const tried = new Set<number>()
    const found: number[] = []
    const lower = name.toLowerCase()
    const attempt = (text: number): void => {
      if (tried.has(text)) return
      tried.add(text)
      if (!this.needs[text]!.every((set) => set.some((one) => lower.includes(one)))) return
      const wanted = this.numbers[text]!.filter(isWanted)
      if (wanted.length === 0) return
      if (this.patterns[text]!.finds(name, lower)) found.push(...wanted)
    }
    this.always.forEach(attempt)
    for (const piece of piecesOf(lower)) this.byPiece.get(piece)?.forEach(attempt)
    return found.sort((left, right) => left - right)
  }

  /** True where the expression of this number fits the whole name. */
  fits(number: number, name: string, lower: string): boolean {
    return this.patterns[this.textOf[number]!]!.fits(name, lower)
  }
}

function piecesOf(text: string): string[] {
  const count = Math.max(0, text.length - pieceLength + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + pieceLength))
}

function pieceFrequency(literals: readonly string[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>()
  for (const literal of literals) {
    for (const piece of piecesOf(literal)) frequency.set(piece, (frequency.get(piece) ?? 0) + 1)
  }
  return frequency
}

/** Pieces of which a text that matches holds at least one, as rare as can be; null for none. */
function rarestPieces(
  sets: readonly (readonly string[])[],
  frequency: ReadonlyMap<string, number>,
): ReadonlySet<string> | null {
  let best: ReadonlySet<string> | null = null
  let bestCount = Infinity
  for (const set of sets) {
    if (set.some(({ length }) => length < pieceLength)) continue
    const pieces = new Set(set.map((literal) => rarest(piecesOf(literal), frequency)))
    const count = [...pieces].reduce((sum, piece) => sum + frequency.get(piece)!, 0)
    if (count >= bestCount) continue
    best = pieces
    bestCount = count
  }
  return best
}

function rarest(pieces: readonly string[], frequency: ReadonlyMap<string, number>): string {
  return pieces.reduce((best, piece) =>
    frequency.get(piece)! < frequency.get(best)! ? piece : best,
  )
}

function pushTo(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
