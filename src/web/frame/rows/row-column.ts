/** A column of a table of rows, which is a fact of a card in a narrow window. */

import type { ComponentType } from "preact"

export interface RowColumn<Row> {
  /** The name of the sort field, if it has one. */
  readonly id: string
  readonly title: string
  readonly className: string | undefined
  /** Sort fields of a column with several, in place of its own; `name` says all of each. */
  readonly orders?: readonly {
    readonly id: string
    readonly title: string
    readonly name: string
  }[]
  readonly cell: ComponentType<{ readonly row: Row }>
}
