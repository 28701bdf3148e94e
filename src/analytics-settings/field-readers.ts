/** Fields of JSON from packages: what they must be, and where what is wrong with them stands. */

import { textCharactersMax } from "../base/limits.ts"
import { expressionProblem, needsBacktracking } from "./lookahead.ts"
import { isSimplePattern } from "./name-pattern.ts"

/** Takes sentences about what is wrong, each naming a JSON path. */
export class Findings {
  readonly problems: string[] = []
  /** What is left out, one sentence each, naming a JSON path. */
  readonly warnings: string[] = []

  add(path: string, expected: string, got: unknown): undefined {
    this.problems.push(`${path}: expected ${expected}, got ${shown(got)}`)
    return undefined
  }

  /** For an expression that is one, and has no meaning for our engine. */
  leaveOut(path: string, got: unknown): undefined {
    const expected = "a regular expression without look-around but (?!…) at its head"
    this.warnings.push(`${path}: left out, expected ${expected}, got ${shown(got)}`)
    return undefined
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Fields of one object. Each gives undefined where it is absent, null, empty or wrong. */
export class Fields {
  readonly path: string
  private readonly object: JsonObject
  private readonly findings: Findings

  constructor(object: JsonObject, path: string, findings: Findings) {
    this.object = object
    this.path = path
    this.findings = findings
  }

  raw(name: string): unknown {
    const value = Object.hasOwn(this.object, name) ? this.object[name] : undefined
    return isNothing(value) ? undefined : value
  }

  at(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`
  }

  wrong(name: string, expected: string): undefined {
    return this.findings.add(this.at(name), expected, this.raw(name))
  }

  text(name: string): string | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (typeof value === "string" && value.length <= textCharactersMax) return value
    return this.wrong(name, `a text of at most ${textCharactersMax} characters`)
  }

  /** A regular expression that our engine takes; left out where another engine alone would. */
  pattern(name: string): string | undefined {
    const text = this.text(name)
    const isFine = text === undefined || isSimplePattern(text)
    const problem = isFine ? null : expressionProblem(text)
    if (problem === null) return text
    if (needsBacktracking(text!)) return this.findings.leaveOut(this.at(name), text)
    return this.wrong(name, `a regular expression (${problem})`)
  }

  number(name: string): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof number === "number" && Number.isFinite(number)) return number
    return this.wrong(name, "a finite number")
  }

  boolean(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    if (value === true || value === "true") return true
    if (value === false || value === "false") return false
    return this.wrong(name, "true or false")
  }

  child(name: string): JsonObject | undefined {
    const value = this.raw(name)
    if (value === undefined || isObject(value)) return value
    return this.wrong(name, "an object")
  }

  /** Texts; numbers and booleans count as such. */
  texts(name: string): readonly string[] {
    const value = this.raw(name)
    if (value === undefined) return []
    if (Array.isArray(value) && value.every(isScalar)) return value.map(String)
    this.wrong(name, "a list of texts")
    return []
  }
}

/** Published packages write null as a text too. */
export function isNothing(value: unknown): boolean {
  return value === null || value === "" || value === "null"
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
