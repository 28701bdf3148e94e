/** Reads typed fields of JSON from packages, and collects problems with their JSON paths. */

import { isObject, isScalar, type JsonObject } from "../base/json-value.ts"
import { textCharactersMax } from "../base/limits.ts"
import { expressionProblem, needsBacktracking } from "./lookahead.ts"
import { isSimplePattern } from "./name-pattern.ts"

/** Collects sentences about invalid fields, each beginning with a JSON path. */
export class ConfigProblems {
  readonly problems: string[] = []
  /** Omitted parts, one sentence each, beginning with a JSON path. */
  readonly warnings: string[] = []

  add(path: string, expected: string, got: unknown): undefined {
    this.problems.push(`${path}: expected ${expected}, got ${quoteValue(got)}`)
    return undefined
  }

  /** Reports a valid expression that our engine does not support. */
  addOmission(path: string, got: unknown): undefined {
    const expected = "a regular expression without look-around but (?!…) at its head"
    this.warnings.push(`${path}: left out, expected ${expected}, got ${quoteValue(got)}`)
    return undefined
  }
}

/** Fields of one object. A reader returns undefined for an absent, null, empty or wrong field. */
export class ConfigFieldReader {
  readonly path: string
  private readonly object: JsonObject
  private readonly problems: ConfigProblems

  constructor(object: JsonObject, path: string, findings: ConfigProblems) {
    this.object = object
    this.path = path
    this.problems = findings
  }

  value(name: string): unknown {
    const value = Object.hasOwn(this.object, name) ? this.object[name] : undefined
    return isAbsentField(value) ? undefined : value
  }

  pathOf(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`
  }

  reject(name: string, expected: string): undefined {
    return this.problems.add(this.pathOf(name), expected, this.value(name))
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value === "string" && value.length <= textCharactersMax) return value
    return this.reject(name, `a text of at most ${textCharactersMax} characters`)
  }

  /** A regular expression; one that needs a backtracking engine is omitted with a warning. */
  pattern(name: string): string | undefined {
    const text = this.text(name)
    const isFine = text === undefined || isSimplePattern(text)
    const problem = isFine ? null : expressionProblem(text)
    if (problem === null) return text
    if (needsBacktracking(text!)) return this.problems.addOmission(this.pathOf(name), text)
    return this.reject(name, `a regular expression (${problem})`)
  }

  number(name: string): number | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof number === "number" && Number.isFinite(number)) return number
    return this.reject(name, "a finite number")
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (value === true || value === "true") return true
    if (value === false || value === "false") return false
    return this.reject(name, "true or false")
  }

  child(name: string): JsonObject | undefined {
    const value = this.value(name)
    if (value === undefined || isObject(value)) return value
    return this.reject(name, "an object")
  }

  /** Texts; numbers and booleans are converted. */
  texts(name: string): readonly string[] {
    const value = this.value(name)
    if (value === undefined) return []
    if (Array.isArray(value) && value.every(isScalar)) return value.map(String)
    this.reject(name, "a list of texts")
    return []
  }
}

/** Published packages also write null as a text. */
export function isAbsentField(value: unknown): boolean {
  return value === null || value === "" || value === "null"
}

function quoteValue(value: unknown): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
