/**
 * A table of many rows, windowed; in a narrow window its rows are cards. `j`, `k` and the arrows
 * move between rows, `x` selects, Shift extends the selection from the row that was selected last,
 * Enter opens the link of the row.
 */

import { useEffect, useRef, useState } from "preact/hooks"
import { classNames } from "../../parts/class-names.ts"
import { SpacerRow, useRowWindow } from "../../parts/window-rows.tsx"
import { cssPixels } from "../../platform/measure.ts"
import { useApp } from "../app.ts"
import { phoneWindow, useMedia } from "../use-media.ts"
import { RowCard, useCardHeight } from "./row-card.tsx"
import type { RowColumn } from "./row-column.ts"
import type { RowOrder } from "./row-order.ts"
import style from "./row-table.module.css"
import type { Selection } from "./selection.ts"
import { SortChoice } from "./sort-choice.tsx"
import { text } from "./text.ts"
import type { Rows } from "./use-rows.ts"
import { useHotkeys } from "../use-hotkeys.ts"

export interface RowTableProps<Row, Field extends string> {
  readonly label: string
  readonly columns: readonly RowColumn<Row>[]
  readonly rows: Rows<Row>
  readonly total: number
  readonly order: RowOrder<Field>
  /** Null for users who change nothing. */
  readonly selection: Selection | null
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** A class of a row, if it has one. */
  readonly classOf?: (row: Row) => string | undefined
}

export function RowTable<Row, Field extends string>(props: RowTableProps<Row, Field>) {
  const { label, columns, rows, total, selection, keyOf } = props
  const { preferences } = useApp()
  // Density and pointer decide it; the choice is read so that a change draws the table again.
  const { density } = preferences.choices.value
  const isCards = useMedia(phoneWindow)
  const holder = useRef<HTMLDivElement>(null)
  const key = columns.map(({ id }) => id).join()
  const cardHeight = useCardHeight({ holder, isShown: isCards, key })
  const rowHeight = isCards ? cardHeight : cssPixels("--row-height")
  const { first, end } = useRowWindow(holder, total, rowHeight)
  useEffect(() => rows.show(first, end), [first, end, rows])
  const current = useCurrentRow({ holder, rows, total, rowHeight, selection, keyOf })
  const select = useRangeSelection(rows, selection, keyOf)
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  return (
    <div
      ref={holder}
      key={density}
      class={style["holder"]}
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
        if (step === 0 || event.target === event.currentTarget) return
        event.preventDefault()
        current.move(step)
      }}
    >
      <table
        class={classNames(style["table"], isCards && style["cards"])}
        style={{ "--card-height": `${rowHeight}px` }}
        aria-rowcount={total + 1}
        aria-label={label}
      >
        <Head {...props} isCards={isCards} />
        <tbody>
          <SpacerRow class={style["spacer"]} rows={first} rowHeight={rowHeight} />
          {drawn.map((index) => (
            <DrawnRow
              key={index}
              index={index}
              row={rows.row(index)}
              table={props}
              isCards={isCards}
              isCurrent={index === current.index}
              onSelect={select}
            />
          ))}
          <SpacerRow class={style["spacer"]} rows={total - end} rowHeight={rowHeight} />
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps<Row, Field extends string> extends RowTableProps<Row, Field> {
  readonly isCards: boolean
}

function Head<Row, Field extends string>(props: HeadProps<Row, Field>) {
  const { columns, selection, order, isCards } = props
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
        {isCards ? (
          <th scope="col">
            <SortChoice columns={columns} order={order} />
          </th>
        ) : (
          columns.map((column) => <ColumnHead key={column.id} column={column} order={order} />)
        )}
      </tr>
    </thead>
  )
}

interface ColumnHeadProps<Row, Field extends string> {
  readonly column: RowColumn<Row>
  readonly order: RowOrder<Field>
}

function ColumnHead<Row, Field extends string>({ column, order }: ColumnHeadProps<Row, Field>) {
  const { id, title, className, orders } = column
  const { fields, by, isDescending } = order
  const isSorted = by === id || (orders ?? []).some((one) => one.id === by)
  const direction = isDescending ? "descending" : "ascending"
  const field = fields.find((one) => one === id)
  return (
    <th scope="col" class={className} aria-sort={isSorted ? direction : undefined}>
      {orders === undefined ? (
        field === undefined ? (
          title
        ) : (
          <SortButton {...{ order, field, title }} />
        )
      ) : (
        <span class={style["head"]}>
          <span class={style["headName"]} title={title} dir="auto">
            {title}
          </span>
          {orders.map((one) => (
            <SortButton
              key={one.id}
              order={order}
              field={one.id as Field}
              title={one.title}
              name={`${title}, ${one.name}`}
            />
          ))}
        </span>
      )}
    </th>
  )
}

