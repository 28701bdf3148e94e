/**
 * The progress of a command on standard error: on a terminal one line that is replaced five times a
 * second, in a pipe a plain line every ten seconds, so that short work leaves no line in a log.
 */

import type { OnProgress, WorkProgress } from "../../base/work-progress.ts"
import { ProgressLine } from "./progress-line.ts"
import { bytesText, wholeText } from "./table-text.ts"

interface ProgressDeps {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly elapsedMs: () => number
}

const terminalEveryMs = 200
const pipeEveryMs = 10_000
/** Earlier, the rate of a new piece of work means nothing. */
const rateFromMs = 1000

export class Progress {
  private readonly deps: ProgressDeps
  private readonly line: ProgressLine
  private what = ""
  private whatFromMs = 0
  private shownMs: number

  constructor(deps: ProgressDeps) {
    this.deps = deps
    this.line = new ProgressLine(deps.write, deps.isTerminal)
    this.shownMs = deps.elapsedMs()
  }

  /** Shows the progress, at most every 200 ms or 10 s. */
  readonly step: OnProgress = (step) => {
    const nowMs = this.deps.elapsedMs()
    if (step.what !== this.what) {
      this.what = step.what
      this.whatFromMs = nowMs
    }
    const everyMs = this.deps.isTerminal ? terminalEveryMs : pipeEveryMs
    if (nowMs - this.shownMs < everyMs) return
    this.shownMs = nowMs
    this.line.show(stepText(step, nowMs - this.whatFromMs))
  }

  /** Called before other output. */
  clear(): void {
    this.line.clear()
  }
}

/** "checking pages: 35 %, 1.2 of 3.4 GiB, 210 MiB/s, 0:12 left"; `forMs`: its duration so far. */
export function stepText({ what, done, total, unit }: WorkProgress, forMs: number): string {
  const amount = (value: number) =>
    unit === "B" ? bytesText(value) : `${wholeText(Math.round(value))} ${unit}`
  const parts: string[] = []
  if (total !== null && total > 0) {
    parts.push(`${Math.floor((Math.min(done, total) / total) * 100)} %`)
    parts.push(`${amount(done)} of ${amount(total)}`)
  } else parts.push(amount(done))
  const perMs = done / forMs
  if (forMs >= rateFromMs && done > 0) {
    parts.push(`${amount(perMs * 1000)}/s`)
    if (total !== null && total > done) parts.push(`${timeText((total - done) / perMs)} left`)
  }
  return `${what}: ${parts.join(", ")}`
}

/** Minutes and seconds; with hours from one hour on. */
function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0")
  const minutes = `${Math.floor((seconds % 3600) / 60)}:${two(seconds % 60)}`
  if (seconds < 3600) return minutes
  return `${Math.floor(seconds / 3600)}:${minutes.padStart(5, "0")}`
}
