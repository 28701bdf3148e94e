/** The filter of the page: the text of the URL, its terms, and the groups of requests. */

import { useMemo } from "preact/hooks"
import { filterGroups, type FilterGroups } from "../../url/filter-groups.ts"
import { parseFilter, type ParsedFilter } from "../../url/filter-language.ts"
import { usePageState } from "../page-state.ts"
import { sharedParameters } from "../../url/shared-parameters.ts"

const filterParameter = { f: sharedParameters.f }

export interface PageFilter extends ParsedFilter {
  readonly text: string
  readonly groups: FilterGroups
  /** Typed filters replace the entry of the history, chosen ones push one. */
  set(text: string, how?: "chosen" | "typed"): void
}

/** Terms with a problem are left out, so the others stay in force. */
export function usePageFilter(): PageFilter {
  const state = usePageState(filterParameter)
  const { f } = state.values
  const parsed = useMemo(() => parseFilter(f), [f])
  const groups = useMemo(() => filterGroups(parsed.terms), [parsed])
  return { ...parsed, text: f, groups, set: (next, how) => state.set({ f: next }, how) }
}
