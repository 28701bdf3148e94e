/**
 * Small charts of an element's metrics, 48 together: a group is asked for when it comes near the
 * sight, and drawn only while it is there, so that 5,000 metrics are some hundred nodes.
 */

import { metricName } from "../../format/metric-name.ts"
import { useSignal, type Signal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { queryNamedColumns } from "../../api/series.ts"
import type { Element } from "../../api/element.ts"
import { SmallChart, type ChartSize } from "../../chart/small/small-chart.tsx"
import { useApp } from "../../frame/app.ts"
import { useMarks } from "../../frame/use-marks.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import type { EventMark } from "../../chart/marks/event-marks.ts"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { text } from "./text.ts"

interface ChartGridProps {
  readonly element: Element
  readonly names: readonly string[]
  readonly size: ChartSize
  readonly round: number
  /** Where the panel of a metric is. */
  readonly addressOf: (metric: string) => string
}

const groupCharts = 48
const noColumns = { start: 0, step: 1, count: 0 }
/** Columns of a small chart. */
const chartColumns = 120
/** CSS pixels around the sight within which a group is drawn. */
const nearPixels = 400
/** Least width and height of a chart with its gap, in CSS pixels. */
const chartPixels = {
  small: { width: 192, height: 125 },
  medium: { width: 272, height: 161 },
  large: { width: 432, height: 241 },
}

export function ChartGrid({ names, ...props }: ChartGridProps) {
  const cursor = useSignal<number | null>(null)
  const { range } = useApp().ranges.current.value
  const marks = useMarks({ elementIds: [props.element.id], range, round: props.round })
  const groups = Array.from({ length: Math.ceil(names.length / groupCharts) }, (_, i) => {
    return names.slice(i * groupCharts, (i + 1) * groupCharts)
  })
  return (
    <div class={style["part"]}>
      {groups.map((group) => (
        <ChartGroup
          key={`${props.size} ${group[0]}`}
          {...props}
          {...{ cursor, marks }}
          names={group}
        />
      ))}
    </div>
  )
}

interface ChartGroupProps extends ChartGridProps {
  readonly cursor: Signal<number | null>
  readonly marks: readonly EventMark[]
}

function ChartGroup({ element, names, size, round, addressOf, ...shared }: ChartGroupProps) {
  const { api, ranges, preferences } = useApp()
  const { range, text: rangeText, nowMs, style: timeStyle } = ranges.current.value
  const holder = useRef<HTMLDivElement>(null)
  const { isNear, height } = useNear(holder)
  const key = JSON.stringify([element.id, names, range, round])
  const load = async (signal: AbortSignal) => {
    const series = names.map((metricId) => ({ elementId: element.id, metricId }))
    const fields = ["actual", "low", "high", "baseline"] as const
    const asked = { series, range, width: chartColumns, fields }
    const result = await queryNamedColumns(api, asked, signal)
    const lines = new Map(result?.series.map((line) => [line.metricFqn, line]))
    return { columns: result?.columns ?? noColumns, lines, range }
  }
  const subject = JSON.stringify([element.id, names, rangeText])
  const { value, error, isFormer, reload } = useLoaded(isNear ? key : null, load, subject)
  const numbers = preferences.numberStyle.value
  const estimate = (): number => {
    const { width, height: each } = chartPixels[size]
    const columns = Math.max(1, Math.floor((holder.current?.clientWidth ?? 1000) / width))
    return Math.ceil(names.length / columns) * each
  }
  if (!isNear || (value === null && error === null)) {
    return <div ref={holder} style={{ height: `${height ?? estimate()}px` }} />
  }
  const words = { noData: text.noValues, spanText: text.span }
  const page = {
    ...shared,
    ...words,
    range: value?.range ?? range,
    nowMs,
    size,
    numbers,
    timeStyle,
  }
  return (
    <div ref={holder} class={style[size]} aria-busy={isFormer || undefined}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {names.map((name) => (
        <SmallChart
          key={name}
          name={metricName(name)}
          href={addressOf(name)}
          columns={value?.columns ?? noColumns}
          line={value?.lines.get(name)}
          page={page}
        />
      ))}
    </div>
  )
}

/** Whether an element is near the sight, and how high it was when it was drawn last. */
function useNear(holder: { readonly current: HTMLElement | null }) {
  const [state, setState] = useState<{ isNear: boolean; height: number | null }>({
    isNear: false,
    height: null,
  })
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)
        if (last === undefined) return
        const { isIntersecting: isNear, boundingClientRect } = last
        setState((former) => {
          if (former.isNear === isNear) return former
          return { isNear, height: isNear ? former.height : boundingClientRect.height }
        })
      },
      { rootMargin: `${nearPixels}px` },
    )
    if (holder.current !== null) observer.observe(holder.current)
    return () => observer.disconnect()
  }, [])
  return state
}
