/** Conversion of template values to texts, numbers and booleans. */

import { TemplateError } from "./template-cursor.ts"
import { Markup } from "./markup.ts"
import type { TemplateValue } from "./syntax.ts"

export function isMissing(value: TemplateValue): value is null | undefined {
  return value === null || value === undefined
}

/** The text that `${…}` prints: empty for a missing value, JSON for lists and maps. */
export function textOf(value: TemplateValue): string {
  if (isMissing(value)) return ""
  if (value instanceof Markup) return value.text
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** Throws if a condition is no boolean, as FreeMarker does; a missing value is false. */
export function truthOf(value: TemplateValue): boolean {
  if (typeof value === "boolean") return value
  if (isMissing(value)) return false
  throw new TemplateError(`expected true or false, got ${JSON.stringify(value).slice(0, 40)}`)
}

/** Returns -1, 0 or 1: numbers compare by value, everything else as texts. */
export function compareValues(left: TemplateValue, right: TemplateValue): number {
  const [a, b] = [asNumber(left), asNumber(right)]
  if (a !== undefined && b !== undefined) return Math.sign(a - b)
  const [one, other] = [textOf(left), textOf(right)]
  return one === other ? 0 : one < other ? -1 : 1
}

/** A number, or a text that contains one; undefined for anything else. */
export function asNumber(value: TemplateValue): number | undefined {
  if (typeof value === "number") return value
  if (typeof value !== "string" || value.trim() === "") return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
