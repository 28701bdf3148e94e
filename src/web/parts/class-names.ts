/** Joins class names, leaving out those that are missing or false. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== null && name !== false).join(" ")
}
