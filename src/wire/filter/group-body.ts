/**
 * Reads the filter groups of a query body (spec/queries §2). Invalid items are added to `problems`.
 */

import * as v from "valibot"
import { filterItemsMax, groupDepthMax, patternsPerFilterMax } from "../../base/limits/queries.ts"
import { patternProblem } from "../../base/text/pattern.ts"
import { booleanValue, objectValue, readWith, textValue } from "../body.ts"
import type { Schema } from "../body.ts"
import type { Filter, Group, ListItem, MapGroup, MapItem, Match } from "./list-group.ts"
import { aggregationColumn, listColumns, mapColumns } from "./list-group.ts"
import { isStatusLevel, statusLevels } from "./status-levels.ts"
import type { Problems } from "../problems.ts"
import { shown } from "../problems.ts"

const groupBody = objectValue({
  and: v.nullish(booleanValue, true),
  items: v.nullish(v.array(v.unknown()), []),
  nestedItems: v.nullish(v.array(v.unknown()), []),
})

const itemChoice = {
  literal: v.nullish(booleanValue, true),
  contains: v.nullish(booleanValue, true),
  queryType: v.nullish(v.string(), ""),
}
const listItemBody = objectValue({ item: textValue, ...itemChoice })
const mapItemBody = objectValue({
  key: v.nullish(textValue, ""),
  value: v.nullish(textValue, ""),
  ...itemChoice,
})

export const listGroup = groupSchema(listItemBody)
export const mapGroup = groupSchema(mapItemBody)

/** The groups of a body, for the API description; `readFilter` reads them group by group. */
export const groupSchemas: Readonly<Record<string, Schema>> = Object.fromEntries([
  ...listColumns.map((column) => [column, v.nullish(listGroup)]),
  ...[...mapColumns, aggregationColumn].map((column) => [column, v.nullish(mapGroup)]),
])

function groupSchema(item: Schema): Schema {
  const group: Schema = objectValue({
    and: v.nullish(booleanValue, true),
    items: v.nullish(v.array(item), []),
    nestedItems: v.nullish(v.array(v.lazy(() => group)), []),
  })
  return group
}

const queryTypes: Readonly<Record<string, Match>> = {
  EXACT: "equal",
  PREFIX: "prefix",
  WILDCARD: "wildcard",
  CONTAINS: "part",
  REGEX: "pattern",
}

export interface FilterBody {
  /** Groups that the body does not name, or names without items, let all pass. */
  readonly filter: Filter
  /** Which tags or attributes an aggregation counts; null counts all. */
  readonly counted: MapGroup | null
}

/** The filter in a body. */
export function readFilter(
  body: Readonly<Record<string, unknown>>,
  problems: Problems,
): FilterBody {
  const budget = { items: filterItemsMax, patterns: patternsPerFilterMax }
  const filter: Record<string, Group<never>> = {}
  const read = <Item>(name: string, item: ReadItem<Item>): Group<Item> | null => {
    const raw = body[name]
    if (raw === undefined || raw === null) return null
    const group = readGroup(raw, { path: name, depth: 1, budget, problems, item })
    return group === null || isEmpty(group) ? null : group
  }
  for (const column of listColumns) {
    // Ids are computed in lower case.
    const isId = column === "elementIds" || column === "metricIds" || column === "checkIds"
    const readItem = column === "elementStatuses" ? readStatusItem : readListItem
    const group = read(column, isId ? readIdItem : readItem)
    if (group !== null) filter[column] = group as Group<never>
  }
  for (const column of mapColumns) {
    const isAlias = column === "attributes" && (body[column] ?? null) === null
    const group = read(isAlias ? "elementAttributes" : column, readMapItem)
    if (group !== null) filter[column] = group as Group<never>
  }
  const counted = read(aggregationColumn, readMapItem)
  if (budget.items < 0) problems.add(`body: expected at most ${filterItemsMax} items in all groups`)
  if (budget.patterns < 0) {
    problems.add(`body: expected at most ${patternsPerFilterMax} regular expressions in all groups`)
  }
  return { filter: filter as Filter, counted }
}

