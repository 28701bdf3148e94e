/** One hot loop to measure, and what it answers. */

export interface Part {
  readonly name: string
  /** How many of `unit` one call of `run` handles. */
  readonly items: number
  /** In the plural: "values". */
  readonly unit: string
  /** What else is worth knowing, such as bytes an item. */
  readonly note?: string
  readonly run: () => unknown
  /** What the last `run` computed, as numbers; never bytes of a format, which may change freely. */
  readonly answer: () => Iterable<number>
}

export interface Parts {
  add(part: Part): void
}
