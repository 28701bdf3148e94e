/** The value that a condition compared, with its course; its metric is behind the link. */

import type { ReadonlySignal } from "@preact/signals"
import { RowSpark } from "../../chart/small/row-spark.tsx"
import { comparedText } from "../../format/compared-text.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { exploreAddress } from "../element/explore-address.ts"
import { cellKey, type MetricCells } from "../inventory/metric-cells.ts"
import type { AlertRow } from "./alert-row.ts"
import style from "./alerts.module.css"
import { text } from "./text.ts"

export interface ValueCellProps {
  readonly row: AlertRow
  readonly cells: ReadonlySignal<MetricCells>
}

/** The metric of the compared value; groups have none. */
export function valueMetric(row: AlertRow): string | undefined {
  if (row.kind === "group") return undefined
  const { compared, violatingMetricFqns } = row.incident
  return compared[0]?.metricFqn ?? violatingMetricFqns[0]
}

/** Alerts of events and checks compare nothing, and those of earlier versions kept no numbers. */
export function ValueCell({ row, cells }: ValueCellProps) {
  const numbers = useApp().preferences.numberStyle.value
  if (row.kind === "group") return null
  const { compared, elementFqn, violatingMetricFqns } = row.incident
  const [first] = compared
  const shown = first === undefined ? null : comparedText(first, numbers)
  const metric = valueMetric(row)
  if (metric === undefined) return <span class="secondary">{text.noValue}</span>
  const values = cells.value.get(cellKey(elementFqn, metric))?.values.actual
  const all = visibleText([...new Set([metric, ...violatingMetricFqns])].join(", "))
  return (
    <a
      class={style["value"]}
      href={exploreAddress({ metric, elementFqn })}
      title={all}
      aria-label={text.valueOf(visibleText(metric), shown)}
    >
      {values === undefined ? <span class={style["noSpark"]} /> : <RowSpark values={values} />}
      <span dir="auto">{shown ?? visibleText(metric)}</span>
    </a>
  )
}
