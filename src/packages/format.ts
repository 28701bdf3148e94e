/**
 * Canonical format of package files (spec/packages §5): sorted names, two spaces, no empty values.
 * Formatting is idempotent.
 */

/**
 * Formats the text of a file; throws a SyntaxError if it is not JSON.
 *
 * @example
 * assert.equal(formatJson('{"b":1,"a":[],"c":{"d":null}}'), '{\n  "b": 1\n}\n')
 */
export function formatJson(text: string): string {
  const value = withoutEmpty(JSON.parse(text.replace(/^\ufeff/, "")))
  return `${JSON.stringify(value ?? {}, null, 2)}\n`
}

/** The value without empty values; undefined if it is empty itself. */
function withoutEmpty(value: unknown): unknown {
  // Community packages have empty arrays as text: "[]".
  if (value === null || value === "" || value === "[]") return undefined
  if (typeof value !== "object") return value
  if (Array.isArray(value)) {
    const kept = value.map((one) => withoutEmpty(one)).filter((one) => one !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  const kept = Object.entries(value as object)
    .map(([name, one]) => [name, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
