/**
 * A drawn plot: uPlot with our axes and areas, panning, zooming, and a cursor that keys move. A
 * change of its input makes another plot, which takes 10 ms with 20 lines.
 */

import uPlot from "uplot"
import { after } from "../../platform/timers.ts"
import { panned, zoomedAround, type TimeRange } from "../../url/time-range.ts"
import { drawAreas, drawLine, drawOutside, type AreaColours } from "./areas.ts"
import { onceDragged } from "./late-drag.ts"
import type { LineAreas } from "./line-areas.ts"
import type { PlotArea } from "./plot-area.ts"
import { areaLinesMax, heatBins } from "../model.ts"
import { PointedColumns } from "./pointed.ts"
import type { UnderLayer } from "./under-layer.ts"
import type { ScaleBounds, UnderScene } from "./under-scene.ts"
import { plotRows, scaleOf } from "./plot-input.ts"
import type { PlotColours, PlotInput, PlotRow } from "./plot-input.ts"
import { focusDistance, plotData, plotOptions, type PlotSize } from "./plot-options.ts"

/** The cursor of a plot; CSS pixels within its area. */
export interface PlotCursor {
  readonly index: number
  readonly ms: number
  readonly left: number
  /** Null for a cursor that keys moved, or that follows another chart's. */
  readonly top: number | null
  readonly isPinned: boolean
}

/** How many of all lines have a value within bounds. */
export interface PlotCell {
  readonly within: number
  readonly all: number
  readonly lower: number
  readonly upper: number
}

export interface PlotEvents {
  readonly syncKey: string
  /** Draws the lines if the plot has too many for itself. */
  readonly under: UnderLayer | null
  onRange(range: TimeRange): void
  onZoomOut(): void
  onCursor(cursor: PlotCursor | null): void
  /** The line that is pointed at, by id; null for none. */
  onFocus(id: string | null): void
  /** After each drawing, for what is laid over the plot. */
  onDrawn(area: PlotArea): void
}

/** With the third argument, which uPlot's types leave out: whether other charts follow. */
type SetCursor = (
  at: { readonly left: number; readonly top: number },
  isReported: boolean,
  isShared: boolean,
) => void

/** A wheel or a drag that rests this long is complete. */
const gestureEndMs = 250
const wheelZoom = 1.25

export class PlotView {
  readonly times: readonly number[]
  readonly rows: readonly PlotRow[]
  readonly columns: PointedColumns
  readonly isHeat: boolean
  private readonly plot: uPlot
  private readonly events: PlotEvents
  private readonly range: TimeRange
  private readonly units: readonly string[]
  private readonly stop = new AbortController()
  private view: TimeRange
  private focusedId: string | null = null
  private isByKeys = false
  /** The last press on a link over the plot became a drag. */
  private isDragged = false
  private cancelEnd: () => void = () => {}

  constructor(
    host: HTMLElement,
    input: PlotInput,
    colours: PlotColours,
    size: PlotSize,
    events: PlotEvents,
  ) {
    this.events = events
    this.range = this.view = input.range
    this.units = input.units
    const { times, rows } = plotRows(input, colours)
    this.times = times
    this.rows = rows
    this.isHeat = input.look.shape === "heat"
    this.columns = new PointedColumns(rows, (row, index) => this.topOf(row, index))
    const areaColours = { ...colours, outside: colours.critical }
    const options = plotOptions(input, rows, colours, size, {
      syncKey: events.syncKey,
      view: () => this.view,
      focusedId: () => this.focusedId,
      hooks: this.hooks(areaColours),
      bind: {
        mousedown: (_plot, _target, handler) => (event) => this.press(event, handler),
        // Those over what lies on the plot as well.
        mousemove: (_plot, _target, handler) => handler,
        dblclick: () => () => {
          events.onZoomOut()
          return null
        },
      },
    })
    const data = plotData(input, times, rows)
    this.plot = new uPlot(options, data, host)
    this.listen()
  }

  destroy(): void {
    this.cancelEnd()
    this.stop.abort()
    this.plot.destroy()
  }

  resize(size: PlotSize): void {
    this.plot.setSize(size)
  }

  /** Takes the pointers of the drawn area, and of what is laid over it there. */
  get over(): HTMLElement {
    return this.plot.over
  }

