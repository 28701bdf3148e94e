/** A column of a table of rows, which is a fact of a card in a narrow window. */

import type { ComponentType } from "preact"
import type { CardColumn } from "./card-parts.ts"
import type { OrderedColumn } from "./row-order.ts"

export interface RowColumn<Row> extends OrderedColumn, CardColumn<Row> {
  /** The title in a card, if it has another one. */
  readonly shortTitle?: string
  readonly className: string | undefined
  readonly cell: ComponentType<{ readonly row: Row }>
}
