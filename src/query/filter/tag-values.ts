/**
 * Conditions on tags and attributes in a query parameter: a JSON object of arrays, or a JSON list
 * of pairs, as real clients send either (spec/queries §6).
 *
 *   {"env": ["prod", "test"], "team": "web"}        [{"name": "env", "value": "prod"}]
 */

import { isScalar, parsedJson } from "../../base/json-value.ts"
import type { Problems } from "../../wire/problems.ts"
import { shown } from "../../wire/problems.ts"

/** Accepted values by name. */
export type TagValues = ReadonlyMap<string, ReadonlySet<string>>

/** All conditions of a parameter, that may be repeated. What has no meaning becomes a problem. */
export function readTagValues(
  parameter: string,
  texts: readonly string[],
  problems: Problems,
): TagValues {
  const values = new Map<string, Set<string>>()
  for (const text of texts) {
    const pairs = readPairs(parsedJson(text))
    if (pairs === null) {
      problems.add(
        `${parameter}: expected a JSON object of names and arrays of values, got ${shown(text)}`,
      )
    }
    for (const [name, value] of pairs ?? []) {
      const known = values.get(name)
      if (known === undefined) values.set(name, new Set([value]))
      else known.add(value)
    }
  }
  return values
}

type Pair = readonly [name: string, value: string]

/** null for what is neither form. */
function readPairs(json: unknown): Pair[] | null {
  if (typeof json !== "object" || json === null) return null
  const entries = Array.isArray(json) ? json.map(asEntry) : Object.entries(json)
  const pairs: Pair[] = []
  for (const entry of entries) {
    if (entry === null) return null
    const list: unknown[] = Array.isArray(entry[1]) ? entry[1] : [entry[1]]
    if (!list.every(isScalar)) return null
    for (const value of list) pairs.push([entry[0], String(value)])
  }
  return pairs
}

function asEntry(item: unknown): [string, unknown] | null {
  if (typeof item !== "object" || item === null) return null
  const { name, value } = item as { name?: unknown; value?: unknown }
  return typeof name === "string" ? [name, value] : null
}
