/** The chart of one metric: zoomed, panned and read by keys, with its band and what happened. */

import { useMemo, useState } from "preact/hooks"
import type { Element } from "../../api/element.ts"
import { queryNamedColumns } from "../../api/series.ts"
import { Chart } from "../../chart/chart.tsx"
import type { PlotLook } from "../../chart/plot/plot-input.ts"
import { metricName } from "../../format/metric-name.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { MarkRow } from "../../chart/marks/mark-row.tsx"
import { useMarks } from "../../frame/use-marks.ts"
import { rangeName } from "../../frame/range/range-names.ts"
import { useDark } from "../../frame/use-dark.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Skeleton } from "../../parts/states.tsx"
import { metricLine } from "../incident/condition-lines.ts"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { text } from "./text.ts"

interface MetricChartProps {
  readonly element: Element
  readonly metric: string
  readonly round: number
}

/** Columns wanted: the server gives no more than there are. */
const columns = 1_200
const firstLook: PlotLook = {
  shape: "lines",
  isFromZero: false,
  hasBands: true,
  percentiles: "none",
}

export function MetricChart({ element, metric, round }: MetricChartProps) {
  const { api, ranges, hotkeys, preferences } = useApp()
  const current = ranges.current.value
  const { range } = current
  const isDark = useDark()
  const [look, setLook] = useState(firstLook)
  const marks = useMarks({ elementIds: [element.id], range, round })
  const key = JSON.stringify([element.id, metric, range, round])
  const load = async (signal: AbortSignal) => {
    const series = [{ elementId: element.id, metricId: metric }]
    const fields = ["actual", "low", "high", "baseline", "contextual"] as const
    const asked = { series, range, width: columns, fields }
    return { result: await queryNamedColumns(api, asked, signal), range: current }
  }
  const subject = JSON.stringify([element.id, metric, current.text])
  const { value, error, isFormer, reload } = useLoaded(key, load, subject)
  const lines = useMemo(() => {
    const line = value?.result && metricLine(value.result, metric, { tone: 0, bands })
    return line ? [line] : []
  }, [value, metric])
  if (value === null) {
    if (error !== null) return <Failed error={error} onRetry={reload} />
    return <Skeleton text={text.loading} rows={8} />
  }
  if (lines.length === 0) return <p class="secondary">{text.noValues}</p>
  const shown = value.range
  const { nowMs, style: timeStyle } = shown
  return (
    <div class={style["metricChart"]} aria-busy={isFormer || undefined}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <Chart
        {...{ lines, look, isDark, nowMs, timeStyle }}
        title={visibleText(metricName(metric))}
        note={null}
        range={shown.range}
        rangeName={rangeName(shown)}
        numberStyle={preferences.numberStyle.value}
        syncKey="element"
        register={(keys) => hotkeys.register(keys)}
        onRange={(next) => ranges.showRange(next)}
        onZoomOut={() => ranges.showFormer()}
        onLook={(changes) => setLook({ ...look, ...changes })}
        onDownload={() => {}}
        overlay={({ view: range }) => <MarkRow {...{ range, marks, nowMs, timeStyle }} />}
      />
    </div>
  )
}

const bands = ["baseline", "contextual"] as const
