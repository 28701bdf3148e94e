/** Figures of the store's write-ahead log, counted since the store was opened. */

export interface WalFigures {
  /** Segments on disk, those that wait for their next use included. */
  readonly segments: number
  readonly bytes: number
  /** Flushes after which segments were released. */
  readonly truncations: number
  /** Durations of the synced writes. */
  readonly syncs: DurationFigures
}

/** The counts of a histogram. */
export interface DurationFigures {
  /** Upper bounds of the buckets, ascending. */
  readonly boundsSeconds: readonly number[]
  /** Observations by bucket, and last those above all bounds. */
  readonly counts: readonly number[]
  readonly sumSeconds: number
}
