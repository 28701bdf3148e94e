/**
 * A chart: plot, tooltip, legend and table of values in one figure, which a sentence describes.
 * With the focus, arrows move the cursor and speak the value, Shift with arrows selects, Enter
 * zooms in, Backspace goes back, and letters switch what is shown.
 */

import { createPortal, type ComponentChildren } from "preact"
import { useId, useLayoutEffect, useMemo, useState } from "preact/hooks"
import type { NumberStyle } from "../format/numbers.ts"
import type { TimeStyle } from "../format/times.ts"
import { Button } from "../parts/button.tsx"
import { classNames } from "../parts/class-names.ts"
import type { TimeRange } from "../url/time-range.ts"
import { letterKeys, useArrowKeys, type ChartKey, type LetterActions } from "./chart-keys.ts"
import style from "./chart.module.css"
import { DataTable } from "./data-table.tsx"
import { Legend } from "./legend.tsx"
import { useUnderLayer } from "./dense/lazy-layer.ts"
import { linesMaxOf, unitsMaxOf, unitsOf, type ChartLine, type ChartShape } from "./model.ts"
import type { PlotArea } from "./plot/plot-area.ts"
import { isDense, type PlotInput, type PlotLevel, type PlotLook } from "./plot/plot-input.ts"
import { chartSentence } from "./sentence.ts"
import { text } from "./text.ts"
import { Tooltip } from "./tooltip.tsx"
import { usePlot, type UsedPlot } from "./use-plot.ts"

export interface ChartProps {
  readonly title: string
  /** Parts that all names share, how many are shown, the resolution. */
  readonly note: ComponentChildren
  /** The same list as long as it says the same. */
  readonly lines: readonly ChartLine[]
  readonly range: TimeRange
  readonly rangeName: string
  readonly nowMs: number
  readonly look: PlotLook
  readonly timeStyle: TimeStyle
  readonly numberStyle: NumberStyle
  readonly isDark: boolean
  /** Charts with the same key have one cursor. */
  readonly syncKey: string
  readonly register: (keys: readonly ChartKey[]) => () => void
  readonly onRange: (range: TimeRange) => void
  readonly onZoomOut: () => void
  readonly onLook: (changes: Partial<PlotLook>) => void
  readonly onDownload: () => void
  /** Shows lines of further units in charts of their own; null if they are. */
  readonly onSplit?: (() => void) | null
  /** Draws what lies over the plot, in a box of its bounds; drags that begin on it are the plot's. */
  readonly overlay?: ((area: PlotArea) => ComponentChildren) | undefined
  /** The same list as long as it says the same. */
  readonly levels?: readonly PlotLevel[]
  /** False for a chart whose page names its lines. */
  readonly hasLegend?: boolean
}

const noLevels: readonly PlotLevel[] = []

export function Chart(props: ChartProps) {
  const { title, lines, look, timeStyle, numberStyle, isDark, syncKey } = props
  const { hasLegend = true, overlay } = props
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [focusId, setFocusId] = useState<string | null>(null)
  const [isTable, setTable] = useState(false)
  const drawn = useDrawn(lines, hidden, look.shape)
  const input = useInput(drawn, props)
  const { onRange, onZoomOut, onSplit = null } = props
  const { under, problem } = useUnderLayer(underKind(input))
  const use = { syncKey, isDark, focusId, under, onRange, onZoomOut, onFocus: setFocusId }
  const plot = usePlot(input, use)
  const toggle = (id: string, how: "alone" | "hide"): void => {
    setHidden(toggledLines(lines, hidden, id, how))
  }
  const keys = useArrowKeys({ ...props, ...plot, lines: drawn.lines, focusId, onFocus: setFocusId })
  const [isFocused, setFocused] = useState(false)
  useLetterKeys(isFocused, props, {
    onTable: () => setTable(!isTable),
    onToggle: (how) => focusId !== null && toggle(focusId, how),
  })
  const id = useId()
  const sentence = useSentence(drawn.lines, props)
  return (
    <div class={style["holder"]}>
      <figure
        class={classNames(style["figure"], !hasLegend && style["plain"])}
        aria-labelledby={id}
      >
        <figcaption id={id} class="visually-hidden">
          {sentence}
        </figcaption>
        <div
          class={style["plot"]}
          // Arrows belong to the chart, not to a screen reader's own cursor.
          role="application"
          aria-roledescription={text.role}
          aria-label={`${sentence}. ${text.keysHint}`}
          tabIndex={0}
          onKeyDown={keys.press}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        >
          <div ref={plot.host} class={style["host"]} />
          {overlay !== undefined && <Overlay {...plot} draw={overlay} />}
          <Tooltip shown={plot.cursor} timeStyle={timeStyle} numberStyle={numberStyle} />
        </div>
        <p class="visually-hidden" role="status">
          {keys.spoken}
        </p>
        <Notes {...{ drawn, onSplit }} first={props.note} problem={problem.value} />
        <div class={style[isTable ? "wide" : "aside"]}>
          {isTable ? (
            <DataTable
              {...{ title, timeStyle, numberStyle }}
              lines={drawn.lines}
              onClose={() => setTable(false)}
            />
          ) : hasLegend ? (
            <Legend
              {...{ lines, hidden, focusId, numberStyle }}
              onFocus={setFocusId}
              onToggle={toggle}
            />
          ) : null}
        </div>
      </figure>
    </div>
  )
}

