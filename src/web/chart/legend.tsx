/**
 * The legend: a table of the lines with their statistics. A click on a name shows the line alone, a
 * second one all again; with Ctrl it hides the line. Pointing at a row fades the others.
 */

import type { RefObject } from "preact"
import { useMemo, useRef, useState } from "preact/hooks"
import { valueText, type NumberStyle } from "../format/numbers.ts"
import { visibleText } from "../format/visible-text.ts"
import { classNames } from "../parts/class-names.ts"
import { SpacerRow, useRowWindow, type WindowOfRows } from "../parts/window-rows.tsx"
import { cssPixels } from "../platform/measure.ts"
import type { ChartLine } from "./model.ts"
import { Swatch } from "./swatch.tsx"
import { text } from "./text.ts"
import style from "./legend.module.css"

const columns = ["last", "min", "avg", "max", "p95"] as const
export type LegendColumn = (typeof columns)[number] | "name"

export interface LegendSort {
  readonly by: LegendColumn
  readonly isDescending: boolean
}

export interface LegendProps {
  /** Sorted by the server, which is the order without a sort. */
  readonly lines: readonly ChartLine[]
  readonly hidden: ReadonlySet<string>
  readonly focusId: string | null
  readonly numberStyle: NumberStyle
  readonly onFocus: (id: string | null) => void
  readonly onToggle: (id: string, how: "alone" | "hide") => void
}

/** A field to search is more than needed for fewer lines. */
const searchedLinesMin = 12
/** Fewer rows are drawn together, so that the browser's own search finds them. */
const windowedRowsMin = 100

export function Legend({ lines, hidden, focusId, numberStyle, onFocus, onToggle }: LegendProps) {
  const [sort, setSort] = useState<LegendSort | null>(null)
  const [searched, setSearched] = useState("")
  const rows = useMemo(() => legendRows(lines, sort, searched), [lines, sort, searched])
  const holder = useRef<HTMLDivElement>(null)
  const { first, end, rowHeight } = useLegendWindow(holder, rows.length)
  const shownColumns = columns.filter((name) => lines.some(({ summary }) => summary[name] !== null))
  return (
    <div class={style["legend"]} onPointerLeave={() => onFocus(null)}>
      {lines.length >= searchedLinesMin && (
        <input
          type="search"
          class={style["search"]}
          aria-label={text.search}
          placeholder={text.search}
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
      )}
      {/* A region that scrolls has to be reachable by keys. */}
      <div ref={holder} class={style["scroll"]} tabIndex={0} role="region" aria-label={text.legend}>
        <table class={style["table"]} aria-rowcount={rows.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {(["name", ...shownColumns] as const).map((name) => (
                <HeadCell key={name} name={name} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <SpacerRow class={style["spacer"]} rows={first} rowHeight={rowHeight} />
            {rows.slice(first, end).map((line, i) => (
              <tr
                key={line.id}
                aria-rowindex={first + i + 2}
                class={classNames(
                  hidden.has(line.id) && style["hidden"],
                  focusId === line.id && style["focus"],
                )}
                onPointerEnter={() => onFocus(line.id)}
              >
                <th scope="row">
                  <NameButton line={line} isHidden={hidden.has(line.id)} onToggle={onToggle} />
                </th>
                {shownColumns.map((name) => (
                  <td key={name} class="number">
                    {valueText(line.summary[name], line.unit, numberStyle)}
                  </td>
                ))}
              </tr>
            ))}
            <SpacerRow class={style["spacer"]} rows={rows.length - end} rowHeight={rowHeight} />
          </tbody>
        </table>
        {rows.length === 0 && <p class={style["none"]}>{text.noneFound}</p>}
      </div>
    </div>
  )
}

/** The rows in sight of many, or all. */
function useLegendWindow(holder: RefObject<HTMLDivElement | null>, count: number): WindowOfRows {
  const rowHeight = useMemo(() => cssPixels("--legend-row"), [])
  const found = useRowWindow(holder, count, rowHeight)
  return count < windowedRowsMin ? { first: 0, end: count, rowHeight } : found
}

/** The lines with the text in their names, sorted; lines without a value come last. */
function legendRows(
  lines: readonly ChartLine[],
  sort: LegendSort | null,
  searched: string,
): readonly ChartLine[] {
  const wanted = searched.trim().toLowerCase()
  const found = lines.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (sort === null) return found
  const { by, isDescending } = sort
  const sign = isDescending ? -1 : 1
  return found.sort((a, b) => {
    if (by === "name") return sign * a.name.localeCompare(b.name, "en", { numeric: true })
    const [left, right] = [a.summary[by], b.summary[by]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (left - right)
  })
}

interface HeadCellProps {
  readonly name: LegendColumn
  readonly sort: LegendSort | null
  readonly onSort: (sort: LegendSort | null) => void
}

/** Numbers begin with the greatest, names with the first; the third press sorts as the server did. */
function HeadCell({ name, sort, onSort }: HeadCellProps) {
  const startsDescending = name !== "name"
  const own = sort?.by === name ? sort : null
  const press = (): void => {
    if (own === null) onSort({ by: name, isDescending: startsDescending })
    else if (own.isDescending === startsDescending) {
      onSort({ by: name, isDescending: !startsDescending })
    } else onSort(null)
  }
  const order = own === null ? undefined : own.isDescending ? "descending" : "ascending"
  return (
    <th scope="col" class={name === "name" ? undefined : "number"} aria-sort={order}>
      <button type="button" class={style["sort"]} onClick={press}>
        {text[name]}
        <span aria-hidden="true">{own === null ? "" : own.isDescending ? " ↓" : " ↑"}</span>
      </button>
    </th>
  )
}

interface NameButtonProps {
  readonly line: ChartLine
  readonly isHidden: boolean
  readonly onToggle: LegendProps["onToggle"]
}

function NameButton({ line, isHidden, onToggle }: NameButtonProps) {
  const name = visibleText(line.name)
  return (
    <button
      type="button"
      class={style["name"]}
      aria-pressed={!isHidden}
      title={name}
      onClick={({ ctrlKey, metaKey }) => onToggle(line.id, ctrlKey || metaKey ? "hide" : "alone")}
    >
      <Swatch tone={line.tone} />
      <span class={style["text"]} dir="auto">
        {name}
      </span>
    </button>
  )
}
