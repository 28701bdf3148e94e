/**
 * A map of cells on one canvas, since twenty thousand nodes would take a second. It has the focus
 * as one thing: arrow keys move a cursor, Enter opens what it is on, and a line below says it.
 */

import { useEffect, useRef, useState } from "preact/hooks"
import type { Level } from "../../api/element-words.ts"
import { visibleText } from "../../format/visible-text.ts"
import { resolvedColours } from "../../platform/colours.ts"
import { elementAddress } from "../../url/element-address.ts"
import { linkWithShared } from "../../url/shared-parameters.ts"
import { useApp } from "../app.ts"
import { useDark } from "../use-dark.ts"
import style from "./cell-map.module.css"
import { cellSize, type Cell } from "./cells.ts"
import { text } from "./text.ts"

interface CellMapProps {
  readonly label: string
  readonly cells: readonly Cell[]
  /** Elements in all maps of the page, which have cells of one size; those of this one if absent. */
  readonly total?: number
}

/** Names of colours in style/tokens.css. */
const colourNames = {
  critical: "critical",
  warning: "warning",
  info: "info",
  ok: "ok",
  noData: "no-data",
  maintenance: "maintenance",
} as const satisfies Record<Level, string>

/** Columns, and the height of the map. */
function layoutOf(count: number, width: number, step: number) {
  const columns = Math.max(1, Math.floor(width / step))
  return { columns, height: Math.ceil(count / columns) * step }
}

export function CellMap({ label, cells, total = cells.length }: CellMapProps) {
  const { navigation } = useApp()
  const isDark = useDark()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [cursor, setCursor] = useState(-1)
  const step = cellSize(total)
  const { columns, height } = layoutOf(cells.length, width, step)
  useEffect(() => {
    const holder = canvas.current!.parentElement!
    const observer = new ResizeObserver(() => setWidth(holder.clientWidth))
    observer.observe(holder)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (canvas.current !== null && width > 0) {
      draw(canvas.current, { cells, step, columns, width, height, cursor })
    }
  }, [cells, step, columns, width, height, cursor, isDark])
  const at = (event: MouseEvent): number => {
    const column = Math.floor(event.offsetX / step)
    const index = Math.floor(event.offsetY / step) * columns + column
    return column < columns && index < cells.length ? index : -1
  }
  const open = (index: number): void => {
    const cell = cells[index]
    if (cell === undefined) return
    navigation.push(linkWithShared(elementAddress(cell.fqn), navigation.address.peek()))
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") return open(cursor)
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (by === undefined) return
    event.preventDefault()
    setCursor((from) => Math.max(0, Math.min(cells.length - 1, from < 0 ? 0 : from + by)))
  }
  const pointed = cells[cursor]
  return (
    <div class={style["map"]}>
      <canvas
        ref={canvas}
        role="application"
        aria-roledescription={text.mapKeys}
        aria-label={label}
        tabIndex={0}
        onKeyDown={press}
        onFocus={() => setCursor((from) => Math.max(0, from))}
        onBlur={() => setCursor(-1)}
        onMouseMove={(event) => setCursor(at(event))}
        onMouseLeave={() => setCursor(-1)}
        onClick={(event) => open(at(event))}
      />
      <p class={style["pointed"]} dir="auto" aria-live="polite">
        {pointed === undefined ? "\u00a0" : sentenceOf(pointed)}
      </p>
    </div>
  )
}

function sentenceOf({ name, level, openIncidents }: Cell): string {
  return text.cell(visibleText(name), text.levels[level].toLowerCase(), openIncidents)
}

interface Drawing {
  readonly cells: readonly Cell[]
  readonly step: number
  readonly columns: number
  readonly width: number
  readonly height: number
  readonly cursor: number
}

function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { cells, step, columns, width, height, cursor } = drawing
  const ratio = window.devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.style.setProperty("height", `${height}px`)
  const context = canvas.getContext("2d")
  if (context === null) return
  context.scale(ratio, ratio)
  const side = step - (step > 8 ? 2 : 1)
  const colours = resolvedColours([...Object.values(colourNames), "text"])
  cells.forEach(({ level }, i) => {
    const [x, y] = [(i % columns) * step, Math.floor(i / columns) * step]
    context.fillStyle = colours[colourNames[level]]
    if (level === "noData" && side > 6) {
      context.globalAlpha = 0.6
      context.fillRect(x, y, side, side)
      context.globalAlpha = 1
    } else context.fillRect(x, y, side, side)
    if (i !== cursor) return
    context.strokeStyle = colours.text
    context.lineWidth = 2
    context.strokeRect(x + 1, y + 1, side - 2, side - 2)
  })
}
