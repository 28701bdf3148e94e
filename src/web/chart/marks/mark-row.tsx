/** Marks of events at the foot of a chart. Pointing tells, a press opens the events of that time. */

import { shortTimeText, type TimeStyle } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { classNames } from "../../parts/class-names.ts"
import { printAddress } from "../../url/address.ts"
import type { TimeRange } from "../../url/time-range.ts"
import { shownSpan } from "../plot/plot-area.ts"
import style from "./mark-row.module.css"
import type { EventMark } from "./event-marks.ts"
import { text } from "./text.ts"

interface MarkRowProps {
  readonly marks: readonly EventMark[]
  /** Range of the chart, from its left edge to its right one. */
  readonly range: TimeRange
  readonly nowMs: number
  readonly timeStyle: TimeStyle
}

/** Screen readers have the list of events instead. */
export function MarkRow({ marks, range, nowMs, timeStyle }: MarkRowProps) {
  return (
    <div class={style["row"]} aria-hidden="true">
      {marks.map((mark) => {
        // In percent, so that a chart of any width needs no size.
        const shown = shownSpan({ view: range, width: 100 }, mark)
        if (shown === null) return null
        const { isTick, startMs, endMs, level, count, titles, more } = mark
        const around = { from: String(startMs - aroundMs), to: String(endMs + aroundMs) }
        return (
          <a
            key={`${startMs} ${titles[0]}`}
            class={classNames(style["mark"], style[level], isTick && style["tick"])}
            href={printAddress(["events"], new URLSearchParams(around))}
            tabIndex={-1}
            // A drag selects a time of the chart.
            draggable={false}
            title={visibleText(
              text.eventsAt(shortTimeText(startMs, nowMs, timeStyle), titles, more),
            )}
            style={{
              insetInlineStart: `${shown.left}%`,
              inlineSize: `${isTick ? 0 : shown.width}%`,
            }}
          >
            {isTick && count > 1 && <span class={style["count"]}>{count}</span>}
          </a>
        )
      })}
    </div>
  )
}

/** Before and after a mark, in the list that it opens. */
const aroundMs = 600_000