interface SortButtonProps<Field extends string> {
  readonly order: RowOrder<Field>
  readonly field: Field
  readonly title: string
  /** Its accessible name, if the title alone does not say it. */
  readonly name?: string
}

function SortButton<Field extends string>({ order, field, title, name }: SortButtonProps<Field>) {
  const { by, isDescending, onSort } = order
  return (
    <button
      type="button"
      class={style["sort"]}
      title={text.sortBy(name ?? title)}
      aria-label={name}
      onClick={() => onSort(field)}
    >
      {title}
      <span aria-hidden="true">{field === by && ` ${text.arrow(isDescending)}`}</span>
    </button>
  )
}

interface RowProps<Row, Field extends string> {
  readonly index: number
  readonly row: Row | undefined
  readonly table: RowTableProps<Row, Field>
  readonly isCards: boolean
  readonly isCurrent: boolean
  readonly onSelect: (index: number, isSelected: boolean, extends_: boolean) => void
}

function DrawnRow<Row, Field extends string>(props: RowProps<Row, Field>) {
  const { index, row, table, isCards, isCurrent, onSelect } = props
  const { columns, selection, keyOf, nameOf, classOf } = table
  const isSelected = row !== undefined && selection?.has(keyOf(row)) === true
  return (
    <tr
      class={row === undefined ? undefined : classOf?.(row)}
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
              aria-label={text.select(nameOf(row))}
              checked={isSelected}
              onClick={(event) => onSelect(index, !isSelected, event.shiftKey)}
            />
          )}
        </td>
      )}
      {isCards ? (
        <td>{row === undefined ? <Bone /> : <RowCard {...{ columns, row }} />}</td>
      ) : (
        columns.map(({ id, className, cell: Cell }) => (
          <td key={id} class={className}>
            {row === undefined ? <Bone /> : <Cell row={row} />}
          </td>
        ))
      )}
    </tr>
  )
}

/** In place of what is on its way. */
function Bone() {
  return <span class={style["bone"]} />
}

/** Shift takes all fetched rows from the one that was selected last. */
function useRangeSelection<Row>(
  rows: Rows<Row>,
  selection: Selection | null,
  keyOf: (row: Row) => string,
) {
  const anchor = useRef<number | null>(null)
  return (index: number, isSelected: boolean, isExtended: boolean): void => {
    const from = isExtended && anchor.current !== null ? anchor.current : index
    const [low, high] = [Math.min(from, index), Math.max(from, index)]
    const taken = Array.from({ length: high - low + 1 }, (_, i) => rows.row(low + i))
    selection?.set(taken.filter((row) => row !== undefined).map(keyOf), isSelected)
    anchor.current = index
  }
}

interface CurrentRowOf<Row> {
  readonly holder: { readonly current: HTMLElement | null }
  readonly rows: Rows<Row>
  readonly total: number
  readonly rowHeight: number
  readonly selection: Selection | null
  readonly keyOf: (row: Row) => string
}

/** The row that keys act on: it is scrolled into sight, and its link has the focus. */
function useCurrentRow<Row>(of: CurrentRowOf<Row>) {
  const { holder, rows, rowHeight, selection, keyOf } = of
  const [index, setIndex] = useState(-1)
  const move = (step: number): void => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"]
    const start = focused === undefined ? index : Number(focused)
    const next = Math.min(of.total - 1, Math.max(0, start + step))
    reveal(holder.current, next * rowHeight, rowHeight)
    setIndex(next)
  }
  useEffect(() => {
    if (index < 0) return
    holder.current?.querySelector<HTMLElement>(`[data-row="${index}"] :is(a, button)`)?.focus({
      preventScroll: true,
    })
  }, [index, rows.row(index) === undefined])
  const select = (): void => {
    const row = rows.row(index)
    if (row === undefined) return
    const key = keyOf(row)
    selection?.set([key], !selection.has(key))
  }
  useHotkeys([
    { group: "list", keys: "j", text: text.keys.next, run: () => move(1) },
    { group: "list", keys: "k", text: text.keys.previous, run: () => move(-1) },
    { group: "list", keys: "x", text: text.keys.select, run: select },
  ])
  return { index, move }
}

/** Scrolls a row into sight, below the head that stays. */
function reveal(holder: HTMLElement | null, top: number, height: number): void {
  if (holder === null) return
  const room = holder.clientHeight - 2 * height
  if (top < holder.scrollTop) holder.scrollTop = top
  else if (top > holder.scrollTop + room) holder.scrollTop = top - room
}
