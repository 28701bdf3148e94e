/** The columns of cells that are stored apart; `count` also holds presence, flags and definition. */
export const cellColumnNames = [
  "count",
  "sum",
  "min",
  "max",
  "m2",
  "first",
  "last",
  "actual",
] as const
export type CellColumnName = (typeof cellColumnNames)[number]

/** The bit of a column in a set of columns. */
export function columnBit(column: CellColumnName): number {
  return 1 << cellColumnNames.indexOf(column)
}

/** The columns of a set, in their order. */
export function columnsOfBits(bits: number): CellColumnName[] {
  return cellColumnNames.filter((column) => bits & columnBit(column))
}
