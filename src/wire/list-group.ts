/**
 * Filter groups of a query body (field-facts §3.1, decisions §6).
 *
 *   group = items, nested groups          passes a text when
 *     no item that excludes (`contains: false`) matches it, and
 *     `and`: all, else any, of the items that include and the nested groups match it
 */

/** How the text of an item is meant. Regular expressions will be one more, with their own engine. */
export type Match = "equal" | "prefix" | "part"

export interface ListItem {
  readonly text: string
  readonly match: Match
  readonly caseless: boolean
  readonly excludes: boolean
}

export interface ListGroup {
  readonly and: boolean
  readonly items: readonly ListItem[]
  readonly nested: readonly ListGroup[]
}

/** What list groups filter by; each is the name of its group in a body. */
export const listColumns = [
  "metricFqns",
  "metricNames",
  "metricIds",
  "metricTypes",
  "metricUnits",
  "elementTypes",
  "elementFqns",
  "elementNames",
  "elementIds",
] as const
export type ListColumn = (typeof listColumns)[number]

/** Groups by column; all of them must let a metric pass. */
export type Filter = Readonly<Partial<Record<ListColumn, ListGroup>>>

/** Groups of the full model that cannot be answered yet; refused, since ignoring one would lie. */
export const laterGroups = [
  "metricSparseDataStrategies",
  "datasourceIds",
  "collectorNames",
  "checkIds",
  "checkNames",
  "elementTags",
  "metricTags",
  "attributes",
  "elementAttributes",
  "nestedAggregationFilters",
] as const
