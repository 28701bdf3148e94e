/**
 * Query parameters as they come: repeated, comma-separated or as a JSON array, in any case where
 * case has no meaning (spec/ingest §1: strict with meaning, lenient with form).
 */

import { isScalar, parsedJson } from "../../base/json-value.ts"
import type { Resolution } from "../../model/resolution.ts"
import { isResolution, resolutions } from "../../model/resolution.ts"
import type { QueryInput } from "./request.ts"
import type { Problems } from "../../wire/problems.ts"
import { shown } from "../../wire/problems.ts"

export class QueryParameters {
  private readonly params: QueryInput["params"]
  private readonly problems: Problems

  constructor(params: QueryInput["params"], problems: Problems) {
    this.params = params
    this.problems = problems
  }

  /** The value of a parameter; `undefined` if absent or empty. Two values are a problem. */
  one(name: string): string | undefined {
    const values = new Set(this.texts(name))
    if (values.size > 1) {
      this.problems.add(`${name}: expected one value, got ${[...values].map(shown).join(", ")}`)
    }
    return values.values().next().value
  }

  /** All values: of each repetition, of a comma-separated list, of a JSON array. */
  many(name: string): string[] {
    return this.texts(name).flatMap((text) => {
      if (text.startsWith("[")) return this.jsonTexts(name, text)
      return text.split(",").flatMap((part) => part.trim() || [])
    })
  }

  flag(name: string): boolean {
    const text = this.one(name)?.toLowerCase()
    if (text === undefined || text === "false" || text === "0") return false
    if (text === "true" || text === "1") return true
    this.problems.add(`${name}: expected true or false, got ${shown(text)}`)
    return false
  }

  /** The first of the given resolutions; PT5M if none is given (spec/statistics §2). */
  rollup(name = "rollup"): Resolution {
    const asked = this.many(name)
    for (const text of asked) {
      if (!isResolution(text.toUpperCase())) {
        this.problems.add(`${name}: expected one of ${resolutions.join(", ")}, got ${shown(text)}`)
      }
    }
    const first = asked[0]?.toUpperCase()
    return first !== undefined && isResolution(first) ? first : "PT5M"
  }

  /** Raw texts of a parameter, without the empty ones. */
  texts(name: string): string[] {
    if (!Object.hasOwn(this.params, name)) return []
    return this.params[name]!.flatMap((text) => text.trim() || [])
  }

  private jsonTexts(name: string, text: string): string[] {
    const list = parsedJson(text)
    if (Array.isArray(list) && list.every(isScalar)) return list.map(String)
    this.problems.add(`${name}: expected a JSON array of texts, got ${shown(text)}`)
    return []
  }
}
