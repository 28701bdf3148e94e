/** Which code ran, as V8 counts it: block by block, of this thread. */

import { Session } from "node:inspector"
import type { Profiler } from "node:inspector"

export class Coverage {
  private readonly session = new Session()
  private readonly blocks = new Set<string>()

  constructor() {
    this.session.connect()
    this.session.post("Profiler.enable")
    this.session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
    this.note()
  }

  /** Blocks that are known to have run. */
  get size(): number {
    return this.blocks.size
  }

  /** Notes what ran since the last look. */
  note(): void {
    for (const block of this.look()) this.blocks.add(block)
  }

  /** True if something ran since the last look that never did; notes nothing. */
  isNew(): boolean {
    return [...this.look()].some((block) => !this.blocks.has(block))
  }

  end(): void {
    this.session.disconnect()
  }

  private *look(): Generator<string> {
    for (const { url, scriptId, functions } of this.taken()) {
      if (!url.includes("/src/")) continue
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        if (count > 0) yield `${scriptId}:${startOffset}:${endOffset}`
      }
    }
  }

  private taken(): readonly Profiler.ScriptCoverage[] {
    let result: readonly Profiler.ScriptCoverage[] = []
    // A session of the own thread answers before `post` returns.
    this.session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error === null) result = answer.result
    })
    return result
  }
}
