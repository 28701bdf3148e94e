/** Laid over the chart of a metric: shaded cycles, the threshold, the cycles that a policy needs. */

import { leftOfTime, shownSpan, type PlotArea } from "../../chart/plot/plot-area.ts"
import { valueText } from "../../format/numbers.ts"
import { useApp } from "../../frame/app.ts"
import type { TimeRange } from "../../url/time-range.ts"
import type { MetricMarks } from "./condition-rows.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"

interface ConditionMarksProps {
  readonly area: PlotArea
  readonly marks: MetricMarks
  readonly needed: number
  readonly unit: string
}

/** The table of cycles says the same to screen readers. */
export function ConditionMarks({ area, marks, needed, unit }: ConditionMarksProps) {
  const { bracket } = marks
  return (
    <div class={style["marks"]} aria-hidden="true">
      <Spans area={area} spans={marks.holds} kind="holds" />
      <Spans area={area} spans={marks.fires} kind="fires" />
      {bracket !== null && <Bracket area={area} span={bracket} needed={needed} />}
      {marks.level !== null && <Threshold {...{ area, unit, level: marks.level }} />}
    </div>
  )
}

interface SpansProps {
  readonly area: PlotArea
  readonly spans: readonly TimeRange[]
  readonly kind: "holds" | "fires"
}

function Spans({ area, spans, kind }: SpansProps) {
  return (
    <>
      {spans.map((span) => {
        const shown = shownSpan(area, span)
        if (shown === null) return null
        const bounds = { left: `${shown.left}px`, width: `${shown.width}px` }
        return <div key={span.startMs} class={style[kind]} style={bounds} />
      })}
    </>
  )
}

interface BracketProps {
  readonly area: PlotArea
  readonly span: TimeRange
  readonly needed: number
}

function Bracket({ area, span, needed }: BracketProps) {
  const shown = shownSpan(area, span)
  if (shown === null) return null
  // A label that would leave the chart ends where the bracket does.
  const isLate = leftOfTime(area, span.startMs) > area.width / 2
  const bounds = { left: `${shown.left}px`, width: `${shown.width}px` }
  return (
    <div class={style["bracket"]} style={bounds}>
      <span class={style[isLate ? "labelLeft" : "label"]}>{text.bracket(needed)}</span>
    </div>
  )
}

interface ThresholdProps {
  readonly area: PlotArea
  readonly level: number
  readonly unit: string
}

function Threshold({ area, level, unit }: ThresholdProps) {
  const numbers = useApp().preferences.numberStyle.value
  const top = area.topOf(level, unit)
  if (top === null || top < 0 || top > area.height) return null
  return (
    <div class={style["threshold"]} style={{ top: `${top}px` }}>
      <span>{text.threshold(valueText(level, unit, numbers))}</span>
    </div>
  )
}
