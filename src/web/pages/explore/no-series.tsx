/** A query without a line: why, and the next step. */

import { useApp } from "../../frame/app.ts"
import type { PageFilter } from "../../frame/filter/page-filter.ts"
import { rangeTimes } from "../../frame/range/range-names.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Empty } from "../../parts/states.tsx"
import type { ExploreView } from "./explore-state.ts"
import type { QueryResult } from "./lines.ts"
import { letters } from "./series-request.ts"
import { text } from "./text.ts"

interface NoSeriesProps {
  readonly state: ExploreView
  readonly filter: PageFilter
  readonly range: PageRange
  readonly result: QueryResult
}

/** A query without a line: its filters let nothing pass, or there is no value in the range. */
export function NoSeries({
  state,
  filter,
  range,
  result: { letter, query, result },
}: NoSeriesProps) {
  const { ranges } = useApp()
  const { startMs, endMs } = range.range
  const clearWhere = (): void => {
    const index = letters.indexOf(letter)
    state.setQueries(state.queries.map((one, i) => (i === index ? { ...one, where: "" } : one)))
  }
  const dayMs = 86_400_000
  const isDay = endMs - startMs < dayMs
  if (result.matched > 0) {
    return (
      <Empty
        reason={text.noData(visibleText(query.metric), rangeTimes(startMs, endMs, range.style))}
      >
        <Button onClick={() => ranges.show({ from: isDay ? "now-24h" : "now-30d", to: "now" })}>
          {isDay ? text.showDay : text.showMonth}
        </Button>
      </Empty>
    )
  }
  const isFiltered = filter.text !== "" || query.where !== ""
  const reason = isFiltered ? text.noMatch : text.noneExists
  return (
    <Empty reason={reason(visibleText(query.metric))}>
      {filter.text !== "" && <Button onClick={() => filter.set("")}>{text.clearFilter}</Button>}
      {query.where !== "" && <Button onClick={clearWhere}>{text.clearWhere(letter)}</Button>}
    </Empty>
  )
}
