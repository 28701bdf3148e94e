/** Messages between the main thread, which schedules closings, and the threads that evaluate. */

import { assert } from "../base/assert.ts"
import { spanOfCycle, type CycleSpan } from "../model/closed-cycles.ts"
import type { CycleBatch } from "../store/cycle-store.ts"
import type { EvaluatedElement, Violation } from "../policy/violation.ts"
import type { TenantIndex } from "../model/ids.ts"

/**
 * Elements of one cycle batch. A batch occupies the shard's thread for one transaction, whose
 * duration grows with the state of the metrics, 200 bytes each: 7 ms with 64 elements of 50
 * metrics, 5 ms with 32, 4 ms with 16. The 99th percentile of post latency during a closing was
 * 2.0 to 2.2 times the quiet one with 32 elements, 1.3 to 1.9 times with 16.
 */
export const elementsPerBatch = 16

/** Elements that are closed together. */
export interface ElementBatch {
  /**
   * Marks the batch as closed in the store; at most `closingKeyBytesMax` bytes. A cycle that is
   * closed again, after a crash, has the same elements under the same name.
   */
  readonly name: string
  /** Element indexes of the catalogue, distinct and ascending. */
  readonly elements: Int32Array
}

/** One batch of a cycle to be evaluated. */
export interface BatchRequest extends ElementBatch {
  readonly cycle: number
  /** Nominal time of the closing: end of the cycle plus the grace period. */
  readonly closingMs: number
  /** True if the server was down at the nominal time; the cycle is then an unwatched one. */
  readonly isMissed: boolean
  /** Unwatched cycles, this one included if it is one of them. */
  readonly unwatched?: readonly CycleSpan[]
  /** Cycles without a sample after which an element is inactive. */
  readonly inactiveCycles: number
}

/** Whether the server was off or suspended, or its clock was set, during a part of the cycle. */
export function isUnwatched({ cycle, unwatched }: BatchRequest): boolean {
  return spanOfCycle(unwatched, cycle) !== undefined
}

/** Policy violations of one tenant in a batch, and the elements that were evaluated. */
export interface CycleViolations {
  readonly tenant: TenantIndex
  readonly violations: readonly Violation[]
  /** An open incident of these elements ends without a violation. */
  readonly evaluated: readonly EvaluatedElement[]
}

/** Changes of a batch without the documents, which the main thread adds before the commit. */
export type BatchChanges = Omit<CycleBatch, "documents">

export interface BatchResponse {
  /** Null if the batch was committed before. */
  readonly changes: BatchChanges | null
  readonly violations: readonly CycleViolations[]
  /** Faults of analytic configurations, such as computed metrics that depend on one another. */
  readonly problems: readonly string[]
  /** Of the batch's elements; 0 if it was committed before. */
  readonly metrics: number
  /** Of the cycle. */
  readonly samples: number
}

/**
 * The batches of the embedded store: its elements, ascending, those of `size` consecutive numbers a
 * batch. Each has the decimal index of the first of these numbers as its name. Markers on disk
 * contain these names, so a closing that was interrupted before an update continues after it.
 * Created one at a time, because a million elements have 62,500 of them.
 */
export function* elementBatches(elements: Int32Array, size: number): Generator<ElementBatch> {
  assert(size >= 1, `Expected at least one element a batch: ${size}`)
  for (let from = 0, to = 0; from < elements.length; from = to) {
    const first = elements[from]! - (elements[from]! % size)
    while (to < elements.length && elements[to]! < first + size) to++
    yield { name: String(first), elements: elements.slice(from, to) }
  }
}
