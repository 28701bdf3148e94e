/** What travels between the thread that leads a closing and those that work it out. */

import type { CycleBatch } from "../store/store.ts"
import type { Violation } from "../policy/violation.ts"

/**
 * Elements of one part. A part holds the shard's thread for one transaction, which takes as long as
 * what is remembered of its metrics is large, 200 bytes each: 7 ms with 64 elements of 50, 5 ms
 * with 32, 4 ms with 16. The 99th percentile of posts during a closing was 2.0 to 2.2 times the
 * quiet one with 32, 1.3 to 1.9 times with 16.
 */
export const elementsPerBatch = 16

/** One part of a cycle to be worked out. */
export interface BatchRequest {
  readonly cycle: number
  /** Numbers of the catalogue, `to` excluded. */
  readonly fromElement: number
  readonly toElement: number
  /** When the cycle closes by the book: its end and the grace. */
  readonly closingMs: number
  /** The server was down when it should have closed. */
  readonly isMissed: boolean
  /** Cycles without a sample after which an element is inactive. */
  readonly inactiveCycles: number
}

/** What one tenant's policies found in a part, and where they looked. */
export interface CycleViolations {
  readonly tenant: number
  readonly violations: readonly Violation[]
  /** FQNs of the elements that were looked at: where nothing was found, it is over. */
  readonly judged: readonly string[]
}

/** What is to be stored of a part; documents and marker are up to who leads. */
export type BatchChanges = Omit<CycleBatch, "documents">

export interface BatchResponse {
  /** Null where the part was closed before. */
  readonly changes: BatchChanges | null
  readonly violations: readonly CycleViolations[]
  /** What configurations ask for and cannot have, such as computed metrics in a circle. */
  readonly problems: readonly string[]
}

/** Name of the part that begins at an element. */
export function batchName(fromElement: number): string {
  return String(fromElement)
}
