/** The metrics of an element: last value, lowest and highest, each with a link to Explore. */

import { useMemo, useState } from "preact/hooks"
import { readMetrics, type Element, type ElementMetric } from "../../api/element.ts"
import { fullValueText, valueText } from "../../format/numbers.ts"
import { agoText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { TextField } from "../../parts/field.tsx"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { exploreAddress } from "./explore-address.ts"
import { text } from "./text.ts"

export interface TabProps {
  readonly element: Element
  /** Another number loads again. */
  readonly round: number
}

/** More rows are found by typing: a large element has 5,000 metrics. */
const shownMax = 300

export function MetricsTab({ element, round }: TabProps) {
  const { api } = useApp()
  const { fqn } = element
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, (signal) =>
    readMetrics(api, fqn, signal),
  )
  const [typed, setTyped] = useState("")
  const passing = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/)
    const found = value?.filter((one) => words.every((w) => one.fqn.toLowerCase().includes(w)))
    return (found ?? []).toSorted((one, other) => (one.fqn < other.fqn ? -1 : 1))
  }, [value, typed])
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={8} />
  if (value.length === 0) return <Empty reason={text.noMetrics} />
  return (
    <div class={style["part"]}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <div class={style["field"]}>
        <TextField
          label={text.filterMetrics}
          type="search"
          value={typed}
          onValue={setTyped}
          maxLength={200}
        />
      </div>
      {passing.length === 0 ? (
        <Empty reason={text.noMetricPasses(typed)} />
      ) : (
        <MetricTable element={element} metrics={passing.slice(0, shownMax)} />
      )}
      {passing.length > shownMax && (
        <p class="secondary">{text.shownMetrics(shownMax, passing.length)}</p>
      )}
    </div>
  )
}

interface MetricTableProps {
  readonly element: Element
  readonly metrics: readonly ElementMetric[]
}

function MetricTable({ element, metrics }: MetricTableProps) {
  return (
    <div class={style["scroll"]} tabIndex={0} role="region" aria-label={text.metricTable}>
      <table class={style["table"]} aria-label={text.metricTable}>
        <thead>
          <tr>
            <th scope="col">{text.metric}</th>
            <th scope="col" class="number">
              {text.last}
            </th>
            <th scope="col" class="number" title={text.rangeHint}>
              {text.least}
            </th>
            <th scope="col" class="number" title={text.rangeHint}>
              {text.greatest}
            </th>
            <th scope="col">{text.updated}</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricRow key={metric.fqn} element={element} metric={metric} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MetricRow({ element, metric }: { element: Element; metric: ElementMetric }) {
  const { clock, preferences } = useApp()
  const { lastActual, historicalMin, historicalMax, updated } = metric.state
  const unit = element.units.get(metric.fqn) ?? ""
  const updatedMs = updated === null ? null : Date.parse(updated)
  const numbers = preferences.numberStyle.value
  const number = (value: number | null) => (
    <td class="number" title={fullValueText(value, unit)}>
      {valueText(value, unit, numbers)}
    </td>
  )
  return (
    <tr>
      <th scope="row" class={style["name"]}>
        <a href={exploreAddress({ metric: metric.fqn, elementFqn: element.fqn })} dir="auto">
          {visibleText(metric.fqn)}
        </a>
      </th>
      {number(lastActual)}
      {number(historicalMin)}
      {number(historicalMax)}
      <td title={updatedMs === null ? "" : timeText(updatedMs, preferences.timeStyle.value)}>
        {updatedMs === null ? text.noValue : agoText(updatedMs, clock.nowMs())}
      </td>
    </tr>
  )
}