interface FilterBudget {
  items: number
  patterns: number
}

interface ItemPosition {
  readonly path: string
  readonly budget: FilterBudget
  readonly problems: Problems
}
type ReadItem<Item> = (raw: unknown, position: ItemPosition) => Item | null

interface GroupPosition<Item> extends ItemPosition {
  readonly depth: number
  readonly item: ReadItem<Item>
}

function readGroup<Item>(raw: unknown, position: GroupPosition<Item>): Group<Item> | null {
  const { path, depth, budget, problems } = position
  if (depth > groupDepthMax) {
    problems.add(`${path}: expected at most ${groupDepthMax} groups within each other`)
    return null
  }
  const group = readWith(groupBody, raw, { path, problems })
  if (group === null) return null
  budget.items -= group.items.length + group.nestedItems.length
  if (budget.items < 0) return null
  return {
    and: group.and,
    items: readEach(group.items, (item, i) =>
      position.item(item, { ...position, path: `${path}.items[${i}]` }),
    ),
    nested: readEach(group.nestedItems, (nested, i) =>
      readGroup(nested, { ...position, path: `${path}.nestedItems[${i}]`, depth: depth + 1 }),
    ),
  }
}

function readListItem(raw: unknown, position: ItemPosition): ListItem | null {
  const item = readWith(listItemBody, raw, position)
  if (item === null) return null
  const match = readMatch(item, { ...position, path: `${position.path}` }, item.item)
  return match === null ? null : { text: item.item, ...match }
}

function readIdItem(raw: unknown, position: ItemPosition): ListItem | null {
  const item = readListItem(raw, position)
  if (item === null || item.match === "pattern") return item
  return { ...item, text: item.text.toLowerCase(), caseless: false }
}

/** An equality with a word that is no level would match nothing. */
function readStatusItem(raw: unknown, position: ItemPosition): ListItem | null {
  const item = readListItem(raw, position)
  if (item === null || item.match !== "equal" || isStatusLevel(item.text)) return item
  const accepted = statusLevels.join(", ")
  position.problems.add(`${position.path}: expected one of ${accepted}, got ${shown(item.text)}`)
  return null
}

/** An empty value matches any value: only the name is tested. */
function readMapItem(raw: unknown, position: ItemPosition): MapItem | null {
  const item = readWith(mapItemBody, raw, position)
  if (item === null) return null
  if (item.key === "" && item.value === "") {
    position.problems.add(`${position.path}: expected a key, a value or both, got neither`)
    return null
  }
  const match = readMatch(item, position, item.value)
  if (match === null) return null
  return { key: item.key || null, text: item.value || null, ...match }
}

interface Choice {
  readonly literal: boolean
  readonly contains: boolean
  readonly queryType: string
}

/** The kind of match of an item; null, with a problem added, if it is invalid. */
function readMatch(
  { literal, contains, queryType }: Choice,
  { path, budget, problems }: ItemPosition,
  text: string,
): Omit<ListItem, "text"> | null {
  const type = queryType.toUpperCase()
  const match = type === "" ? (literal ? "equal" : "part") : queryTypes[type]
  if (match === undefined) {
    const accepted = Object.keys(queryTypes).join(", ")
    problems.add(`${path}.queryType: expected one of ${accepted}, got ${shown(queryType)}`)
    return null
  }
  if (match === "pattern") {
    budget.patterns--
    const problem = patternProblem(text)
    if (problem !== null) {
      problems.add(`${path}: cannot take the regular expression ${shown(text)}: ${problem}`)
      return null
    }
  }
  return { match, caseless: match !== "equal" && !literal, excludes: !contains }
}

function readEach<T>(raws: readonly unknown[], read: (raw: unknown, i: number) => T | null): T[] {
  return raws.map(read).filter((one) => one !== null)
}

function isEmpty(group: Group<unknown>): boolean {
  return group.items.length === 0 && group.nested.length === 0
}
