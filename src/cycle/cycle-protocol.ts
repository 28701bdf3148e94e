/** Messages between the main thread, which schedules closings, and the threads that evaluate. */

import type { CycleBatch } from "../store/cycle-store.ts"
import type { Violation } from "../policy/violation.ts"

/**
 * Elements of one cycle batch. A batch occupies the shard's thread for one transaction, whose
 * duration grows with the state of the metrics, 200 bytes each: 7 ms with 64 elements of 50
 * metrics, 5 ms with 32, 4 ms with 16. The 99th percentile of post latency during a closing was
 * 2.0 to 2.2 times the quiet one with 32 elements, 1.3 to 1.9 times with 16.
 */
export const elementsPerBatch = 16

/** One batch of a cycle to be evaluated. */
export interface BatchRequest {
  readonly cycle: number
  /** Element indexes of the catalogue, `[from, to)`. */
  readonly fromElement: number
  readonly toElement: number
  /** Nominal time of the closing: end of the cycle plus the grace period. */
  readonly closingMs: number
  /** True if the server was down at the nominal time. */
  readonly isMissed: boolean
  /** Cycles without a sample after which an element is inactive. */
  readonly inactiveCycles: number
}

/** Policy violations of one tenant in a batch, and the elements that were evaluated. */
export interface CycleViolations {
  readonly tenant: number
  readonly violations: readonly Violation[]
  /** FQNs of the evaluated elements: an open incident without a violation ends. */
  readonly evaluated: readonly string[]
}

/** Changes of a batch without the documents, which the main thread adds before the commit. */
export type BatchChanges = Omit<CycleBatch, "documents">

export interface BatchResponse {
  /** Null if the batch was committed before. */
  readonly changes: BatchChanges | null
  readonly violations: readonly CycleViolations[]
  /** Faults of analytic configurations, such as computed metrics that depend on one another. */
  readonly problems: readonly string[]
}

/** Name of the batch that begins at an element, as its marker stores it. */
export function batchName(fromElement: number): string {
  return String(fromElement)
}
