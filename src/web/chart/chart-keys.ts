/** The keys of a chart with the focus: what arrows do, and the letters that switch what is shown. */

import type { RefObject, TargetedKeyboardEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { valueText, type NumberStyle } from "../format/numbers.ts"
import { timeText, type TimeStyle } from "../format/times.ts"
import { after } from "../platform/timers.ts"
import type { TimeRange } from "../url/time-range.ts"
import type { ChartLine } from "./model.ts"
import type { PercentileShape, PlotLook } from "./plot/plot-input.ts"
import type { PlotCursor, PlotView } from "./plot/plot-view.ts"
import { text } from "./text.ts"

/** A key as the overview of keys lists it. */
export interface ChartKey {
  readonly keys: string
  readonly text: string
  readonly group: "chart"
  readonly run: () => void
}

export interface LetterActions {
  readonly look: PlotLook
  readonly onLook: (changes: Partial<PlotLook>) => void
  readonly onTable: () => void
  readonly onDownload: () => void
  readonly onToggle: (how: "alone" | "hide") => void
}

const nextPercentiles: Readonly<Record<PercentileShape, PercentileShape>> = {
  none: "lines",
  lines: "fan",
  fan: "none",
}

export function letterKeys(actions: LetterActions): ChartKey[] {
  const { look, onLook, onToggle } = actions
  const names = text.keys
  const key = (keys: string, name: string, run: () => void): ChartKey => {
    return { keys, text: name, group: "chart", run }
  }
  const percentiles = (): void => onLook({ percentiles: nextPercentiles[look.percentiles] })
  return [
    key("b", names.bands, () => onLook({ hasBands: !look.hasBands })),
    key("p", names.percentiles, percentiles),
    key("0", names.zero, () => onLook({ isFromZero: !look.isFromZero })),
    key("i", names.alone, () => onToggle("alone")),
    key("h", names.hide, () => onToggle("hide")),
    key("d", names.table, actions.onTable),
    key("e", names.download, actions.onDownload),
  ]
}

export interface ArrowActions {
  readonly view: RefObject<PlotView | null>
  readonly show: (cursor: PlotCursor | null) => void
  /** Those that are drawn. */
  readonly lines: readonly ChartLine[]
  readonly focusId: string | null
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
  readonly onFocus: (id: string | null) => void
  readonly onRange: (range: TimeRange) => void
  readonly onZoomOut: () => void
}

export interface ArrowKeys {
  readonly press: (event: TargetedKeyboardEvent<HTMLElement>) => void
  /** For a live region, changed at most every 300 ms. */
  readonly spoken: string
}

const spokenMs = 300
/** Columns of a step with Page Up and Page Down. */
const longStep = 20

export function useArrowKeys(actions: ArrowActions): ArrowKeys {
  const cursor = useRef<PlotCursor | null>(null)
  /** An instant, as the cursor's: columns change if the plot is made again. */
  const selectedFrom = useRef<number | null>(null)
  const [said, setSaid] = useState("")
  const [spoken, setSpoken] = useState("")
  useEffect(() => after(spokenMs, () => setSpoken(said)), [said])
  const speak = (id: string | null): void => {
    setSaid(cursor.current === null ? "" : cursorText(cursor.current, id, actions))
  }
  const move = (columns: number, isSelecting: boolean): void => {
    const view = actions.view.current
    if (view === null) return
    const from = cursor.current?.ms ?? null
    cursor.current = view.moveCursor(columns, from)
    actions.show(cursor.current)
    if (!isSelecting) selectedFrom.current = null
    else selectedFrom.current ??= from ?? cursor.current?.ms ?? null
    const [first, last] = [selectedFrom.current, cursor.current?.ms]
    view.select(first === null || last === undefined ? null : [first, last])
    speak(actions.focusId)
  }
  const moveLine = (by: number): void => {
    const { lines, focusId, onFocus } = actions
    if (lines.length === 0) return
    const index = lines.findIndex(({ id }) => id === focusId)
    const next = index < 0 ? 0 : (index + by + lines.length) % lines.length
    onFocus(lines[next]!.id)
    speak(lines[next]!.id)
  }
  const leave = (): void => {
    cursor.current = null
    selectedFrom.current = null
    actions.view.current?.removeCursor()
    actions.onFocus(null)
  }
  const zoom = (): void => {
    const [first, last] = [selectedFrom.current, cursor.current?.ms ?? null]
    if (first === null || last === null || first === last) return
    actions.onRange({ startMs: Math.min(first, last), endMs: Math.max(first, last) })
  }
  const all = Number.MAX_SAFE_INTEGER
  const runs: Readonly<Record<string, (isShift: boolean) => void>> = {
    ArrowLeft: (isShift) => move(-1, isShift),
    ArrowRight: (isShift) => move(1, isShift),
    PageUp: (isShift) => move(-longStep, isShift),
    PageDown: (isShift) => move(longStep, isShift),
    Home: (isShift) => move(-all, isShift),
    End: (isShift) => move(all, isShift),
    ArrowUp: () => moveLine(-1),
    ArrowDown: () => moveLine(1),
    Enter: zoom,
    Backspace: actions.onZoomOut,
    Escape: leave,
  }
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const run = runs[event.key]
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run(event.shiftKey)
  }
  return { press, spoken }
}

/** `2026-11-20 14:05, web-03 98 %`: of the line with the focus, or of the first. */
function cursorText(
  cursor: PlotCursor,
  id: string | null,
  { view, lines, timeStyle, numberStyle }: ArrowActions,
): string {
  const line = lines.find((one) => one.id === id) ?? lines[0]
  if (line === undefined) return timeText(cursor.ms, timeStyle)
  const row = view.current?.rows.find((one) => one.line === line)
  const value = valueText(row?.values[cursor.index] ?? null, line.unit, numberStyle)
  return `${timeText(cursor.ms, timeStyle)}, ${line.name} ${value}`
}
