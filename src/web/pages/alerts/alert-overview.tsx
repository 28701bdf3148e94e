/** Above the list: alerts of the range by time, and the elements that have most of them. */

import { useApp } from "../../frame/app.ts"
import { RangeStrip, totalOf } from "../../frame/rows/range-strip.tsx"
import { LoadFailed } from "../../parts/states.tsx"
import type { AlertsState } from "./alerts-state.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"
import { TopViolators } from "./top-violators.tsx"
import type { Overview } from "./use-overview.ts"

export interface OverviewProps {
  readonly state: AlertsState
  readonly overview: Overview
}

export function AlertOverview(props: OverviewProps) {
  return (
    <div class={style["overview"]}>
      <Strip {...props} />
      <TopViolators {...props} />
    </div>
  )
}

/** A drag lists all alerts of its time, also those that are closed by now. */
function Strip({ state: { filter, showAll }, overview: { counts } }: OverviewProps) {
  const { ranges } = useApp()
  const { value, error, isFormer, reload } = counts
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
