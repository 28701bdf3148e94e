/**
 * Missed time: in which the server could not have seen that a check was posted. It is known within
 * a process by its watched time, and across processes by a document.
 *
 *   "watchedChecks" / "until"   { untilMs }
 */

import type { Clock } from "../../base/clock.ts"
import { largestOf } from "../../base/iterables.ts"
import type { WatchedTime } from "../../base/time/watched-time.ts"
import type { DocumentStore } from "../../model/document.ts"
import type { TenantChecks } from "./check-table.ts"

interface MissedTimeDeps {
  readonly documents: Pick<DocumentStore, "get" | "put">
  readonly clock: Clock
  readonly watchedTime: Pick<WatchedTime, "beganMs" | "missedMs">
}

/** Milliseconds that were missed after an instant. */
export interface Missed {
  readonly untilMs: number
  readonly missedMs: number
}

const kind = "watchedChecks"
const id = "until"
/** It is stored this often: so much more than it missed a check gets after a crash. */
const storedMs = 30_000

interface WatchedUntil {
  readonly untilMs: number
}

export class MissedTime {
  private readonly deps: MissedTimeDeps
  /** Until when an earlier process watched; undefined if none did. */
  private former: Promise<WatchedUntil | undefined> | null = null
  private lastStoredMs = -Infinity

  constructor(deps: MissedTimeDeps) {
    this.deps = deps
  }

  /** The time missed since the checks were polled last; notes that they are polled now. */
  async since(known: TenantChecks): Promise<Missed> {
    const { clock, watchedTime } = this.deps
    const { polled } = known
    const missed =
      polled === null
        ? await this.beforeStart(known)
        : { untilMs: polled.nowMs, missedMs: watchedTime.missedMs() - polled.missedMs }
    known.polled = { nowMs: clock.nowMs(), missedMs: watchedTime.missedMs() }
    return missed
  }

  /** Stores that checks are watched: at first, and now and then while there are any. */
  async note({ checks }: TenantChecks): Promise<void> {
    const agoMs = Math.abs(this.deps.clock.nowMs() - this.lastStoredMs)
    if (agoMs === Infinity || (agoMs >= storedMs && checks.size > 0)) await this.store()
  }

  /** Stores it as of now, if checks were polled. */
  async end(): Promise<void> {
    if (this.lastStoredMs > -Infinity) await this.store()
  }

  private async beforeStart({ checks }: TenantChecks): Promise<Missed> {
    const { documents, watchedTime } = this.deps
    const beganMs = watchedTime.beganMs()
    this.former ??= documents.get(kind, id) as Promise<WatchedUntil | undefined>
    this.former.catch(() => (this.former = null))
    const former = await this.former
    if (former === undefined) return { untilMs: beganMs, missedMs: 0 }
    // A post is a sign that the server watched.
    const posts = Array.from(checks.values(), ({ check }) => check.postedMs)
    const untilMs = largestOf([former.untilMs, ...posts.filter((ms) => ms < beganMs)])
    return { untilMs, missedMs: beganMs - untilMs }
  }

  private async store(): Promise<void> {
    const document: WatchedUntil = { untilMs: this.deps.clock.nowMs() }
    await this.deps.documents.put(kind, id, document)
    this.lastStoredMs = document.untilMs
  }
}
