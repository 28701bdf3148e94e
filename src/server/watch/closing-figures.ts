/** Figures of the closing of one cycle, for its line in the log. */

import type { BatchResponse } from "../../cycle/cycle-protocol.ts"
import type { DocumentChange } from "../../model/document.ts"

export class ClosingFigures {
  private readonly startedMs: number
  private metrics = 0
  private samples = 0
  private gapFills = 0
  private computed = 0
  private events = 0

  /** Monotonic milliseconds. */
  constructor(startedMs: number) {
    this.startedMs = startedMs
  }

  /** Adds a batch that was evaluated. */
  addBatch({ metrics, samples, changes }: BatchResponse): void {
    this.metrics += metrics
    this.samples += samples
    this.gapFills += changes?.gapFills.series.length ?? 0
    this.computed += changes?.computed.elements.length ?? 0
  }

  /** Adds what was committed with a batch. */
  addDocuments(documents: readonly DocumentChange[]): void {
    const isEvent = ({ kind, document }: DocumentChange) =>
      document !== null && kind.startsWith("event:")
    this.events += documents.filter(isEvent).length
  }

  durationMs(nowMs: number): number {
    return nowMs - this.startedMs
  }

  /** The fields of the line; batches that were committed before a crash are not in them. */
  fields(): Readonly<Record<string, number>> {
    const { metrics, samples, gapFills, computed, events } = this
    return { metrics, samples, gapFills, computed, events }
  }
}
