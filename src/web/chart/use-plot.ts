/** Keeps a plot in an element: made again when its input changes, resized with the element. */

import { useSignal, type ReadonlySignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { onMedia } from "../platform/page.ts"
import { mark } from "../platform/timers.ts"
import type { TimeRange } from "../url/time-range.ts"
import type { PlotArea } from "./plot/plot-area.ts"
import { dashedMedia, plotColours } from "./plot/plot-colours.ts"
import type { PlotInput } from "./plot/plot-input.ts"
import type { PlotSize } from "./plot/plot-options.ts"
import { PlotView, type PlotCursor } from "./plot/plot-view.ts"
import type { UnderLayer } from "./plot/under-layer.ts"
import type { ShownCursor } from "./tooltip.tsx"

export interface PlotUse {
  readonly syncKey: string
  /** The colours of the style sheet changed with it. */
  readonly isDark: boolean
  readonly focusId: string | null
  /** Draws the lines of a plot that has too many for itself. */
  readonly under: UnderLayer | null
  readonly onRange: (range: TimeRange) => void
  readonly onZoomOut: () => void
  readonly onFocus: (id: string | null) => void
}

export interface UsedPlot {
  readonly host: RefObject<HTMLDivElement | null>
  readonly view: RefObject<PlotView | null>
  readonly cursor: ReadonlySignal<ShownCursor | null>
  /** As it was drawn last; null before. */
  readonly area: ReadonlySignal<PlotArea | null>
  /** Shows a cursor that keys moved. */
  readonly show: (cursor: PlotCursor | null) => void
}

/** `input` has to be the same object as long as it says the same. */
export function usePlot(input: PlotInput, use: PlotUse): UsedPlot {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<PlotView>(null)
  const cursor = useSignal<ShownCursor | null>(null)
  const area = useSignal<PlotArea | null>(null)
  const size = useSize(host)
  // Handlers of the last render, for a plot that lives longer.
  const latest = useRef(use)
  latest.current = use
  const show = (at: PlotCursor | null): void => {
    cursor.value = shownCursor(view.current, at, latest.current.focusId)
  }
  const isMeasured = size !== null
  const [hasDashes, setDashes] = useState(false)
  useEffect(() => onMedia(dashedMedia, setDashes), [])
  useLayoutEffect(() => {
    if (size === null || host.current === null) return undefined
    const made = new PlotView(host.current, input, plotColours(), size, {
      syncKey: latest.current.syncKey,
      under: latest.current.under,
      onRange: (range) => latest.current.onRange(range),
      onZoomOut: () => latest.current.onZoomOut(),
      onCursor: (at) => show(at),
      onFocus: (id) => latest.current.onFocus(id),
      onDrawn: (drawn) => {
        area.value = drawn
      },
    })
    view.current = made
    mark("chart")
    return () => {
      view.current = null
      cursor.value = null
      made.destroy()
    }
  }, [input, use.isDark, use.under, isMeasured, hasDashes])
  useLayoutEffect(() => {
    if (size !== null) view.current?.resize(size)
  }, [size])
  useEffect(() => {
    view.current?.focus(use.focusId)
    // A cursor that keys moved is on the line with the focus.
    const at = cursor.peek()?.cursor
    if (at?.top === null) show(at)
  }, [use.focusId])
  return { host, view, cursor, area, show }
}

function shownCursor(
  view: PlotView | null,
  cursor: PlotCursor | null,
  focusId: string | null,
): ShownCursor | null {
  if (view === null || cursor === null) return null
  const pointed = view.columns.pointed(cursor.index, { top: cursor.top, focusId })
  const cell = view.isHeat ? view.cellAt(cursor) : null
  return { cursor, pointed, cell, areaLeft: view.areaLeft, areaWidth: view.area.width }
}

/** The size of an element in CSS pixels; null before it is measured. */
function useSize(host: RefObject<HTMLElement | null>): PlotSize | null {
  const [size, setSize] = useState<PlotSize | null>(null)
  useLayoutEffect(() => {
    if (host.current === null) return undefined
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = host.current!
      if (width === 0 || height === 0) return
      setSize((former) =>
        former?.width === width && former.height === height ? former : { width, height },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(host.current)
    return () => observer.disconnect()
  }, [])
  return size
}
