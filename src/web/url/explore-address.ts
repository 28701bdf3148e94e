/** Addresses of Explore, whose queries are written as `pages/explore/query-codec.ts` says. */

import { printAddress } from "./address.ts"

/** The order of a new query: the mean of a range hides a spike, so that it would not be drawn. */
export const newQueryOrder = "max"

/** One metric, ranked as a new query is; `others` are more parameters of the page. */
export function metricAddress(
  metric: string,
  others: Readonly<Record<string, string>> = {},
): string {
  const q = `${escapedPart(metric)};order=${newQueryOrder}`
  return printAddress(["explore"], new URLSearchParams({ q, ...others }))
}

/** A part of a query between semicolons. */
export function escapedPart(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(";", "%3B")
}
