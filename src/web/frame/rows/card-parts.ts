/** Columns of a row as parts of its card. */

export interface CardColumn<Row> {
  /** Whether a row has no value: a card then leaves it out. Without it all rows have one. */
  readonly isEmpty?: (row: Row) => boolean
  /** Whether a card has it next to the name, without the title. */
  readonly isNextToName?: boolean
}

interface CardParts<Column> {
  readonly mark: Column | undefined
  readonly name: Column | undefined
  readonly nextToName: readonly Column[]
  readonly facts: readonly Column[]
}

/** The first column is the mark, the first one with a value after it the name. */
export function cardParts<Row, Column extends CardColumn<Row>>(
  columns: readonly Column[],
  row: Row,
): CardParts<Column> {
  const [mark, ...others] = columns
  const [name, ...rest] = others.filter(({ isEmpty }) => isEmpty?.(row) !== true)
  return {
    mark,
    name,
    nextToName: rest.filter(({ isNextToName }) => isNextToName === true),
    facts: rest.filter(({ isNextToName }) => isNextToName !== true),
  }
}
