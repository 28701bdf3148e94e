/** The summary of an element: the charts that say most about it. */

import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { ChartGrid } from "./chart-grid.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { summaryMetrics } from "./summary-metrics.ts"
import type { MetricTabProps } from "./metrics-tab.tsx"
import { text } from "./text.ts"

export function SummaryTab({ element, round, state }: MetricTabProps) {
  const { api, ranges } = useApp()
  const { range } = ranges.current.value
  const key = JSON.stringify([element.id, range, round])
  const { value, error, reload } = useLoaded(key, (signal) =>
    summaryMetrics(api, { elementId: element.id, range }, signal),
  )
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={8} />
  if (value.length === 0) return <Empty reason={text.noValuesAtAll} />
  const addressOf = (metric: string) => state.addressWith({ tab: "metrics", metric })
  return (
    <div class={style["part"]}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <p class="secondary">{text.summaryHint}</p>
      <ChartGrid {...{ element, round, addressOf }} names={value} size="medium" />
    </div>
  )
}
