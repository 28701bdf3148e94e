/** RowWriter: rows of an export in one format. */

/** The series of the rows that follow. */
export interface ExportedSeries {
  readonly element: string
  readonly metric: string
  /** As in the column `about`; null if an earlier row has it. */
  readonly about: string | null
}

/** Takes bytes of the file in order; resolves when it can take more. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>

export interface RowWriter {
  /** Begins the rows of a series. */
  begin(series: ExportedSeries): void

  /** Adds a row; `values` in the order of `valueColumns`, NaN for an absent one. Copied. */
  row(timeMs: number, values: Float64Array): void

  /** Hands complete pieces to the output. Called after each piece of the store. */
  drain(): Promise<void>

  /** Writes what is left, and the end of the format. */
  end(): Promise<void>
}
