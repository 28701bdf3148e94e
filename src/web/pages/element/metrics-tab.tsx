/** The metrics of an element: a tree of their names, and small charts or a table of those below. */

import { useMemo } from "preact/hooks"
import { readMetrics, type Element, type ElementMetric } from "../../api/element.ts"
import { metricName } from "../../format/metric-name.ts"
import { fullValueText, valueText } from "../../format/numbers.ts"
import { agoText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import type { PageState } from "../../frame/page-state.ts"
import { SearchField } from "../../frame/rows/search-field.tsx"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { ChartGrid } from "./chart-grid.tsx"
import { metricShapes, type elementParameters } from "./element-parameters.ts"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { exploreAddress } from "./explore-address.ts"
import { MetricPanel } from "./metric-panel.tsx"
import { nameTree, passingNames } from "./metric-tree.ts"
import { NameTree } from "./name-tree.tsx"
import { text } from "./text.ts"

export interface TabProps {
  readonly element: Element
  /** Another number loads again. */
  readonly round: number
}

export interface MetricTabProps extends TabProps {
  readonly state: PageState<typeof elementParameters>
}

export function MetricsTab({ element, round, state }: MetricTabProps) {
  const { under, find, size, metric } = state.values
  const all = useMemo(() => [...element.units.keys()], [element])
  const nodes = useMemo(() => nameTree(all), [all])
  const passing = useMemo(() => passingNames(all, { under, typed: find }), [all, under, find])
  if (metric !== "") {
    return (
      <MetricPanel
        {...{ element, metric, round }}
        backAddress={state.addressWith({ metric: "" })}
      />
    )
  }
  if (all.length === 0) return <Empty reason={text.noMetrics} />
  const addressOf = (name: string) => state.addressWith({ metric: name })
  return (
    <div class={style["part"]}>
      <div class={style["tools"]}>
        <SearchField
          label={text.filterMetrics}
          value={find}
          maxLength={200}
          onValue={(next) => state.set({ find: next }, "typed")}
        />
        <Segments
          label={text.shape}
          value={size}
          options={metricShapes.map((value) => ({ value, text: text.shapes[value] }))}
          onValue={(next) => state.set({ size: next })}
        />
        <span class="secondary" role="status">
          {text.shownMetrics(passing.length, all.length)}
        </span>
      </div>
      <div class={style["columns"]}>
        <NameTree nodes={nodes} shown={under} onShow={(next) => state.set({ under: next })} />
        {passing.length === 0 ? (
          <Empty reason={text.noMetricPasses}>
            <Button onClick={() => state.set({ find: "", under: "" })}>{text.showAll}</Button>
          </Empty>
        ) : size === "table" ? (
          <MetricRows {...{ element, round }} names={passing} />
        ) : (
          <ChartGrid {...{ element, round, size, addressOf }} names={passing} />
        )}
      </div>
    </div>
  )
}

/** More rows are found by typing: a large element has 5,000 metrics. */
const shownMax = 300

function MetricRows({ element, round, names }: TabProps & { readonly names: readonly string[] }) {
  const { api } = useApp()
  const { value, error, reload } = useLoaded(`${element.fqn} ${round}`, (signal) =>
    readMetrics(api, element.fqn, signal),
  )
  const rows = useMemo(() => {
    const byName = new Map(value?.map((one) => [one.fqn, one]))
    return names.flatMap((name) => byName.get(name) ?? [])
  }, [value, names])
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={8} />
  return (
    <div class={style["part"]}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <MetricTable element={element} metrics={rows.slice(0, shownMax)} />
      {rows.length > shownMax && <p class="secondary">{text.firstRows(shownMax)}</p>}
    </div>
  )
}

interface MetricTableProps {
  readonly element: Element
  readonly metrics: readonly ElementMetric[]
}

function MetricTable({ element, metrics }: MetricTableProps) {
  return (
    <div tabIndex={0} role="region" aria-label={text.metricTable}>
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
          {visibleText(metricName(metric.fqn))}
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
