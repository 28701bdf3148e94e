/**
 * The table of elements, windowed. `j`, `k` and the arrows move between rows, `x` selects, Shift
 * extends the selection from the row that was selected last, Enter opens.
 */

import { useEffect, useRef, useState } from "preact/hooks"
import { elementSortFields, type ElementSortField } from "../../api/element-words.ts"
import { useApp } from "../../frame/app.ts"
import { cssPixels } from "../../platform/measure.ts"
import { useRowWindow } from "../../parts/window-rows.ts"
import { columns } from "./columns.tsx"
import type { ElementRow } from "./element-row.ts"
import type { InventoryState } from "./inventory-state.ts"
import style from "./inventory.module.css"
import type { Selection } from "./selection.ts"
import { text } from "./text.ts"
import type { Rows } from "./use-rows.ts"

export interface ElementTableProps {
  readonly rows: Rows<ElementRow>
  readonly total: number
  readonly state: InventoryState
  /** Null for users who change nothing. */
  readonly selection: Selection | null
}

export function ElementTable({ rows, total, state, selection }: ElementTableProps) {
  const { preferences } = useApp()
  // Density and pointer decide it; the choice is read so that a change draws the table again.
  const { density } = preferences.choices.value
  const rowHeight = cssPixels("--row-height")
  const holder = useRef<HTMLDivElement>(null)
  const { first, end } = useRowWindow(holder, total, rowHeight)
  useEffect(() => rows.show(first, end), [first, end, rows])
  const current = useCurrentRow({ holder, rows, total, rowHeight, selection })
  const select = useRangeSelection(rows, selection)
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  return (
    <div
      ref={holder}
      key={density}
      class={style["holder"]}
      role="region"
      aria-label={text.table}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
        if (step === 0 || event.target === event.currentTarget) return
        event.preventDefault()
        current.move(step)
      }}
    >
      <table class={style["table"]} aria-rowcount={total + 1} aria-label={text.table}>
        <Head state={state} selection={selection} />
        <tbody>
          <Spacer rows={first} height={rowHeight} />
          {drawn.map((index) => (
            <Row
              key={index}
              index={index}
              row={rows.row(index)}
              isCurrent={index === current.index}
              selection={selection}
              onSelect={select}
            />
          ))}
          <Spacer rows={total - end} height={rowHeight} />
        </tbody>
      </table>
    </div>
  )
}

/** The room of rows that are not drawn. */
function Spacer({ rows, height }: { readonly rows: number; readonly height: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden="true" class={style["spacer"]} style={{ height: `${rows * height}px` }}>
      <td />
    </tr>
  )
}

interface HeadProps {
  readonly state: InventoryState
  readonly selection: Selection | null
}

function Head({ state, selection }: HeadProps) {
  const { sort, isDescending, sortBy } = state
  const directionOf = (field: ElementSortField) =>
    field !== sort ? undefined : isDescending ? "descending" : "ascending"
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection !== null && (
          <td class={style["check"]}>
            <input
              type="checkbox"
              aria-label={text.selectShown}
              checked={selection.isAll}
              onChange={() => (selection.isAll ? selection.clear() : selection.selectAll())}
            />
          </td>
        )}
        {columns.map(({ id, title, className }) => {
          const field = elementSortFields.find((one) => one === id)
          if (field === undefined) {
            return (
              <th key={id} scope="col" class={style[className]}>
                {title}
              </th>
            )
          }
          return (
            <th key={id} scope="col" class={style[className]} aria-sort={directionOf(field)}>
              <button
                type="button"
                class={style["sort"]}
                title={text.sortBy(title)}
                onClick={() => sortBy(field)}
              >
                {title}
                <span aria-hidden="true">{field !== sort ? "" : isDescending ? " ↓" : " ↑"}</span>
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface RowProps {
  readonly index: number
  readonly row: ElementRow | undefined
  readonly isCurrent: boolean
  readonly selection: Selection | null
  readonly onSelect: (index: number, isSelected: boolean, extends_: boolean) => void
}

function Row({ index, row, isCurrent, selection, onSelect }: RowProps) {
  const isSelected = row !== undefined && selection?.has(row.fqn) === true
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
    >
      {selection !== null && (
        <td class={style["check"]}>
          {row !== undefined && (
            <input
              type="checkbox"
              aria-label={text.select(row.name)}
              checked={isSelected}
              onClick={(event) => onSelect(index, !isSelected, event.shiftKey)}
            />
          )}
        </td>
      )}
      {columns.map(({ id, className, cell: Cell }) => (
        <td key={id} class={style[className]}>
          {row === undefined ? <span class={style["bone"]} /> : <Cell row={row} />}
        </td>
      ))}
    </tr>
  )
}

/** Shift takes all fetched rows from the one that was selected last. */
function useRangeSelection(rows: Rows<ElementRow>, selection: Selection | null) {
  const anchor = useRef<number | null>(null)
  return (index: number, isSelected: boolean, isExtended: boolean): void => {
    const from = isExtended && anchor.current !== null ? anchor.current : index
    const [low, high] = [Math.min(from, index), Math.max(from, index)]
    const fqns = Array.from({ length: high - low + 1 }, (_, i) => rows.row(low + i)?.fqn)
    selection?.set(
      fqns.filter((fqn) => fqn !== undefined),
      isSelected,
    )
    anchor.current = index
  }
}

interface CurrentRowOf {
  readonly holder: { readonly current: HTMLElement | null }
  readonly rows: Rows<ElementRow>
  readonly total: number
  readonly rowHeight: number
  readonly selection: Selection | null
}

/** The row that keys act on: it is scrolled into sight, and its link has the focus. */
function useCurrentRow({ holder, rows, total, rowHeight, selection }: CurrentRowOf) {
  const { hotkeys } = useApp()
  const [index, setIndex] = useState(-1)
  const latest = useRef({ index, rows, total, selection })
  latest.current = { index, rows, total, selection }
  const move = (step: number): void => {
    const { index: from, total: count } = latest.current
    const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"]
    const start = focused === undefined ? from : Number(focused)
    const next = Math.min(count - 1, Math.max(0, start + step))
    reveal(holder.current, next * rowHeight, rowHeight)
    setIndex(next)
  }
  useEffect(() => {
    if (index < 0) return
    holder.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus({
      preventScroll: true,
    })
  }, [index, rows.row(index) === undefined])
  useEffect(() => {
    const list = { group: "list" } as const
    const select = (): void => {
      const { index: at, rows: known, selection: selected } = latest.current
      const fqn = known.row(at)?.fqn
      if (fqn !== undefined) selected?.set([fqn], !selected.has(fqn))
    }
    return hotkeys.register([
      { ...list, keys: "j", text: text.keys.next, run: () => move(1) },
      { ...list, keys: "k", text: text.keys.previous, run: () => move(-1) },
      { ...list, keys: "x", text: text.keys.select, run: select },
    ])
  }, [hotkeys, rowHeight])
  return { index, move }
}

/** Scrolls a row into sight, below the head that stays. */
function reveal(holder: HTMLElement | null, top: number, height: number): void {
  if (holder === null) return
  const room = holder.clientHeight - 2 * height
  if (top < holder.scrollTop) holder.scrollTop = top
  else if (top > holder.scrollTop + room) holder.scrollTop = top - room
}
