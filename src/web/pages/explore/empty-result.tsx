/** Nothing to see: why, and the next step. */

import { metricNames } from "../../api/metric-names.ts"
import { useApp } from "../../frame/app.ts"
import type { PageFilter } from "../../frame/filter/page-filter.ts"
import { rangeTimes } from "../../frame/range/range-names.ts"
import type { PageRange } from "../../frame/range/ranges.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { countText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Button } from "../../parts/button.tsx"
import { Empty } from "../../parts/states.tsx"
import type { ExploreView } from "./explore-state.ts"
import style from "./explore.module.css"
import type { QueryResult } from "./lines.ts"
import { namesFilter } from "./metric-field.tsx"
import { letters } from "./series-request.ts"
import { text } from "./text.ts"

interface StartProps {
  readonly state: ExploreView
  readonly filter: PageFilter
}

/** Names to begin with: more are found by typing. */
const offeredMax = 24

/** Before a metric is chosen: those that most elements have. */
export function Start({ state, filter }: StartProps) {
  const { api, preferences } = useApp()
  const numbers = preferences.numberStyle.value
  const body = namesFilter("", "", filter.terms)
  const found = useLoaded(JSON.stringify(body), (signal) => metricNames(api, body, signal))
  const names = found.value ?? []
  const choose = (metric: string): void => {
    const [first, ...others] = state.queries
    state.setQueries([{ ...first!, metric }, ...others])
  }
  if (found.value !== null && names.length === 0) {
    return (
      <Empty reason={filter.text === "" ? text.noMetrics : text.noMetricPasses}>
        {filter.text !== "" && <Button onClick={() => filter.set("")}>{text.clearFilter}</Button>}
      </Empty>
    )
  }
  return (
    <div class={style["start"]}>
      <h2>{text.start}</h2>
      <p class="secondary">{text.startHint}</p>
      <ul class={style["names"]}>
        {names.slice(0, offeredMax).map(({ fqn, elements }) => (
          <li key={fqn}>
            <button type="button" class={style["nameChoice"]} onClick={() => choose(fqn)}>
              <span dir="auto">{visibleText(fqn)}</span>
              <span class="secondary">{text.elements(countText(elements, numbers))}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface NoSeriesProps extends StartProps {
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
  return (
    <Empty reason={text.noMatch(visibleText(query.metric))}>
      {filter.text !== "" && <Button onClick={() => filter.set("")}>{text.clearFilter}</Button>}
      {query.where !== "" && <Button onClick={clearWhere}>{text.clearWhere(letter)}</Button>}
    </Empty>
  )
}
