/**
 * One form for the files of packages (spec/packages §5): sorted names, two spaces, no empty values.
 * Formatting twice changes nothing more.
 */

/** The text of a file in that form; throws a SyntaxError where it is no JSON. */
export function formatJson(text: string): string {
  const value = withoutEmpty(JSON.parse(text.replace(/^\ufeff/, "")))
  return `${JSON.stringify(value ?? {}, null, 2)}\n`
}

/** undefined where nothing is left. */
function withoutEmpty(value: unknown): unknown {
  // Packages of the field write an empty array within a text: "[]".
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