/** The same object as long as it says the same. */
function useInput(drawn: Pick<PlotInput, "lines" | "units">, props: ChartProps): PlotInput {
  const { range, look, levels = noLevels, timeStyle, numberStyle } = props
  return useMemo(
    () => ({ ...drawn, range, look, levels, timeStyle, numberStyle, scale: 1 }),
    [drawn, range, look, levels, timeStyle, numberStyle],
  )
}

interface OverlayProps extends Pick<UsedPlot, "area" | "view"> {
  readonly draw: (area: PlotArea) => ComponentChildren
}

/** Lies in the plot, which sees its pointers; drawn again with it, and not with the chart. */
function Overlay({ area: { value: area }, view: { current: view }, draw }: OverlayProps) {
  if (area === null || view === null) return null
  return createPortal(<div class={style["overlay"]}>{draw(area)}</div>, view.over)
}

interface NotesProps {
  readonly first: ComponentChildren
  readonly drawn: { readonly notes: readonly string[]; readonly isWhole: boolean }
  /** Why the lines could not be drawn; empty if they are. */
  readonly problem: string
  readonly onSplit: (() => void) | null
}

function Notes({ first, drawn: { notes, isWhole }, problem, onSplit }: NotesProps) {
  const others = problem === "" ? notes : [...notes, text.notDrawn(problem)]
  return (
    <div class={style["note"]}>
      {first}
      {others.map((note) => (
        <span key={note}>{note}</span>
      ))}
      {!isWhole && onSplit !== null && <Button onClick={onSplit}>{text.split}</Button>}
    </div>
  )
}

type LetterUse = Pick<LetterActions, "onTable" | "onToggle">

/** Registered at every render, as soon as the chart has the focus: the letters act on what is shown. */
function useLetterKeys(isFocused: boolean, props: ChartProps, use: LetterUse): void {
  const { look, onLook, onDownload, register } = props
  const letters = letterKeys({ look, onLook, onDownload, ...use })
  useLayoutEffect(() => (isFocused ? register(letters) : undefined))
}

/** Made again with the lines only: it looks at all of their values. */
function useSentence(lines: readonly ChartLine[], props: ChartProps): string {
  const { title, rangeName, nowMs, timeStyle, numberStyle } = props
  return useMemo(
    () => chartSentence(lines, props),
    [lines, title, rangeName, nowMs, timeStyle, numberStyle],
  )
}

function underKind(input: PlotInput): "heat" | "dense" | null {
  return input.look.shape === "heat" ? "heat" : isDense(input) ? "dense" : null
}

/** Those that are drawn, their units, and sentences about the others. */
function useDrawn(lines: readonly ChartLine[], hidden: ReadonlySet<string>, shape: ChartShape) {
  return useMemo(() => {
    const visible = lines.filter(({ id }) => !hidden.has(id))
    const all = unitsOf(visible)
    const units = all.slice(0, unitsMaxOf(shape))
    const fitting = visible.filter(({ unit }) => units.includes(unit))
    const drawn = fitting.slice(0, linesMaxOf(shape))
    const others = all.slice(unitsMaxOf(shape)).map((unit) => (unit === "" ? text.noUnit : unit))
    const notes = [
      ...(fitting.length > drawn.length ? [text.drawn(drawn.length, lines.length)] : []),
      ...(shape === "heat" ? [text.heatColours] : []),
      ...(others.length > 0 ? [text.otherUnits(others, unitsMaxOf(shape))] : []),
    ]
    const isWhole = others.length === 0
    return { lines: drawn, units: units.length > 0 ? units : [""], notes, isWhole }
  }, [lines, hidden, shape])
}

/** The hidden lines after a press: one alone, all again if it is alone, or one more or less. */
function toggledLines(
  lines: readonly ChartLine[],
  hidden: ReadonlySet<string>,
  id: string,
  how: "alone" | "hide",
): ReadonlySet<string> {
  if (how === "hide") {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    return next
  }
  const others = lines.filter((line) => line.id !== id).map((line) => line.id)
  const isAlone = !hidden.has(id) && others.every((other) => hidden.has(other))
  return new Set(isAlone ? [] : others)
}
