/** The columns that are stored separately; `count` also holds presence, flags and actual kind. */
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

/** Returns the bit of a column in a set of columns. */
export function columnBit(column: CellColumnName): number {
  return 1 << cellColumnNames.indexOf(column)
}

/** Returns the columns of a set, in order. */
export function columnsOfBits(bits: number): CellColumnName[] {
  return cellColumnNames.filter((column) => bits & columnBit(column))
}
