/** Figures of the process's memory; numbers count since its start. */

export interface MemoryFigures {
  /** Bytes that the system cannot reclaim. */
  readonly usedBytes: number
  /** Whether requests are refused for want of memory. */
  readonly isShort: boolean
  /** Times that memory became short. */
  readonly shortCount: number
  /** Collections of all threads. */
  readonly collections: number
}
