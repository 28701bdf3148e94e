/**
 * The queries of Explore in the URL, one parameter `q` each:
 *
 *   q=cpu.total;where=type:SERVER;by=element;agg=max;top=5;order=max;dir=asc;shift=7d;off=1
 *
 * The metric comes first: a name, a text with * for any part, or /a regular expression/. Defaults
 * are left out; `;` and `%` inside a value are escaped. A query without an order has that of the
 * addresses that were written when the mean was the default.
 */

import {
  groupAggregations,
  seriesOrders,
  type GroupAggregation,
  type SeriesOrder,
} from "../../api/series-answer.ts"
import { escapedPart, newQueryOrder } from "../../url/explore-address.ts"
import { filterLengthMax } from "../../url/filter-language.ts"

export interface ExploreQuery {
  readonly metric: string
  /** In the filter language. */
  readonly where: string
  /** `series`, `element`, `metric`, `type`, `location`, `tag.KEY`, `attribute.KEY` or `all`. */
  readonly by: string
  readonly aggregation: GroupAggregation
  readonly order: SeriesOrder
  readonly direction: "desc" | "asc"
  readonly limit: number
  /** How long ago: `7d`, `12h`; empty for now. */
  readonly shift: string
  readonly isOff: boolean
}

export const emptyQuery: ExploreQuery = {
  metric: "",
  where: "",
  by: "series",
  aggregation: "avg",
  order: newQueryOrder,
  direction: "desc",
  limit: 20,
  shift: "",
  isOff: false,
}

/** Of an address that names none. */
const impliedOrder: SeriesOrder = "avg"

/** Letters name them; more charts are a dashboard. */
export const queriesMax = 8
/** Series that a query of the server shows at most. */
export const limitMax = 1000

export interface ReadQueries {
  readonly queries: readonly ExploreQuery[]
  /** Parts that could not be read: `q.top`. */
  readonly broken: readonly string[]
}

/** Reads the parameters `q`; a part that cannot be read has its default and is named. */
export function readQueries(query: URLSearchParams): ReadQueries {
  const texts = query.getAll("q")
  const broken = texts.length > queriesMax ? ["q"] : []
  const queries = texts.slice(0, queriesMax).map((text) => {
    const read = readQuery(text)
    for (const name of read.broken) broken.push(`q.${name}`)
    return read.query
  })
  return { queries, broken: [...new Set(broken)] }
}

/** The parameters with these queries in place of theirs. */
export function writeQueries(
  query: URLSearchParams,
  queries: readonly ExploreQuery[],
): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete("q")
  for (const one of queries) next.append("q", printQuery(one))
  return next
}

type Part = (text: string) => Partial<ExploreQuery> | undefined

const oneOf =
  <W extends string>(words: readonly W[], make: (word: W) => Partial<ExploreQuery>): Part =>
  (text) => {
    const word = words.find((one) => one === text)
    return word === undefined ? undefined : make(word)
  }

const parts: Readonly<Record<string, Part>> = {
  where: (where) => (where.length <= filterLengthMax ? { where } : undefined),
  by: (by) => (isGrouping(by) ? { by } : undefined),
  agg: oneOf(groupAggregations, (aggregation) => ({ aggregation })),
  order: oneOf(seriesOrders, (order) => ({ order })),
  dir: oneOf(["desc", "asc"], (direction) => ({ direction })),
  top: (text) => {
    const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
    return limit >= 1 && limit <= limitMax ? { limit } : undefined
  },
  shift: (shift) => (isoShift(shift) === undefined ? undefined : { shift }),
  off: (text) => (text === "1" ? { isOff: true } : undefined),
}

export const plainGroupings = ["series", "element", "metric", "type", "location", "all"] as const

export function isGrouping(text: string): boolean {
  return plainGroupings.some((one) => one === text) || /^(?:tag|attribute)\..{1,512}$/s.test(text)
}

/** `7d` as the ISO duration P7D; undefined for another text. */
export function isoShift(text: string): string | undefined {
  const match = /^([1-9]\d{0,3})([mhdw])$/.exec(text)
  if (match === null) return undefined
  const [, count, unit] = match
  const isTime = unit === "m" || unit === "h"
  return `P${isTime ? "T" : ""}${count}${unit!.toUpperCase()}`
}

function readQuery(text: string): { query: ExploreQuery; broken: string[] } {
  const [metric = "", ...pairs] = text.split(";").map(unescaped)
  const broken: string[] = []
  const read = pairs.reduce<ExploreQuery>(
    (query, pair) => {
      const at = pair.indexOf("=")
      const name = at < 0 ? pair : pair.slice(0, at)
      const part = Object.hasOwn(parts, name) ? parts[name]!(pair.slice(at + 1)) : undefined
      if (at < 0 || part === undefined) broken.push(name)
      return { ...query, ...part }
    },
    { ...emptyQuery, order: impliedOrder, metric },
  )
  return { query: read, broken }
}

function printQuery(query: ExploreQuery): string {
  const { metric, where, by, aggregation, order, direction, limit, shift, isOff } = query
  const pairs: [string, string, boolean][] = [
    ["where", where, where !== emptyQuery.where],
    ["by", by, by !== emptyQuery.by],
    ["agg", aggregation, aggregation !== emptyQuery.aggregation],
    ["top", String(limit), limit !== emptyQuery.limit],
    ["order", order, order !== impliedOrder],
    ["dir", direction, direction !== emptyQuery.direction],
    ["shift", shift, shift !== emptyQuery.shift],
    ["off", "1", isOff],
  ]
  const given = pairs.filter(([, , isGiven]) => isGiven)
  return [metric, ...given.map(([name, value]) => `${name}=${value}`)].map(escapedPart).join(";")
}

function unescaped(text: string): string {
  return text.replaceAll("%3B", ";").replaceAll("%25", "%")
}
