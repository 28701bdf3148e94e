/** The tooltip of a chart: next to the cursor, never over it, and never under the pointer. */

import type { ReadonlySignal } from "@preact/signals"
import { valueText, type NumberStyle } from "../format/numbers.ts"
import { timeText, type TimeStyle } from "../format/times.ts"
import { visibleText } from "../format/visible-text.ts"
import { classNames } from "../parts/class-names.ts"
import type { PlotCell, PlotCursor } from "./plot/plot-view.ts"
import type { Pointed, PointedLine } from "./plot/pointed.ts"
import type { ChartLine } from "./model.ts"
import { Swatch } from "./swatch.tsx"
import { text } from "./text.ts"
import style from "./tooltip.module.css"

export interface ShownCursor {
  readonly cursor: PlotCursor
  readonly pointed: Pointed
  /** Of a heat map, else null. */
  readonly cell: PlotCell | null
  /** Left edge of the drawn area in the chart, and its width: CSS pixels. */
  readonly areaLeft: number
  readonly areaWidth: number
}

export interface TooltipProps {
  readonly shown: ReadonlySignal<ShownCursor | null>
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
}

export function Tooltip({ shown, timeStyle, numberStyle }: TooltipProps) {
  const state = shown.value
  if (state === null || state.pointed.lines.length === 0) return null
  const { cursor, pointed, cell, areaLeft, areaWidth } = state
  const isLeft = cursor.left > areaWidth / 2
  const x = areaLeft + cursor.left
  return (
    <div
      class={classNames(style["tooltip"], isLeft && style["left"])}
      // The live region of the chart says what keys point at.
      aria-hidden="true"
      style={{ insetInlineStart: `${Math.round(x)}px` }}
    >
      <p class={style["time"]}>{timeText(cursor.ms, timeStyle)}</p>
      <table>
        <tbody>
          {pointed.lines.map((one) => (
            <PointedRow key={one.line.id} pointed={one} numberStyle={numberStyle} />
          ))}
        </tbody>
      </table>
      {cell !== null && (
        <p class={style["more"]}>
          {text.cell(cell.within, cell.all, cellRange(cell, pointed.lines[0]!.line, numberStyle))}
        </p>
      )}
      {pointed.others > 0 && <p class={style["more"]}>{text.more(pointed.others)}</p>}
      {cursor.isPinned && <p class={style["more"]}>{text.pinned}</p>}
    </div>
  )
}

function cellRange({ lower, upper }: PlotCell, { unit }: ChartLine, numbers: NumberStyle): string {
  return `${valueText(lower, unit, numbers)} – ${valueText(upper, unit, numbers)}`
}

interface PointedRowProps {
  readonly pointed: PointedLine
  readonly numberStyle: NumberStyle
}

function PointedRow({ pointed, numberStyle }: PointedRowProps) {
  const { line, value, isNearest, bands } = pointed
  const number = (one: number) => valueText(one, line.unit, numberStyle)
  return (
    <>
      <tr class={isNearest ? style["nearest"] : undefined}>
        <td>
          <Swatch tone={line.tone} />
        </td>
        <td class="number">{number(value)}</td>
        <td class={style["name"]} dir="auto">
          {visibleText(line.name)}
        </td>
      </tr>
      {isNearest &&
        bands.map(({ kind, lower, upper, isOutside }) => {
          const range = `${number(lower)} – ${number(upper)}`
          return (
            <tr key={kind} class={isOutside ? style["outside"] : style["band"]}>
              <td />
              <td colSpan={2}>
                {isOutside ? text.outside(kind, range) : text.within(kind, range)}
              </td>
            </tr>
          )
        })}
    </>
  )
}