  /** The canvas as it is drawn, for a picture. */
  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas
  }

  /** Where the lines are drawn on the canvas, in its pixels. */
  get canvasArea(): uPlot.BBox {
    return this.plot.bbox
  }

  /** Fades all lines but one; null fades none. */
  focus(id: string | null): void {
    if (id === this.focusedId) return
    this.focusedId = id
    this.fadeOthers()
  }

  /**
   * Moves the cursor by columns: from where it is, else from `fromMs`, where a plot before this one
   * had it, else from the end. Returns where it is then.
   */
  moveCursor(columns: number, fromMs: number | null): PlotCursor | null {
    const shown = this.shownIndexes()
    if (shown === null) return null
    const [first, last] = shown
    const from = this.plot.cursor.idx ?? (fromMs === null ? last + 1 : this.plot.valToIdx(fromMs))
    const index = Math.min(last, Math.max(first, from + columns))
    const left = this.leftOf(index)
    this.moveAllCursors({ left, top: this.area.height / 2 })
    return this.cursorAt(index, left, null)
  }

  removeCursor(): void {
    this.moveAllCursors({ left: -10, top: -10 })
    this.select(null)
    this.events.onCursor(null)
  }

  /** Marks the time between two instants, or none. */
  select(span: readonly [number, number] | null): void {
    const [one, other] = span === null ? [0, 0] : span.map((ms) => this.plot.valToPos(ms, "x"))
    const left = Math.min(one, other)
    const height = span === null ? 0 : this.plot.over.clientHeight
    this.plot.setSelect({ left, width: Math.max(one, other) - left, top: 0, height }, false)
  }

  /** Where a value of a row is, in CSS pixels from the top. */
  topOf(row: PlotRow, index: number): number | null {
    const value = row.drawn[index]
    if (value === null || value === undefined) return null
    return this.plot.valToPos(value, row.scale)
  }

  /** The cell of a heat map under a pointer; null without one. */
  cellAt({ index, top }: PlotCursor): PlotCell | null {
    if (top === null) return null
    const height = this.area.height / heatBins
    const [from, to] = [Math.floor(top / height) * height, Math.floor(top / height + 1) * height]
    const valueAt = (distance: number) => this.plot.posToVal(distance, "left")
    const { within, all } = this.columns.countBetween(index, from, to)
    return { within, all, lower: valueAt(to), upper: valueAt(from) }
  }

  get area(): { readonly width: number; readonly height: number } {
    return { width: this.plot.over.clientWidth, height: this.plot.over.clientHeight }
  }

  private plotArea(plot: uPlot): PlotArea {
    const { clientWidth: width, clientHeight: height } = plot.over
    const topOf = (value: number, unit: string) =>
      this.units.includes(unit) ? plot.valToPos(value, scaleOf(this.units, unit)) : null
    return { width, height, view: this.view, topOf }
  }

  /** Left edge of the drawn area within the plot, in CSS pixels. */
  get areaLeft(): number {
    return this.plot.over.offsetLeft
  }

  /** Here and in the charts with the same key; the focus stays on its line. */
  private moveAllCursors(at: { readonly left: number; readonly top: number }): void {
    const setCursor = this.plot.setCursor as SetCursor
    this.isByKeys = true
    setCursor(at, false, true)
    this.isByKeys = false
    this.fadeOthers()
  }

  private fadeOthers(): void {
    const index = this.rows.findIndex(({ line }) => line.id === this.focusedId)
    const { under } = this.events
    if (under === null) {
      this.plot.setSeries(index < 0 ? null : index + 1, { focus: true }, false)
      return
    }
    under.fade(index >= 0)
    this.plot.redraw(false)
  }

  /** Input of the layer below; its area has a size once uPlot has drawn. */
  get scene(): UnderScene {
    const { times, rows, range } = this
    const bounds = Object.entries(this.plot.scales).flatMap(([name, { min, max }]) =>
      name === "x" ? [] : [[name, { min: min!, max: max! }] as [string, ScaleBounds]],
    )
    return { times, rows, range, bounds: Object.fromEntries(bounds), ...this.area }
  }

  private showUnder(plot: uPlot): void {
    this.columns.clear()
    this.events.under?.show(plot.under, this.scene)
    if (this.view !== this.range) this.events.under?.move(this.view)
  }

  /** Over the layer below: the line with the focus. */
  private drawFocused(plot: uPlot): void {
    const row = this.rows.find(({ line }) => line.id === this.focusedId)
    if (this.events.under !== null && row !== undefined) drawLine(plot, row)
  }

  private hooks(colours: AreaColours): uPlot.Hooks.Arrays {
    return {
      drawAxes: [(plot) => drawAreas(plot, this.shownAreas(), colours)],
      draw: [
        (plot) => this.drawFocused(plot),
        (plot) => drawOutside(plot, this.shownAreas(), colours),
        (plot) => this.events.onDrawn(this.plotArea(plot)),
      ],
      setSize: [(plot) => this.showUnder(plot)],
      setCursor: [(plot) => this.reportCursor(plot)],
      setSelect: [(plot) => this.zoomToSelection(plot)],
      setSeries: [(_plot, index, change) => this.reportFocus(index, change)],
    }
  }

  /** All if there are few lines, otherwise that of the line that is pointed at. */
  private shownAreas(): LineAreas[] {
    const own = this.rows.filter(({ areas }) => areas !== null)
    const shown =
      own.length <= areaLinesMax ? own : own.filter(({ line }) => line.id === this.focusedId)
    return shown.map(({ areas }) => areas!)
  }

  private reportCursor(plot: uPlot): void {
    const { idx, left = -1, top = -1, event } = plot.cursor
    if (idx === null || idx === undefined || left < 0) return this.events.onCursor(null)
    // The cursor of another chart has no event here.
    const isOwn = event !== undefined && event !== null && plot.over.contains(event.target as Node)
    this.events.onCursor(this.cursorAt(idx, left, isOwn ? top : null))
    if (isOwn && this.events.under !== null) this.focusNearest(idx, top)
  }

  /** uPlot finds the nearest of the lines that it draws itself. */
  private focusNearest(index: number, top: number): void {
    const id = this.columns.nearest(index, top, focusDistance)?.line.id ?? null
    if (id === this.focusedId) return
    this.focus(id)
    this.events.onFocus(id)
  }

  private cursorAt(index: number, left: number, top: number | null): PlotCursor {
    // uPlot keeps the pin in a field that its types leave out.
    const { _lock: isPinned = false } = this.plot.cursor as { readonly _lock?: boolean }
    return { index, ms: this.times[index]!, left, top, isPinned }
  }

  private reportFocus(index: number | null, change: object): void {
    // uPlot's types say a series; it hands over what is set.
    if (this.isByKeys || !("focus" in change)) return
    const id = index === null || index === 0 ? null : (this.rows[index - 1]?.line.id ?? null)
    if (id === this.focusedId) return
    this.focusedId = id
    this.events.onFocus(id)
  }

  private zoomToSelection(plot: uPlot): void {
    const { left, width } = plot.select
    if (width <= 0) return
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
    const startMs = plot.posToVal(left, "x")
    this.events.onRange({ startMs, endMs: plot.posToVal(left + width, "x") })
  }

  /** A drag selects; with Shift or the middle button it pans. On a link it has to move first. */
  private press(event: MouseEvent, select: (event: MouseEvent) => null): null {
    this.isDragged = false
    if (event.button > 1) return null
    const isPan = event.button === 1 || event.shiftKey
    const start = () => (isPan ? this.pan(event.clientX) : select(event))
    if (event.target === this.plot.over) start()
    else {
      onceDragged(event, this.stop.signal, () => {
        this.isDragged = true
        start()
      })
    }
    return null
  }

  private pan(fromX: number): void {
    const from = this.view
    const { width } = this.area
    const end = new AbortController()
    const options = { signal: AbortSignal.any([end.signal, this.stop.signal]) }
    const move = (event: MouseEvent): void => {
      this.show(panned(from, (fromX - event.clientX) / width))
    }
    document.addEventListener("mousemove", move, options)
    document.addEventListener(
      "mouseup",
      () => {
        end.abort()
        this.endGesture()
      },
      options,
    )
  }

  private listen(): void {
    const { signal } = this.stop
    const { over } = this.plot
    // uPlot's own listener is passive; the middle button would scroll the page.
    const keep = (event: MouseEvent): void => {
      if (event.button === 1 || event.shiftKey) event.preventDefault()
    }
    over.addEventListener("mousedown", keep, { signal })
    const openNothing = (event: MouseEvent): void => {
      if (this.isDragged) event.preventDefault()
    }
    over.addEventListener("click", openNothing, { signal })
    const zoom = (event: WheelEvent): void => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const share = (event.clientX - over.getBoundingClientRect().left) / this.area.width
      this.show(zoomedAround(this.view, share, event.deltaY > 0 ? wheelZoom : 1 / wheelZoom))
      this.cancelEnd()
      this.cancelEnd = after(gestureEndMs, () => this.endGesture())
    }
    over.addEventListener("wheel", zoom, { signal, passive: false })
    let touched: { view: TimeRange; x: number; span: number } | null = null
    const start = (event: TouchEvent): void => {
      touched = event.touches.length === 2 ? { view: this.view, ...spanOf(event) } : null
    }
    const move = (event: TouchEvent): void => {
      if (touched === null || event.touches.length !== 2) return
      event.preventDefault()
      const { x, span } = spanOf(event)
      const { width } = this.area
      const left = over.getBoundingClientRect().left
      const moved = panned(touched.view, (touched.x - x) / width)
      this.show(zoomedAround(moved, (x - left) / width, touched.span / span))
    }
    const end = (): void => {
      if (touched !== null) this.endGesture()
      touched = null
    }
    over.addEventListener("touchstart", start, { signal, passive: true })
    over.addEventListener("touchmove", move, { signal, passive: false })
    over.addEventListener("touchend", end, { signal })
  }

  /** Moves what is drawn; its data is that of the former range until the gesture ends. */
  private show(view: TimeRange): void {
    this.view = view
    this.events.under?.move(view)
    this.plot.setScale("x", { min: view.startMs, max: view.endMs })
  }

  private endGesture(): void {
    if (this.view !== this.range) this.events.onRange(this.view)
  }

  private leftOf(index: number): number {
    return this.plot.valToPos(this.times[index]!, "x")
  }

  /** First and last column within the range. */
  private shownIndexes(): [number, number] | null {
    const { startMs, endMs } = this.view
    const first = this.times.findIndex((ms) => ms >= startMs)
    const last = this.times.findLastIndex((ms) => ms <= endMs)
    return first < 0 || last < first ? null : [first, last]
  }
}

/** Middle and distance of two fingers. */
function spanOf({ touches }: TouchEvent): { x: number; span: number } {
  const [a, b] = [touches[0]!.clientX, touches[1]!.clientX]
  return { x: (a + b) / 2, span: Math.max(20, Math.abs(a - b)) }
}
