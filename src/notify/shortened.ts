/** JSON values with short lists and texts. */

import { parsedJson } from "../base/json-value.ts"
import { truncate } from "../base/text/truncate.ts"
import type { TemplateValue } from "../template/syntax.ts"

/**
 * A value of which each list has its first `lengthMax` items and each text as many characters; a
 * text that is JSON, such as the results of a policy, remains JSON. A map keeps its known fields;
 * one with more than `fieldsMax` has been posted by a client, and is shortened like a list.
 *
 * @example
 * const long = { fqn: "web-1", metrics: ["cpu", "memory", "load"], results: '{"of":[1,2,3]}' }
 * const want = { fqn: "w…", metrics: ["c…", "m…"], results: '{"of":[1,2]}' }
 * assert.deepEqual(shortened(long, 2), want)
 */
export function shortened(value: TemplateValue, lengthMax: number): TemplateValue {
  if (typeof value === "string") return shortenedText(value, lengthMax)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const items = (value as readonly TemplateValue[]).slice(0, lengthMax)
    return items.map((item) => shortened(item, lengthMax))
  }
  const fields = Object.entries(value).slice(0, Math.max(lengthMax, fieldsMax))
  return Object.fromEntries(fields.map(([name, of]) => [name, shortened(of, lengthMax)]))
}

/** No record of ours has as many. */
const fieldsMax = 64

function shortenedText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const read = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined
  if (read === undefined) return truncate(text, lengthMax)
  return JSON.stringify(shortened(read as TemplateValue, lengthMax))
}
