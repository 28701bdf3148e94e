/**
 * What a log line may say: fields that are named like secrets, and credentials in URLs and headers,
 * are replaced; an error keeps its sentence, its stack and its code, and no other property, since
 * libraries attach requests and options to theirs.
 */

import type { LogFields } from "../base/log.ts"

const secretName = /(?:password|secret|token|credentials|cookie|api_?key|authorization)$/i
/** Fields nest no deeper in our own lines; what does is cut off, cycles included. */
const fieldDepthMax = 6

/** Paths whose next segment is an API key, credentials of a URL, and those of a header. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(\/(?:ingest|check)\/(?:(?:events|webhook)\/)?(?:[a-z]{1,20}\/)?)[\w-]{16,128}/g, "$1[secret]"],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, "$1[secret]@"],
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{8,}/gi, "$1 [secret]"],
]

/** The fields of a line as they may be written. */
export function withoutSecrets(fields: LogFields): LogFields {
  return redacted(fields, 0) as LogFields
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactedText(value)
  if (value instanceof Error) return errorFields(value, depth)
  if (!Array.isArray(value) && !isPlainObject(value)) return value
  if (depth > fieldDepthMax) return "[deep]"
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1))
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    secretName.test(name) ? "[secret]" : redacted(field, depth + 1),
  ])
  return Object.fromEntries(entries)
}

function redactedText(text: string): string {
  return secretTexts.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
}

function errorFields(error: Error, depth: number): unknown {
  if (depth > fieldDepthMax) return "[deep]"
  const { name, message, stack, cause } = error
  const { code, syscall } = error as NodeJS.ErrnoException
  return {
    type: name,
    message: redactedText(message),
    ...(stack === undefined ? {} : { stack: redactedText(stack) }),
    ...(code === undefined ? {} : { code }),
    ...(syscall === undefined ? {} : { syscall }),
    ...(cause === undefined ? {} : { cause: redacted(cause, depth + 1) }),
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
