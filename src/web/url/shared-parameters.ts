/** Parameters that all pages have: range, zone, filter. They go along from page to page. */

import { parseAddress } from "./address.ts"
import { filterLengthMax } from "./filter-language.ts"
import { textParameter, type Definition } from "./parameters.ts"

export const sharedParameters = {
  from: textParameter("now-6h", 64),
  to: textParameter("now", 64),
  tz: textParameter("", 64),
  f: textParameter("", filterLengthMax),
  /** `0` keeps a range that moves with the clock as it was when it was opened. */
  live: textParameter("1", 1),
} satisfies Definition

/** Those of an address, for links to other pages. */
export function sharedQuery(address: string): URLSearchParams {
  const { query } = parseAddress(address)
  const kept = Object.keys(sharedParameters).flatMap((name): [string, string][] => {
    const text = query.get(name)
    return text === null ? [] : [[name, text]]
  })
  return new URLSearchParams(kept)
}

/** A link to `path` with the range, zone and filter of an address. */
export function linkWithShared(path: string, address: string): string {
  const query = sharedQuery(address).toString()
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`
}

/** The address with other values of these parameters; the other parameters stay. */
export function addressWithShared(
  address: string,
  changes: Readonly<Partial<Record<keyof typeof sharedParameters, string>>>,
): string {
  const { query } = parseAddress(address)
  for (const [name, text] of Object.entries(changes)) {
    const { fallback } = sharedParameters[name as keyof typeof sharedParameters]
    if (text === fallback) query.delete(name)
    else query.set(name, text)
  }
  const path = address.split("?")[0]!
  const printed = query.toString()
  return printed === "" ? path : `${path}?${printed}`
}
