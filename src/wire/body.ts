/** Values in JSON bodies, lenient with form; problems with them as sentences. */

import * as v from "valibot"
import type { Problems } from "./problems.ts"
import { shown } from "./problems.ts"

/** Any schema, for code that does not import valibot. */
export type Schema = v.GenericSchema

/** A text; numbers and booleans are converted to text. */
export const textValue = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "a text"),
  v.transform(String),
)

export const booleanValue = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((text) => text === "true"),
    ),
  ],
  "true or false",
)

const noArray = v.custom<never>(() => false, "an object")

/**
 * An object with these entries; valibot alone takes an array for one. Lazy, so that the API
 * description, which asks for no value, sees the object. `alsoSent`: names that real clients are
 * known to send and that have no effect; other names are refused by `refuseUnknownNames`.
 */
export function objectValue<Entries extends v.ObjectEntries>(
  entries: Entries,
  alsoSent: readonly string[] = [],
) {
  const object = { ...v.object(entries), alsoSent }
  return v.lazy((raw) => (Array.isArray(raw) ? (noArray as unknown as typeof object) : object))
}

/** A whole number in `[min, max]`, or its text. */
export function wholeNumberIn(min: number, max: number) {
  const expected = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`
  return v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))],
      `a whole number, ${expected}`,
    ),
    v.check(
      (value) => Number.isInteger(value) && value >= min && value <= max,
      `a whole number, ${expected}`,
    ),
  )
}

/**
 * The value that the schema reads from `raw`; null if invalid, with the reasons in `problems`.
 *
 * @example
 * import { Problems } from "./problems.ts"
 * const body = objectValue({ ttl: wholeNumberIn(1, 60), name: textValue })
 * const read = (raw: unknown, problems = new Problems()) => {
 *   const value = readWith(body, raw, { path: "check", problems })
 *   problems.throwIfAny()
 *   return value
 * }
 * assert.deepEqual(read({ ttl: "30", name: 7 }), { ttl: 30, name: "7" })
 * assert.throws(() => read({ ttl: 90, name: "a" }), /check.ttl: expected a whole number, 1 to 60/)
 */
export function readWith<Schema extends v.GenericSchema>(
  schema: Schema,
  raw: unknown,
  { path, problems }: { path: string; problems: Problems },
): v.InferOutput<Schema> | null {
  const result = v.safeParse(schema, raw)
  if (result.success) return result.output
  for (const issue of result.issues) problems.add(sentence(issue, path))
  return null
}

/** Our own messages say what was expected; valibot's begin with "Invalid". */
function sentence(issue: v.BaseIssue<unknown>, path: string): string {
  // For an absent field valibot gives its name as the expected value.
  if (issue.message.startsWith("Invalid key")) {
    return `${pathOf(issue, path)}: expected a value, got undefined`
  }
  const expected = issue.message.startsWith("Invalid") ? named(issue.expected) : issue.message
  return `${pathOf(issue, path)}: expected ${expected}, got ${shown(issue.input)}`
}

function named(expected: string | null): string {
  if (expected === "Object") return "an object"
  if (expected === "Array") return "an array"
  return expected === "string" ? "a text" : (expected ?? "something else")
}

function pathOf(issue: v.BaseIssue<unknown>, start: string): string {
  let path = start
  for (const { key } of issue.path ?? []) {
    path +=
      typeof key === "number" ? `[${key}]` : path === "" ? `${String(key)}` : `.${String(key)}`
  }
  return path || "body"
}
