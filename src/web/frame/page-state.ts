/** The state of a page in its URL: typed values, and changes as entries of the history. */

import { useMemo } from "preact/hooks"
import { parseAddress, printAddress } from "../url/address.ts"
import { readParameters, writeParameters } from "../url/parameters.ts"
import type { Definition, ReadParameters, ValuesOf } from "../url/parameters.ts"
import { useApp } from "./app.ts"

export interface PageState<D extends Definition> extends ReadParameters<D> {
  /** Chosen values make an entry of the history; typed ones replace the present one. */
  set(changes: Partial<ValuesOf<D>>, how?: "chosen" | "typed"): void
  /** The address of this page with other values, for links. */
  addressWith(changes: Partial<ValuesOf<D>>): string
}

/** Reads the parameters of `definition` from the address; the component is drawn again with it. */
export function usePageState<D extends Definition>(definition: D): PageState<D> {
  const { navigation } = useApp()
  const address = navigation.address.value
  return useMemo(() => {
    const { segments, query } = parseAddress(address)
    const addressWith = (changes: Partial<ValuesOf<D>>): string => {
      // Read when it is called: another part of the page may have changed its own parameters.
      const present = parseAddress(navigation.address.peek())
      return printAddress(segments, writeParameters(definition, present.query, changes))
    }
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
