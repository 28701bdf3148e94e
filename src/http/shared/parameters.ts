/** Parameters of operations, and the JSON Schemas of their values, for the API description. */

import type { Parameter, ValueSchema } from "./route.ts"

type Details = Pick<Parameter, "value" | "example" | "repeatable">

export function pathParameter(name: string, description: string, details?: Details): Parameter {
  return { name, in: "path", description, required: true, ...details }
}

export function queryParameter(name: string, description: string, details?: Details): Parameter {
  return { name, in: "query", description, ...details }
}

/** A query parameter that may be given several times, or with several values between commas. */
export function repeatedParameter(
  name: string,
  description: string,
  details?: Omit<Details, "repeatable">,
): Parameter {
  return queryParameter(name, description, { ...details, repeatable: true })
}

export function flagValue(fallback?: boolean): ValueSchema {
  return { type: "boolean", ...withDefault(fallback) }
}

/** One of these words, in any case. */
export function wordValue(words: readonly string[], fallback?: string): ValueSchema {
  return { type: "string", enum: words, ...withDefault(fallback) }
}

export function wholeValue(minimum: number, maximum: number, fallback?: number): ValueSchema {
  return { type: "integer", minimum, maximum, ...withDefault(fallback) }
}

export const uuidValue: ValueSchema = { type: "string", format: "uuid" }
export const idValue: ValueSchema = wholeValue(0, 999_999_999_999_999)
export const durationValue: ValueSchema = { type: "string", format: "duration" }

/** JSON text. */
export const jsonValue: ValueSchema = { type: "string", contentMediaType: "application/json" }

/** An instant in any of the forms that queries accept. */
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
