/**
 * Numbers by time above a list, as bars of levels. A drag over bars, or Shift with arrows and
 * Enter, zooms into their time; a double press or Backspace goes back.
 */

import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { clockText, shortTimeText, type TimeStyle } from "../../format/times.ts"
import { LevelHistogram, type LevelHistogramProps } from "../../parts/level-histogram.tsx"
import { after } from "../../platform/timers.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { dragMin } from "../plot/late-drag.ts"
import { isLongEnough, markedRange, movedMark, type BarMark, type Bars } from "./bar-mark.ts"
import style from "./level-strip.module.css"
import { text } from "./text.ts"

export interface LevelStripProps extends LevelHistogramProps, Bars {
  readonly nowMs: number
  readonly timeStyle: TimeStyle
  /** A number in words, such as "3 events". */
  readonly countText: (count: number) => string
  /** The bars are of another range than the one that is asked for. */
  readonly isFormer: boolean
  readonly onRange: (range: TimeRange) => void
  readonly onZoomOut: () => void
}

export function LevelStrip(props: LevelStripProps) {
  const { label, critical, warning, info, isFormer, onZoomOut } = props
  const counts = { critical, warning, info }
  const [mark, setMark] = useState<BarMark | null>(null)
  const zoom = (marked: BarMark | null): void => {
    setMark(null)
    const range = marked === null ? null : markedRange(marked, props)
    if (range !== null && isLongEnough(range)) props.onRange(range)
  }
  const pointer = usePointer(info.length, setMark, zoom)
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const moved = movedMark(mark, event.key, event.shiftKey, info.length)
    if (moved !== undefined) setMark(moved)
    else if (event.key === "Enter") zoom(mark)
    else if (event.key === "Backspace") onZoomOut()
    else if (event.key === "Escape" && mark !== null) setMark(null)
    else return
    event.preventDefault()
  }
  const marked = mark === null ? "" : markText(mark, props)
  return (
    <figure class={style["figure"]} aria-busy={isFormer || undefined}>
      <div
        class={style["strip"]}
        // Arrows belong to the strip, not to a screen reader's own cursor.
        role="application"
        aria-roledescription={text.role}
        aria-label={`${label}. ${text.keysHint}`}
        tabIndex={0}
        onKeyDown={press}
        onBlur={() => setMark(null)}
        onDblClick={onZoomOut}
        {...pointer}
      >
        <LevelHistogram label={label} {...counts} />
        {mark !== null && <Marked mark={mark} bars={info.length} />}
      </div>
      <figcaption class={style["caption"]} aria-hidden="true">
        {marked === "" ? label : marked}
      </figcaption>
      <Spoken words={marked} />
    </figure>
  )
}

function Marked({ mark: { from, at }, bars }: { readonly mark: BarMark; readonly bars: number }) {
  const part = 100 / bars
  const left = `${Math.min(from, at) * part}%`
  return (
    <div class={style["marked"]} style={{ left, width: `${(Math.abs(at - from) + 1) * part}%` }} />
  )
}

/** At most one message in this time, as long as the mark moves. */
const spokenMs = 300

function Spoken({ words }: { readonly words: string }) {
  const [spoken, setSpoken] = useState("")
  useEffect(() => after(spokenMs, () => setSpoken(words)), [words])
  return (
    <p class="visually-hidden" role="status">
      {spoken}
    </p>
  )
}

/** `14:05 to 14:10: 3 events`. */
function markText(mark: BarMark, props: LevelStripProps): string {
  const { critical, warning, info, nowMs, timeStyle, countText } = props
  const { startMs, endMs } = markedRange(mark, props)
  const [first, last] = [Math.min(mark.from, mark.at), Math.max(mark.from, mark.at)]
  const count = [critical, warning, info]
    .flatMap((numbers) => numbers.slice(first, last + 1))
    .reduce((sum, one) => sum + one, 0)
  const from = shortTimeText(startMs, nowMs, timeStyle)
  return text.marked(from, clockText(endMs, timeStyle), countText(count))
}

/** Marks the bar below the pointer, and while it drags those since the press. */
function usePointer(
  bars: number,
  setMark: (mark: BarMark | null) => void,
  zoom: (mark: BarMark) => void,
) {
  const pressed = useRef<{ readonly x: number; readonly bar: number } | null>(null)
  type Move = TargetedPointerEvent<HTMLElement>
  const barAt = ({ clientX, currentTarget }: Move): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const bar = Math.floor(((clientX - left) / width) * bars)
    return Math.min(bars - 1, Math.max(0, bar))
  }
  const markAt = (event: Move): BarMark => {
    const at = barAt(event)
    return { from: pressed.current?.bar ?? at, at }
  }
  const end = (): void => {
    pressed.current = null
    setMark(null)
  }
  return {
    onPointerDown(event: Move) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pressed.current = { x: event.clientX, bar: barAt(event) }
    },
    onPointerMove: (event: Move) => setMark(markAt(event)),
    onPointerUp(event: Move) {
      const from = pressed.current
      const mark = markAt(event)
      end()
      if (from !== null && Math.abs(event.clientX - from.x) >= dragMin) zoom(mark)
    },
    onPointerLeave: () => pressed.current === null && setMark(null),
    onPointerCancel: end,
  }
}
