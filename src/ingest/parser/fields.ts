/**
 * Reads texts, names and lists of name and value as collectors send them.
 *
 * Checked by hand and not by valibot: with the transforms that the leniency needs, and with
 * messages that name element, metric and sample, the schema halved the speed of the whole reference
 * parser (1.5 against 2.6 million samples a second, JSON.parse included), and the messages had to
 * be rebuilt anyway.
 */

import { isObject, type JsonObject } from "../../base/json-value.ts"
import { fqnCharactersMax, tagsPerEntityMax, textCharactersMax } from "../../base/limits.ts"
import type { NameValue } from "../../model/element.ts"
import { cleanFqn } from "../../model/fqn.ts"
import type { BodyPosition, BodyProblems } from "./problems.ts"
import { quoted } from "./problems.ts"

/**
 * True if an optional field counts as not sent: `null` and the empty string do (spec/ingest §4).
 */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

/** Reads the members of one body; adds what is invalid to `problems`, with its `position`. */
export class FieldReader {
  readonly problems: BodyProblems
  readonly position: BodyPosition
  /** True if an escape or UTF-16 may have produced a lone surrogate, which no store can keep. */
  private readonly replacesSurrogates: boolean

  constructor(problems: BodyProblems, position: BodyPosition, repairs: boolean) {
    this.problems = problems
    this.position = position
    this.replacesSurrogates = repairs
  }

  refuse(what: string): undefined {
    this.problems.add(() => `${capital(String(this.position))}: ${what}`)
    return undefined
  }

  /** An optional text; numbers and booleans are converted, other types are refused. */
  text(value: unknown, field: string): string | undefined {
    if (isAbsent(value)) return undefined
    const text = typeof value === "string" ? value : scalarText(value)
    if (text === undefined) return this.refuse(`${field} ${quoted(value)} is not a text`)
    if (text.length > textCharactersMax) {
      return this.refuse(`${field} has ${text.length} characters, at most ${textCharactersMax} fit`)
    }
    return this.replacesSurrogates ? replaceLoneSurrogates(text) : text
  }

  /** A required id, cleaned (spec/names §2). */
  fqn(value: unknown, field: string): string | undefined {
    const raw = typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
    const fqn = cleanFqn(raw)
    if (fqn.length > 0 && fqn.length <= fqnCharactersMax) return fqn
    if (fqn.length > 0) {
      return this.refuse(`${field} has ${fqn.length} characters, at most ${fqnCharactersMax} fit`)
    }
    if (isAbsent(value)) return this.refuse(`Missing required field '${field}'`)
    if (raw === "") return this.refuse(`${field} ${quoted(value)} is not a text`)
    return this.refuse(`${field} ${quoted(value)} holds none of the characters a-z A-Z 0-9 . _ -`)
  }

  /** Tags or attributes: `[{name, value}]`, or leniently `{name: value}`. */
  pairs(value: unknown, field: string): readonly NameValue[] | undefined {
    if (isAbsent(value)) return undefined
    const entries = Array.isArray(value) ? value : isObject(value) ? mapEntries(value) : undefined
    if (entries === undefined) return this.refuse(`${field} ${quoted(value)} is not a list`)
    if (entries.length > tagsPerEntityMax) return this.refuseCount(field, entries.length)
    if (entries.length === 0) return undefined
    return entries.map((entry) => this.pair(entry, field))
  }

  refuseCount(field: string, count: number): undefined {
    return this.refuse(`${count} ${field} are given, at most ${tagsPerEntityMax} fit`)
  }

  private pair(entry: unknown, field: string): NameValue {
    const { name, value }: JsonObject = isObject(entry) ? entry : {}
    const text = this.text(name, `a name of ${field}`)
    if (text === undefined) this.refuse(`an entry of ${field} has no name: ${quoted(entry)}`)
    return { name: text ?? "", value: this.text(value, `${field} value of ${quoted(name)}`) ?? "" }
  }
}

function mapEntries(map: JsonObject): JsonObject[] {
  return Object.entries(map).map(([name, value]) => ({ name, value }))
}

function scalarText(value: unknown): string | undefined {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

/** Replaces each lone surrogate by U+FFFD. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd")
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
