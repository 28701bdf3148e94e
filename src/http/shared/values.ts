/** JSON Schemas of the values of parameters, for the API description. */

import type { ValueSchema } from "./route.ts"

export function flagValue(fallback?: boolean): ValueSchema {
  return { type: "boolean", ...withDefault(fallback) }
}

/** One of these words; other cases of them are taken, too. */
export function wordValue(words: readonly string[], fallback?: string): ValueSchema {
  return { type: "string", enum: words, ...withDefault(fallback) }
}

export function wholeValue(minimum: number, maximum: number, fallback?: number): ValueSchema {
  return { type: "integer", minimum, maximum, ...withDefault(fallback) }
}

export const uuidValue: ValueSchema = { type: "string", format: "uuid" }
export const idValue: ValueSchema = wholeValue(0, 999_999_999_999_999)
export const durationValue: ValueSchema = { type: "string", format: "duration" }

/** JSON as a text. */
export const jsonValue: ValueSchema = { type: "string", contentMediaType: "application/json" }

/** An instant as questions take it. */
export const timeValue: ValueSchema = {
  anyOf: [
    { type: "string", format: "date-time" },
    { type: "integer", description: "Epoch milliseconds" },
    { type: "string", pattern: "^\\d{4}-?\\d{2}-?\\d{2}$", description: "A day in UTC" },
  ],
}

function withDefault(fallback: unknown): ValueSchema {
  return fallback === undefined ? {} : { default: fallback }
}
