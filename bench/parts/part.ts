/** One hot loop to measure, and what it answers. */

export interface Part {
  readonly name: string
  /** How many of `unit` one call of `run` handles. */
  readonly items: number
  /** In the plural: "values". */
  readonly unit: string
  /** Further figures, such as bytes an item. */
  readonly note?: string
  readonly run: () => unknown
  /** The result of the last `run`, as numbers; never bytes of a format, which may change freely. */
  readonly answer: () => Iterable<number>
}

export interface Parts {
  add(part: Part): void
}
