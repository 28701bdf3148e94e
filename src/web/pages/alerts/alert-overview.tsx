/**
 * Alerts of the range by time, above the list, and the elements that have most of them. Both are
 * loaded after the list.
 */

import { incidentHistogram } from "../../api/incident/groups.ts"
import { barsOf } from "../../chart/strip/bar-mark.ts"
import { useApp } from "../../frame/app.ts"
import { useRested } from "../../frame/live/use-rested.ts"
import { RangeStrip, totalOf } from "../../frame/rows/range-strip.tsx"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LoadFailed } from "../../parts/states.tsx"
import type { AlertsState } from "./alerts-state.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"
import { TopViolators } from "./top-violators.tsx"

export interface OverviewProps {
  readonly state: AlertsState
  readonly round: number
}

export function AlertOverview({ state, round }: OverviewProps) {
  const isRested = useRested()
  return (
    <div class={style["overview"]}>
      <Strip state={state} round={round} isRested={isRested} />
      <TopViolators state={state} round={round} isRested={isRested} />
    </div>
  )
}

/** A drag lists all alerts of its time, also those that are closed by now. */
function Strip({ state, round, isRested }: OverviewProps & { readonly isRested: boolean }) {
  const { api, ranges } = useApp()
  const { overview, overviewKey, filter, showAll } = state
  // The levels are those of the bars: all are counted.
  const asked = { ...overview, levels: [] }
  const subject = overviewKey
  const { value, error, isFormer, reload } = useLoaded(
    isRested ? `${round} ${subject}` : null,
    (signal) => incidentHistogram(api, asked, barsOf(overview.range), signal),
    subject,
  )
  const isOpenList = filter.range === undefined
  return (
    <div class={style["strip"]}>
      {value !== null && (
        <RangeStrip
          counts={value}
          chosen={filter.levels}
          isFormer={isFormer}
          labelOf={(total, step) => text.opened(total, step, isOpenList)}
          countText={text.total}
          onRange={(range) => {
            ranges.showRange(range)
            showAll()
          }}
        />
      )}
      {value !== null && totalOf(value, filter.levels) === 0 && (
        <p class="secondary">{text.noneOpened(isOpenList)}</p>
      )}
      <LoadFailed error={error} title={text.stripFailed} retryText={text.retry} onRetry={reload} />
    </div>
  )
}
