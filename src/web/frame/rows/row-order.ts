/** The order of rows, as the heads of a table and the choice above cards change it. */

import { text } from "./text.ts"

export interface OrderedColumn {
  /** The name of the sort field, if it has one. */
  readonly id: string
  readonly title: string
  /** Sort fields of a column with several, in place of its own; `name` says all of each. */
  readonly orders?: readonly {
    readonly id: string
    readonly title: string
    readonly name: string
  }[]
}

export interface RowOrder<Field extends string> {
  /** Ids of the columns by which rows can be sorted. */
  readonly fields: readonly Field[]
  readonly by: Field
  readonly isDescending: boolean
  /** The field in force is sorted the other way round. */
  readonly onSort: (field: Field) => void
}

interface SortOption<Field> {
  readonly value: Field
  readonly text: string
}

/** An option for each order of the heads; an order without a head is one while it is in force. */
export function sortOptions<Field extends string>(
  columns: readonly OrderedColumn[],
  { fields, by }: RowOrder<Field>,
): readonly SortOption<Field>[] {
  const options = columns.flatMap(({ id, title, orders }): readonly SortOption<Field>[] => {
    const own = fields.filter((field) => field === id).map((value) => ({ value, text: title }))
    const several = orders?.map((one) => {
      return { value: one.id as Field, text: text.orderOf(title, one.name) }
    })
    return several ?? own
  })
  const isKnown = options.length === 0 || options.some(({ value }) => value === by)
  return isKnown ? options : [{ value: by, text: by }, ...options]
}
