/** A bounded list of the problems of one body, each with value and position (spec/ingest §8). */

import { errorStringsMax } from "../../base/limits.ts"

/** Characters of a client's own text that one error string repeats. */
const quotedCharactersMax = 80
/** Larger objects and lists are only described. */
const quotedMembersMax = 4

export class BodyProblems {
  count = 0
  private readonly texts: string[] = []

  /** Adds a problem; `describe` is called only if its text fits the list. */
  add(describe: () => string): void {
    this.count++
    if (this.texts.length < errorStringsMax) this.texts.push(describe())
  }

  /** At most `errorStringsMax` sentences; the last one counts the omitted ones. */
  list(): string[] {
    if (this.count <= errorStringsMax) return this.texts
    const listed = errorStringsMax - 1
    return [...this.texts.slice(0, listed), `… and ${this.count - listed} more problems`]
  }
}

/** A value as the client sent it, cut to a length that fits a message; cheap for large values. */
export function quoted(value: unknown): string {
  if (typeof value === "object" && value !== null) return quotedObject(value)
  // JSON has no infinity: a number that is too large is shown as a word.
  if (typeof value !== "string") return String(value)
  const text = JSON.stringify(value.slice(0, quotedCharactersMax + 1))
  return text.length <= quotedCharactersMax ? text : `${text.slice(0, quotedCharactersMax)}…`
}

function quotedObject(value: object): string {
  const members = Object.values(value)
  const isSmall = members.length <= quotedMembersMax && members.every((member) => isShort(member))
  if (isSmall) return JSON.stringify(value)
  return Array.isArray(value)
    ? `a list of ${members.length}`
    : `an object of ${members.length} members`
}

function isShort(member: unknown): boolean {
  return typeof member === "string" ? member.length < 40 : typeof member !== "object"
}

/** The position of the current value in a body; one object is moved through the whole body. */
export class BodyPosition {
  elementIndex = 0
  elementId: unknown = undefined
  /** Index of the sample, or -1 outside of samples. */
  sampleIndex = -1
  metricId: unknown = undefined
  /** Quoted once: it is repeated in each error of the element. */
  private quotedId: string | undefined = undefined

  startElement(index: number, id: unknown): void {
    this.elementIndex = index
    this.elementId = id
    this.quotedId = undefined
    this.endSample()
  }

  startSample(index: number, metricId: unknown): void {
    this.sampleIndex = index
    this.metricId = metricId
  }

  endSample(): void {
    this.sampleIndex = -1
    this.metricId = undefined
  }

  toString(): string {
    const id = this.elementId === undefined ? "" : ` ${(this.quotedId ??= quoted(this.elementId))}`
    const metric = this.metricId === undefined ? "" : `, metric ${quoted(this.metricId)}`
    const sample = this.sampleIndex < 0 ? "" : `, sample ${this.sampleIndex}`
    return `element ${this.elementIndex}${id}${metric}${sample}`
  }
}
