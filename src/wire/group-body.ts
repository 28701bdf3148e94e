/** Reads the filter groups of a query body (field-facts §3.1). What cannot be taken becomes a problem. */

import * as v from "valibot"
import { booleanValue, objectValue, readWith, textValue } from "./body.ts"
import type { Filter, ListColumn, ListGroup, ListItem, Match } from "./list-group.ts"
import { laterGroups, listColumns } from "./list-group.ts"
import type { Problems } from "./problems.ts"
import { shown } from "./problems.ts"

/** Groups within groups: real queries use one level. */
const groupDepthMax = 8
/** Items of all groups together: a page of ids, the largest thing that one query returns. */
const filterItemsMax = 10_000

const groupBody = objectValue({
  and: v.nullish(booleanValue, true),
  items: v.nullish(v.array(v.unknown()), []),
  nestedItems: v.nullish(v.array(v.unknown()), []),
})

const itemBody = objectValue({
  item: textValue,
  literal: v.nullish(booleanValue, true),
  contains: v.nullish(booleanValue, true),
  queryType: v.nullish(v.string(), ""),
})

const queryTypes: Readonly<Record<string, Match>> = {
  EXACT: "equal",
  PREFIX: "prefix",
  CONTAINS: "part",
}

/** The filter in a body; groups that it does not name, or names without items, let all pass. */
export function readFilter(body: Readonly<Record<string, unknown>>, problems: Problems): Filter {
  const filter: Partial<Record<ListColumn, ListGroup>> = {}
  const room = { items: filterItemsMax }
  for (const column of listColumns) {
    const raw = body[column]
    if (raw === undefined || raw === null) continue
    const group = readGroup(raw, { column, path: column, depth: 1, room, problems })
    if (group !== null && !isEmpty(group)) filter[column] = group
  }
  for (const name of laterGroups) {
    if (!asksForNothing(body[name])) {
      problems.add(`${name}: expected one of the groups ${listColumns.join(", ")}`)
    }
  }
  if (room.items < 0) problems.add(`body: expected at most ${filterItemsMax} items in all groups`)
  return filter
}

interface Place {
  readonly column: ListColumn
  readonly path: string
  readonly depth: number
  readonly room: { items: number }
  readonly problems: Problems
}

function readGroup(raw: unknown, place: Place): ListGroup | null {
  const { path, depth, room, problems } = place
  if (depth > groupDepthMax) {
    problems.add(`${path}: expected at most ${groupDepthMax} groups within each other`)
    return null
  }
  const group = readWith(groupBody, raw, { path, problems })
  if (group === null) return null
  room.items -= group.items.length + group.nestedItems.length
  if (room.items < 0) return null
  return {
    and: group.and,
    items: kept(group.items, (item, i) =>
      readItem(item, { ...place, path: `${path}.items[${i}]` }),
    ),
    nested: kept(group.nestedItems, (nested, i) =>
      readGroup(nested, { ...place, path: `${path}.nestedItems[${i}]`, depth: depth + 1 }),
    ),
  }
}

function readItem(raw: unknown, { column, path, problems }: Place): ListItem | null {
  const item = readWith(itemBody, raw, { path, problems })
  if (item === null) return null
  const type = item.queryType.toUpperCase()
  const match = type === "" ? (item.literal ? "equal" : "part") : queryTypes[type]
  if (match === undefined) {
    const accepted = Object.keys(queryTypes).join(", ")
    problems.add(`${path}.queryType: expected one of ${accepted}, got ${shown(item.queryType)}`)
    return null
  }
  // Ids are computed in lower case.
  const isId = column === "elementIds" || column === "metricIds"
  return {
    text: isId ? item.item.toLowerCase() : item.item,
    match,
    caseless: match !== "equal" && !item.literal && !isId,
    excludes: !item.contains,
  }
}

function kept<T>(raws: readonly unknown[], read: (raw: unknown, i: number) => T | null): T[] {
  return raws.map(read).filter((one) => one !== null)
}

function isEmpty(group: ListGroup): boolean {
  return group.items.length === 0 && group.nested.length === 0
}

/** Full models send every group, most of them without items. */
function asksForNothing(raw: unknown): boolean {
  if (raw === undefined || raw === null) return true
  if (typeof raw !== "object") return false
  const { items, nestedItems } = raw as { items?: unknown; nestedItems?: unknown }
  return isNothing(items) && isNothing(nestedItems)
}

function isNothing(list: unknown): boolean {
  return list === undefined || list === null || (Array.isArray(list) && list.length === 0)
}
