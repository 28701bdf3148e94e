/** Values of templates as texts, numbers and truths. */

import { TemplateError } from "./template-cursor.ts"
import { Markup } from "./markup.ts"
import type { TemplateValue } from "./syntax.ts"

export function isMissing(value: TemplateValue): value is null | undefined {
  return value === null || value === undefined
}

/** As `${…}` prints it: nothing for what is missing, JSON for lists and maps. */
export function textOf(value: TemplateValue): string {
  if (isMissing(value)) return ""
  if (value instanceof Markup) return value.text
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** Throws where a condition is neither true nor false, as FreeMarker does. */
export function truthOf(value: TemplateValue): boolean {
  if (typeof value === "boolean") return value
  if (isMissing(value)) return false
  throw new TemplateError(`expected true or false, got ${JSON.stringify(value).slice(0, 40)}`)
}

/** -1, 0 or 1: numbers by value, everything else as texts. */
export function compare(left: TemplateValue, right: TemplateValue): number {
  const [a, b] = [asNumber(left), asNumber(right)]
  if (a !== undefined && b !== undefined) return Math.sign(a - b)
  const [one, other] = [textOf(left), textOf(right)]
  return one === other ? 0 : one < other ? -1 : 1
}

/** A number, also one that is written as a text; undefined for anything else. */
export function asNumber(value: TemplateValue): number | undefined {
  if (typeof value === "number") return value
  if (typeof value !== "string" || value.trim() === "") return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
