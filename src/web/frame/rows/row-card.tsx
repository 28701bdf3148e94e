/** A row of a narrow window as a card: its name, and below it the other columns as facts. */

import style from "./row-card.module.css"
import type { RowColumn } from "./row-column.ts"

/** The columns before the facts: a symbol, and the name. */
export const columnsBeforeFacts = 2
/** Height of the name on a phone, and of a line of facts. */
const nameHeight = 44
const lineHeight = 24
const paddingBelow = 8

/** All cards have the same height, since the list is windowed. */
export function cardHeight<Row>(columns: readonly RowColumn<Row>[]): number {
  const facts = Math.max(0, columns.length - columnsBeforeFacts)
  return nameHeight + facts * lineHeight + (facts > 0 ? paddingBelow : 0)
}

interface RowCardProps<Row> {
  readonly columns: readonly RowColumn<Row>[]
  readonly row: Row
}

export function RowCard<Row>({ columns, row }: RowCardProps<Row>) {
  const [, name, ...facts] = columns
  const Name = name?.cell
  return (
    <>
      <div class={style["name"]}>{Name !== undefined && <Name row={row} />}</div>
      <dl class={style["facts"]}>
        {facts.map(({ id, title, cell: Cell }) => (
          <div key={id} class={style["fact"]}>
            <dt dir="auto">{title}</dt>
            <dd>
              <Cell row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
