/** Filter groups built from query parameters. */

import type { NameValue } from "../../model/element.ts"
import type { ListGroup, ListItem, MapGroup } from "../../wire/filter/list-group.ts"

/** Passes each of these texts, and nothing if there are none. */
export function exactTexts(texts: readonly string[]): ListGroup {
  const items = texts.map((text): ListItem => ({ text, ...exactly }))
  // No item at all would let everything pass.
  return { and: false, items: items.length > 0 ? items : [{ text: "\0", ...exactly }], nested: [] }
}

/** Passes texts that hold one of `parts`, in either case, and none of `excluded`. */
export function textParts(parts: readonly string[], excluded: readonly string[]): ListGroup {
  const item = (excludes: boolean) => (text: string) =>
    ({ text, match: "part", caseless: true, excludes }) as const
  return { and: false, items: [...parts.map(item(false)), ...excluded.map(item(true))], nested: [] }
}

/** Passes what has all of these pairs; of a pair without a value, the name. */
export function allPairs(
  pairs: readonly (NameValue | { readonly name: string; readonly value: null })[],
): MapGroup {
  const items = pairs.map(({ name, value }) => ({ key: name, text: value, ...exactly }))
  return { and: true, items, nested: [] }
}

const exactly = { match: "equal", caseless: false, excludes: false } as const
