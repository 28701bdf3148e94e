/**
 * A small chart: one metric with its name, last value and span. It has no axes and no cursor: the
 * name leads to where it has them.
 */

import type { SeriesLine } from "../../api/series-answer.ts"
import { fullValueText, valueText, type NumberStyle } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { areaPath, boxOf, linePath } from "./line-path.ts"
import style from "./small.module.css"

export const chartSizes = ["small", "medium", "large"] as const
export type ChartSize = (typeof chartSizes)[number]

export interface SmallChartProps {
  readonly name: string
  readonly href: string
  /** Undefined for a metric without values in the window. */
  readonly line: SeriesLine | undefined
  readonly size: ChartSize
  readonly numbers: NumberStyle
  /** Instead of the span if there are no values. */
  readonly noData: string
  /** Words of the span, from the lowest to the highest. */
  readonly spanText: (least: string, greatest: string) => string
}

const size = { width: 240, height: 100 }

export function SmallChart(props: SmallChartProps) {
  const { name, href, line, numbers, noData, spanText } = props
  const shown = visibleText(name)
  const { actual = [], low = [], high = [] } = line?.values ?? {}
  const box = boxOf([actual, low, high], size)
  const unit = line?.unit ?? ""
  const text = (value: number | null) => valueText(value, unit, numbers)
  return (
    <figure class={style["chart"]}>
      <figcaption class={style["caption"]}>
        <a href={href} title={shown} dir="auto">
          {shown}
        </a>
        {line !== undefined && (
          <strong title={fullValueText(line.summary.last, unit)}>{text(line.summary.last)}</strong>
        )}
      </figcaption>
      <svg
        class={style[props.size]}
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class={style["area"]} d={areaPath(low, high, box)} />
        <path class={style["line"]} d={linePath(actual, box)} />
      </svg>
      <span class={style["span"]}>
        {line === undefined ? noData : spanText(text(line.summary.min), text(line.summary.max))}
      </span>
    </figure>
  )
}
