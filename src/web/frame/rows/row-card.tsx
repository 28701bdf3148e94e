/** A row of a narrow window as a card: its mark and name, and the other columns as facts below. */

import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { cardParts } from "./card-parts.ts"
import style from "./row-card.module.css"
import type { RowColumn } from "./row-column.ts"

/** Heights of the line of the name, of a line of facts, and of the room below. */
const nameHeight = 36
const lineHeight = 24
const paddingBelow = 8

interface RowCardProps<Row> {
  readonly columns: readonly RowColumn<Row>[]
  readonly row: Row
}

export function RowCard<Row>({ columns, row }: RowCardProps<Row>) {
  const { mark, name, nextToName, facts } = cardParts(columns, row)
  return (
    <>
      <div class={style["name"]}>
        <span class={style["mark"]}>{mark !== undefined && <mark.cell row={row} />}</span>
        {name !== undefined && <name.cell row={row} />}
        {nextToName.map(({ id, title, cell: Cell }) => (
          <span key={id} class={style["next"]} title={title}>
            <Cell row={row} />
          </span>
        ))}
      </div>
      <dl class={style["facts"]} data-facts>
        {facts.map(({ id, title, shortTitle, cell: Cell }) => (
          <div key={id} class={style["fact"]}>
            <dt dir="auto">{shortTitle ?? title}</dt>
            <dd>
              <Cell row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface CardsOf {
  readonly holder: { readonly current: HTMLElement | null }
  readonly isShown: boolean
  /** Cards of other columns have a height of their own. */
  readonly key: string
}

/**
 * The height of all cards, since the list is windowed: that of the one with most lines among those
 * that were drawn so far. If it grows, the rows in sight stay.
 */
export function useCardHeight({ holder, isShown, key }: CardsOf): number {
  const [most, setMost] = useState({ key, lines: 0 })
  const lines = most.key === key ? most.lines : 0
  const height = nameHeight + lines * lineHeight + paddingBelow
  const former = useRef(height)
  useLayoutEffect(() => {
    const scrolled = holder.current
    if (isShown && scrolled !== null) scrolled.scrollTop *= height / former.current
    former.current = height
  }, [height])
  useLayoutEffect(() => {
    if (!isShown) return
    const drawn = holder.current?.querySelectorAll<HTMLElement>("[data-facts]") ?? []
    const needed = Array.from(drawn, linesOf).reduce((most, own) => Math.max(most, own), 0)
    if (needed > lines) setMost({ key, lines: needed })
  })
  return height
}

function linesOf({ offsetHeight }: HTMLElement): number {
  return Math.round(offsetHeight / lineHeight)
}
