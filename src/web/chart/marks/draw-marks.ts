/** Marks of events in a picture, as mark-row.tsx shows them on a page. */

import { alarmLevels } from "../../api/severity.ts"
import { resolvedColours } from "../../platform/colours.ts"
import type { TimeRange } from "../../url/time-range.ts"
import type { PictureBox } from "../dense/area-picture.ts"
import type { PlotColours } from "../plot/plot-input.ts"
import { shownSpan } from "../plot/plot-area.ts"
import type { EventMark } from "./event-marks.ts"

export interface DrawnMarks {
  readonly marks: readonly EventMark[]
  readonly range: TimeRange
}

/** Half the width of a tick, and its height; height and least width of a span. */
const [tickHalf, tickHeight, spanHeight, spanWidthMin] = [5, 10, 4, 3]

/** Draws them at the foot of the box of a plot. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  { marks, range }: DrawnMarks,
  { left, top, width, height }: PictureBox,
  plotColours: PlotColours,
): void {
  const colours = resolvedColours(alarmLevels)
  const foot = top + height
  context.save()
  context.textAlign = "center"
  for (const { level, isTick, count, ...mark } of marks) {
    const shown = shownSpan({ view: range, width }, mark)
    if (shown === null) continue
    const start = left + shown.left
    context.fillStyle = colours[level]
    if (!isTick) {
      context.fillRect(start, foot - spanHeight, Math.max(spanWidthMin, shown.width), spanHeight)
      continue
    }
    drawTick(context, { x: start, foot, colour: colours[level], surface: plotColours.surface })
    if (count > 1) {
      context.font = "10px system-ui, sans-serif"
      context.fillStyle = plotColours["text-secondary"]
      context.fillText(String(count), start, foot - tickHeight - 3)
    }
  }
  context.restore()
}

interface Tick {
  readonly x: number
  readonly foot: number
  readonly colour: string
  readonly surface: string
}

/** With an edge that keeps it apart from a line or a span below it. */
function drawTick(context: CanvasRenderingContext2D, { x, foot, colour, surface }: Tick): void {
  context.beginPath()
  context.moveTo(x, foot - tickHeight)
  context.lineTo(x + tickHalf, foot)
  context.lineTo(x - tickHalf, foot)
  context.closePath()
  context.strokeStyle = surface
  context.lineWidth = 2
  context.stroke()
  context.fillStyle = colour
  context.fill()
}
