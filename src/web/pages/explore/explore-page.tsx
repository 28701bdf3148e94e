/** Explore: any metrics as charts and statistics. All of its state is in the URL. */

import { useMemo, useRef } from "preact/hooks"
import { querySeries } from "../../api/series.ts"
import type { SeriesRequest } from "../../api/series-answer.ts"
import { useApp } from "../../frame/app.ts"
import { FilterBar } from "../../frame/filter/filter-bar.tsx"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { BrokenNote } from "../../frame/notes/broken-note.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { usePageFilter } from "../../frame/filter/page-filter.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import type { FilterTerm } from "../../url/filter-language.ts"
import { useExploreState, type ExploreView } from "./explore-state.ts"
import { useExports } from "./exports.ts"
import style from "./explore.module.css"
import { answerLines } from "./lines.ts"
import { useLateMarks } from "./marks/use-late-marks.tsx"
import { useMargins } from "./margins/use-margins.ts"
import { QueryList } from "./query-list.tsx"
import { Results } from "./results.tsx"
import { limitMax } from "./query-codec.ts"
import { seriesRequest } from "./series-request.ts"
import { chartGroups, splitOf } from "./split.ts"
import { text } from "./text.ts"
import { Toolbar } from "./toolbar.tsx"

/** Columns of a request are hundreds: a window that is a little wider asks nothing else. */
const widthStep = 100
const widthMax = 1_600

export default function ExplorePage() {
  const { ranges } = useApp()
  const range = ranges.current.value
  const filter = usePageFilter()
  const state = useExploreState()
  const page = useRef<HTMLDivElement>(null)
  const request = useRequest(state, filter.terms, page)
  const { loaded, lines } = useAnswer(state, request)
  const answered = loaded.value?.range ?? range
  const shown = request === null ? null : lines
  const { shape } = state.look
  const split = splitOf(state.values.each, shape, shown)
  const { isEach } = split
  const charts = useMemo(
    () => (shown === null ? [] : chartGroups(shown, isEach, shape)),
    [shown, isEach, shape],
  )
  const { view } = state.values
  const marks = useLateMarks(view === "table" || view === "bar" ? null : shown, answered)
  const saves = useExports(state, shown, charts, { range: answered, marks: marks?.marks ?? [] })
  return (
    <div ref={page} class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <LoadingLine loading={loaded} text={text.loading} />
      <FilterBar />
      <BrokenNote names={state.broken} />
      <QueryList state={state} terms={filter.terms} />
      {request !== null && <Toolbar state={state} split={split} saves={saves} />}
      <div class={style["page"]} aria-busy={(request !== null && loaded.isFormer) || undefined}>
        <Results
          state={state}
          filter={filter}
          lines={shown}
          charts={charts}
          split={split}
          marks={marks}
          range={answered}
          error={request === null ? null : loaded.error}
          isAsked={request !== null}
          onRetry={loaded.reload}
          onDownload={() => saves?.csv()}
        />
      </div>
    </div>
  )
}

function useRequest(
  { queries, values }: ExploreView,
  terms: readonly FilterTerm[],
  page: { readonly current: HTMLElement | null },
): SeriesRequest | null {
  const { range } = useApp().ranges.current.value
  const { bands: hasBands, pct: percentiles, view } = values
  return useMemo(() => {
    const pixels = page.current?.clientWidth ?? window.innerWidth
    const columns = Math.round(pixels / widthStep) * widthStep
    const width = Math.min(widthMax, Math.max(widthStep, columns))
    // The distribution is that of all series, not of those that rank highest.
    const asked = view === "heat" ? queries.map((one) => ({ ...one, limit: limitMax })) : queries
    return seriesRequest({ queries: asked, terms, range, width, hasBands, percentiles })
  }, [queries, terms, range, hasBands, percentiles, view === "heat"])
}

/** The last answer stays until the next one is there, with the range and the queries it is of. */
function useAnswer({ queries }: ExploreView, request: SeriesRequest | null) {
  const { api, ranges } = useApp()
  const range = ranges.current.value
  const tones = useRef(new Map<string, number>())
  const key = request === null ? null : `${JSON.stringify(request)} ${range.round}`
  const load = async (signal: AbortSignal) => {
    const asked = request!
    return { answer: await querySeries(api, asked, signal), request: asked, range, queries }
  }
  // Not the times of a range that moves with the clock.
  const subject = JSON.stringify([request?.queries, range.text])
  const loaded = useLoaded(key, load, subject)
  const { value } = loaded
  const lines = useMemo(
    () => (value === null ? null : answerLines(value.answer, value.queries, tones.current)),
    [value],
  )
  return { loaded, lines: useMargins(value, lines) }
}
