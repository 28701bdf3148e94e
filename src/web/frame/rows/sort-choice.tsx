/** The order of cards, which have no heads of columns: by what they are sorted, and how. */

import { Button } from "../../parts/button.tsx"
import { InlineSelect } from "../../parts/inline-select.tsx"
import { sortOptions, type OrderedColumn, type RowOrder } from "./row-order.ts"
import style from "./row-table.module.css"
import { text } from "./text.ts"

interface SortChoiceProps<Field extends string> {
  readonly columns: readonly OrderedColumn[]
  readonly order: RowOrder<Field>
}

export function SortChoice<Field extends string>({ columns, order }: SortChoiceProps<Field>) {
  const { by, isDescending, onSort } = order
  const options = sortOptions(columns, order)
  if (options.length === 0) return <>{columns[1]?.title}</>
  return (
    <span class={style["choice"]}>
      <InlineSelect label={text.sorted} isShown value={by} options={options} onValue={onSort} />
      <Button
        kind="quiet"
        title={text.directions(isDescending)}
        aria-label={text.directions(isDescending)}
        onClick={() => onSort(by)}
      >
        <span aria-hidden="true">{text.arrow(isDescending)}</span>
      </Button>
    </span>
  )
}
