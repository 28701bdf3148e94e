/** Numbers above a list, by level and time; a drag over the bars zooms into the range of the page. */

import { levelTotals, type EventHistogram } from "../../api/events.ts"
import { alarmLevels, type AlarmLevel } from "../../api/severity.ts"
import { LevelStrip } from "../../chart/strip/level-strip.tsx"
import { durationText } from "../../format/times.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { useApp } from "../app.ts"
import { text } from "./text.ts"

export interface RangeStripProps {
  readonly counts: EventHistogram
  /** Levels that are shown; empty for all. */
  readonly chosen: readonly AlarmLevel[]
  readonly isFormer: boolean
  /** Words of the bars, by their sum and the time of each. */
  readonly labelOf: (total: number, step: string) => string
  readonly countText: (count: number) => string
  readonly onRange?: (range: TimeRange) => void
}

export function RangeStrip(props: RangeStripProps) {
  const { ranges } = useApp()
  const { counts, chosen, isFormer, labelOf, countText } = props
  const { onRange = (range) => ranges.showRange(range) } = props
  const { start, step, levels, isPartial } = counts
  const { nowMs, style: timeStyle } = ranges.current.value
  const total = totalOf(counts, chosen)
  if (total === 0) return null
  const label = labelOf(total, durationText(step))
  const shown = (level: AlarmLevel, numbers: readonly number[]) =>
    chosen.length === 0 || chosen.includes(level) ? numbers : numbers.map(() => 0)
  return (
    <LevelStrip
      {...{ nowMs, timeStyle, isFormer, countText, onRange }}
      label={isPartial ? `${label} · ${text.newestCount}` : label}
      startMs={start}
      stepMs={step}
      critical={shown("critical", levels.CRITICAL)}
      warning={shown("warning", levels.WARNING)}
      info={shown("info", levels.INFO)}
      onZoomOut={() => ranges.showFormer()}
    />
  )
}

/** Those of the chosen levels; of all if none is chosen. */
export function totalOf(counts: EventHistogram, chosen: readonly AlarmLevel[]): number {
  const totals = levelTotals(counts)
  const wanted = chosen.length === 0 ? alarmLevels : chosen
  return wanted.reduce((sum, level) => sum + totals[level], 0)
}
