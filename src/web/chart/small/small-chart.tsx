/**
 * A small chart: one metric with its name, its last value, axes, learned band and marks of events.
 * Small charts of a page have one cursor; the name leads to the chart that is zoomed.
 */

import type { Signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { SeriesColumns, SeriesLine } from "../../api/series-answer.ts"
import { fullValueText, valueText, type NumberStyle } from "../../format/numbers.ts"
import { shortTimeText, type TimeStyle } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { MarkRow } from "../marks/mark-row.tsx"
import type { EventMark } from "../marks/event-marks.ts"
import { isOutside } from "../plot/line-areas.ts"
import { areaPath, linePath } from "./line-path.ts"
import { timeScale, valueScale, type AxisLabel } from "./small-scale.ts"
import style from "./small.module.css"

export const chartSizes = ["small", "medium", "large"] as const
export type ChartSize = (typeof chartSizes)[number]

/** Parts that all charts of a page share. */
export interface SmallChartPage {
  readonly range: TimeRange
  readonly marks: readonly EventMark[]
  /** The time that is pointed at, epoch milliseconds; null for none. */
  readonly cursor: Signal<number | null>
  readonly nowMs: number
  readonly size: ChartSize
  readonly numbers: NumberStyle
  readonly timeStyle: TimeStyle
  /** Instead of the span if there are no values. */
  readonly noData: string
  /** Words of the span, from the lowest to the highest. */
  readonly spanText: (least: string, greatest: string) => string
}

export interface SmallChartProps {
  readonly name: string
  readonly href: string
  readonly columns: SeriesColumns
  /** Undefined for a metric without values in the window. */
  readonly line: SeriesLine | undefined
  readonly page: SmallChartPage
}

const box = { width: 240, height: 100 }

export function SmallChart({ name, href, columns, line, page }: SmallChartProps) {
  const shown = visibleText(name)
  const { numbers, noData, spanText } = page
  const unit = line?.unit ?? ""
  const text = (value: number | null) => valueText(value, unit, numbers)
  return (
    <figure class={style["chart"]}>
      <figcaption class={style["caption"]}>
        <a href={href} title={shown} dir="auto">
          {shown}
        </a>
        {line !== undefined && <Pointed columns={columns} line={line} page={page} />}
      </figcaption>
      {line !== undefined && <Plot columns={columns} line={line} page={page} />}
      <span class={style["span"]}>
        {line === undefined ? noData : spanText(text(line.summary.min), text(line.summary.max))}
      </span>
    </figure>
  )
}

interface PartProps {
  readonly columns: SeriesColumns
  readonly line: SeriesLine
  readonly page: SmallChartPage
}

/** The value at the cursor and its time; without a cursor the last one. */
function Pointed({ columns, line, page }: PartProps) {
  const { cursor, nowMs, numbers, timeStyle } = page
  const ms = cursor.value
  const { unit, summary, values } = line
  if (ms === null) {
    const last = fullValueText(summary.last, unit)
    return <strong title={last}>{valueText(summary.last, unit, numbers)}</strong>
  }
  const i = Math.round((ms - columns.start) / columns.step)
  return (
    <strong>
      <span class={style["time"]}>
        {shortTimeText(columns.start + i * columns.step, nowMs, timeStyle)}
      </span>{" "}
      {valueText(values.actual?.[i] ?? null, unit, numbers)}
    </strong>
  )
}

function Plot({ columns, line, page }: PartProps) {
  const { range, marks, cursor, nowMs, numbers, size, timeStyle } = page
  const { values, unit } = line
  const { actual = [], low = [], high = [] } = values
  const { baselineLower: lower = [], baselineUpper: upper = [] } = values
  const scale = useMemo(
    () => valueScale([actual, low, high, lower, upper], unit, numbers),
    [values, unit, numbers],
  )
  const own = { ...box, ...scale }
  const outside = actual.map((value, i) => (isOutside(value, [{ lower, upper }], i) ? value : null))
  const length = range.endMs - range.startMs
  const percent = (ms: number) => `${Math.round((ms / length) * 1e5) / 1e3}%`
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    cursor.value = range.startMs + ((clientX - left) / width) * length
  }
  return (
    <div class={style["axes"]} aria-hidden="true">
      <ValueLabels labels={scale.labels} />
      <div
        class={style[size]}
        onPointerMove={point}
        onPointerLeave={() => {
          cursor.value = null
        }}
      >
        {scale.labels.map(({ share }) => (
          <div key={share} class={style["grid"]} style={{ bottom: `${share * 100}%` }} />
        ))}
        <svg
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          style={{
            insetInlineStart: percent(columns.start - range.startMs),
            inlineSize: percent((columns.count - 1) * columns.step),
          }}
        >
          <path class={style["band"]} d={areaPath(lower, upper, own)} />
          <path class={style["area"]} d={areaPath(low, high, own)} />
          <path class={style["line"]} d={linePath(actual, own)} />
          <path class={style["outside"]} d={linePath(outside, own)} />
        </svg>
        <CursorLine cursor={cursor} range={range} />
        <MarkRow {...{ marks, range, nowMs, timeStyle }} />
      </div>
      <TimeLabels labels={timeScale(range, timeStyle)} />
    </div>
  )
}

function CursorLine({ cursor, range }: Pick<SmallChartPage, "cursor" | "range">) {
  const ms = cursor.value
  if (ms === null) return null
  const share = (ms - range.startMs) / (range.endMs - range.startMs)
  return <div class={style["cursor"]} style={{ insetInlineStart: `${share * 100}%` }} />
}

interface LabelsProps {
  readonly labels: readonly AxisLabel[]
}

function ValueLabels({ labels }: LabelsProps) {
  return (
    <div class={style["values"]}>
      {labels.map(({ share, text }) => (
        <span key={share} style={{ bottom: `${share * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  )
}

function TimeLabels({ labels }: LabelsProps) {
  return (
    <div class={style["times"]}>
      {labels.map(({ share, text }) => (
        <span key={share} style={{ insetInlineStart: `${share * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  )
}
