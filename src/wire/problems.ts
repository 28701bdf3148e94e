/** All problems of one request, reported together: one sentence per problem. */

import { errorStringsMax } from "../base/limits.ts"
import { invalid } from "../base/errors.ts"
import { nearest } from "./nearest.ts"

export class Problems {
  private readonly added: string[] = []
  private omitted = 0

  /** `sentence` names the field and the value. */
  add(sentence: string): void {
    if (this.added.length < errorStringsMax - 1) this.added.push(sentence)
    else this.omitted++
  }

  /** The sentences, the last of which counts what was omitted; empty without a problem. */
  sentences(): readonly string[] {
    const rest = this.omitted === 0 ? [] : [`and ${this.omitted} more problems`]
    return [...this.added, ...rest]
  }

  /** Throws `invalid` if any problem was added. */
  throwIfAny(): void {
    if (this.added.length > 0) throw invalid(this.sentences())
  }
}

/** Longest part of a value that a sentence repeats. */
const shownCharactersMax = 80

/** A value from a request for an error text: quoted, on one line, shortened if long. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : compact(value)
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

function compact(value: unknown): string {
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  return String(value)
}

/** `; did you mean "name"?`, to end a sentence about a word that is not known; else empty. */
export function didYouMean(word: string, known: readonly string[]): string {
  const name = nearest(word, known)
  return name === null ? "" : `; did you mean ${shown(name)}?`
}
