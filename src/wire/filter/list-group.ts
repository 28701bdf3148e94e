/**
 * Filter groups of a query body (spec/queries §2).
 *
 *   group = items, nested groups          passes a subject when
 *     no item that excludes (`contains: false`) matches it, and
 *     `and`: all, else any, of the items that include and the nested groups match it
 *
 * An item of a list group matches a text, of a map group a name with its value. If a subject has
 * several of them (tags, checks), an item matches it when it matches one of them.
 */

/** How an item matches a text. */
export type Match = "equal" | "prefix" | "part" | "wildcard" | "pattern"

export interface ListItem {
  readonly text: string
  readonly match: Match
  readonly caseless: boolean
  readonly excludes: boolean
}

/** `text` is the value's; null means any. */
export interface MapItem extends Omit<ListItem, "text"> {
  readonly text: string | null
  /** The name, in its case; null means any. */
  readonly key: string | null
}

export interface Group<Item> {
  readonly and: boolean
  readonly items: readonly Item[]
  readonly nested: readonly Group<Item>[]
}
export type ListGroup = Group<ListItem>
export type MapGroup = Group<MapItem>

/**
 * Columns of list groups; each is the name of its group in a body. `elementTexts` are an element's
 * name and its FQN.
 */
export const listColumns = [
  "metricFqns",
  "metricNames",
  "metricIds",
  "metricTypes",
  "metricUnits",
  "metricSparseDataStrategies",
  "elementTypes",
  "elementFqns",
  "elementNames",
  "elementIds",
  "elementStatuses",
  "elementLocations",
  "elementTexts",
  "datasourceIds",
  "collectorNames",
  "checkIds",
  "checkNames",
] as const
export type ListColumn = (typeof listColumns)[number]

/** Columns of map groups. `attributes` is also known as `elementAttributes`. */
export const mapColumns = ["elementTags", "metricTags", "attributes"] as const
export type MapColumn = (typeof mapColumns)[number]

/** Chooses which tags or attributes an aggregation counts; it is no condition. */
export const aggregationColumn = "nestedAggregationFilters"

/** Groups by column; all of them must let a metric or an element pass. */
export type Filter = Readonly<Partial<Record<ListColumn, ListGroup> & Record<MapColumn, MapGroup>>>
