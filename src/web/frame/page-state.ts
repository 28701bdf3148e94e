/** The state of a page in its URL: typed values, and changes as entries of the history. */

import { useMemo } from "preact/hooks"
import { parseAddress, printAddress } from "../url/address.ts"
import { readParameters, writeParameters, textParameter } from "../url/parameters.ts"
import type { Definition, ReadParameters, ValuesOf } from "../url/parameters.ts"
import { useApp } from "./app.ts"

export interface PageState<D extends Definition> extends ReadParameters<D> {
  /** Chosen values make an entry of the history; typed ones replace the present one. */
  set(changes: Partial<ValuesOf<D>>, how?: "chosen" | "typed"): void
  /** The address of this page with other values, for links. */
  addressWith(changes: Partial<ValuesOf<D>>): string
}

/** Parameters that all pages have: range, zone, filter, live. */
export const sharedParameters = {
  from: textParameter("now-6h", 64),
  to: textParameter("now", 64),
  tz: textParameter("", 64),
  f: textParameter("", 2_000),
} satisfies Definition

/** Reads the parameters of `definition` from the address; the component is drawn again with it. */
export function usePageState<D extends Definition>(definition: D): PageState<D> {
  const { navigation } = useApp()
  const address = navigation.address.value
  return useMemo(() => {
    const { segments, query } = parseAddress(address)
    const addressWith = (changes: Partial<ValuesOf<D>>): string =>
      printAddress(segments, writeParameters(definition, query, changes))
    return {
      ...readParameters(definition, query),
      addressWith,
      set(changes, how = "chosen") {
        const next = addressWith(changes)
        if (how === "chosen") navigation.push(next)
        else navigation.replace(next)
      },
    }
  }, [address, definition, navigation])
}

/** Query parameters that go along from page to page: the range and the filter. */
export function sharedQuery(address: string): URLSearchParams {
  const { query } = parseAddress(address)
  const kept = Object.keys(sharedParameters).flatMap((name): [string, string][] => {
    const text = query.get(name)
    return text === null ? [] : [[name, text]]
  })
  return new URLSearchParams(kept)
}
