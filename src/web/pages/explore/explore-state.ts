/** The state of Explore in its URL: queries, shape, what is drawn besides lines. */

import { useMemo } from "preact/hooks"
import type { PlotLook } from "../../chart/plot/plot-input.ts"
import { useApp } from "../../frame/app.ts"
import { usePageState, type PageState } from "../../frame/page-state.ts"
import { parseAddress, printAddress } from "../../url/address.ts"
import { flagParameter, wordParameter } from "../../url/parameters.ts"
import { emptyQuery, readQueries, writeQueries, type ExploreQuery } from "./query-codec.ts"
import { splitChoices } from "./split.ts"

const viewParameters = {
  view: wordParameter(["lines", "area", "stacked", "heat", "table", "bar"], "lines"),
  each: wordParameter(splitChoices, "auto"),
  bands: flagParameter(),
  pct: wordParameter(["none", "lines", "fan"], "none"),
  zero: flagParameter(),
}

export interface ExploreView extends PageState<typeof viewParameters> {
  /** At least one, perhaps without a metric. */
  readonly queries: readonly ExploreQuery[]
  readonly look: PlotLook
  setQueries(queries: readonly ExploreQuery[]): void
  setLook(changes: Partial<PlotLook>): void
}

export function useExploreState(): ExploreView {
  const { navigation } = useApp()
  const state = usePageState(viewParameters)
  const { segments, query } = parseAddress(navigation.address.value)
  const texts = query.getAll("q")
  const read = useMemo(() => readQueries(query), [texts.join("\n")])
  const queries = useMemo(() => (read.queries.length === 0 ? [emptyQuery] : read.queries), [read])
  const { view, bands, pct, zero } = state.values
  const look = useMemo<PlotLook>(() => {
    const shape = view === "table" || view === "bar" ? "lines" : view
    return { shape, hasBands: bands, percentiles: pct, isFromZero: zero }
  }, [view, bands, pct, zero])
  return {
    ...state,
    broken: [...read.broken, ...state.broken],
    queries,
    look,
    setQueries(next) {
      const present = parseAddress(navigation.address.peek()).query
      const given = next.length === 1 && next[0] === emptyQuery ? [] : next
      navigation.push(printAddress(segments, writeQueries(present, given)))
    },
    setLook({ shape, hasBands, percentiles, isFromZero }) {
      state.set({
        ...(shape !== undefined && { view: shape }),
        ...(hasBands !== undefined && { bands: hasBands }),
        ...(percentiles !== undefined && { pct: percentiles }),
        ...(isFromZero !== undefined && { zero: isFromZero }),
      })
    },
  }
}
