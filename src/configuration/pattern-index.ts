/** Which of many regular expressions find something in a name, without trying all of them. */

import { compilePattern, type Pattern } from "../base/pattern.ts"
import { literalsNeeded } from "./literal.ts"

/** Length of the pieces by which expressions are found. */
const pieceLength = 3

/** Expressions by number, matched in either case. */
export class PatternIndex {
  private readonly patterns: (Pattern | undefined)[]
  private readonly texts: readonly string[]
  /** Expressions that need a literal with this piece. */
  private readonly byPiece = new Map<string, number[]>()
  /** Expressions that are tried on every name. */
  private readonly always: number[] = []

  constructor(texts: readonly string[]) {
    this.texts = texts
    this.patterns = texts.map(() => undefined)
    const needs = texts.map(literalsNeeded)
    const frequency = pieceFrequency(needs.flatMap((one) => one ?? []))
    needs.forEach((literals, i) => {
      if (literals === null || literals.some(({ length }) => length < pieceLength)) {
        this.always.push(i)
        return
      }
      const pieces = new Set(literals.map((literal) => rarest(piecesOf(literal), frequency)))
      for (const piece of pieces) pushTo(this.byPiece, piece, i)
    })
  }

  /** Numbers of those that `isWanted` and find something in `name`, ascending. */
  find(name: string, isWanted: (number: number) => boolean): number[] {
    const tried = new Set<number>()
    const found: number[] = []
    const attempt = (number: number): void => {
      if (tried.has(number) || !isWanted(number)) return
      tried.add(number)
      const pattern = (this.patterns[number] ??= compilePattern(this.texts[number]!, caseless))
      if (pattern.test(name)) found.push(number)
    }
    this.always.forEach(attempt)
    for (const piece of piecesOf(name.toLowerCase())) this.byPiece.get(piece)?.forEach(attempt)
    return found.sort((left, right) => left - right)
  }
}

const caseless = { caseless: true }

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
