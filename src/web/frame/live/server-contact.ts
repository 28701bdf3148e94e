/**
 * Whether the server answers. A sign of it is a message of the stream or an answer to any call: a
 * long call is no silence while messages come.
 *
 *   the stream is connected, or a call waits ─► 6 s without a sign ─► silent since the last one,
 *   until the next
 *
 * A stream that is lost, and not there again within 5 s, is silence without a wait.
 */

import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals"
import type { ApiClient } from "../../api/client.ts"
import type { ServerClock } from "../server-clock.ts"
import type { LiveStream } from "./live-stream.ts"
import type { LiveTimers } from "./live-timers.ts"

/** The server sends its time every 5 s; a second more is for the way, and for a busy machine. */
export const signMsMax = 6_000
/** A call that takes longer is one to say something about. */
export const waitMsMin = 5_000
/** A timer that fires later than this was held up by the browser, and with it the answers. */
const lateMs = 1_000

interface ServerContactDeps {
  readonly api: Pick<ApiClient, "waitingCount" | "answerCount">
  readonly live: Pick<LiveStream, "state" | "connectionCount" | "listen">
  readonly clock: Pick<ServerClock, "timeAt">
  readonly timers: LiveTimers
}

export class ServerContact {
  private readonly deps: ServerContactDeps
  private readonly silence = signal<number | null>(null)
  /** Of the last sign, by the browser's clock. */
  private signAtMs: number
  private lostAtMs = 0
  private isExpected = false
  private endWait = (): void => {}

  constructor(deps: ServerContactDeps) {
    this.deps = deps
    this.signAtMs = deps.timers.elapsedMs()
  }

  /** The time of the last sign by the server's clock if it is silent, else null. */
  get silentSince(): ReadonlySignal<number | null> {
    return this.silence
  }

  /** Watches for as long as the document lives. */
  watch(): void {
    const { api, live, timers } = this.deps
    live.listen(() => this.takeSign())
    effect(() => {
      if (api.answerCount.value > 0) untracked(() => this.takeSign())
    })
    effect(() => {
      const state = live.state.value
      const isExpected = state.kind === "connected" || api.waitingCount.value > 0
      untracked(() => this.expect(isExpected))
    })
    effect(() => {
      const state = live.state.value
      if (state.kind === "lost") untracked(() => this.takeLoss(state.isStale))
    })
    timers.onVisibility((isVisible) => {
      if (isVisible && this.isExpected) this.waitAgain()
    })
  }

  /** Calls back with the begin of a wait from now on if it takes long; returns what ends it. */
  watchWait(onLong: (since: number) => void): () => void {
    const { clock, timers } = this.deps
    const beganAtMs = timers.elapsedMs()
    return timers.after(waitMsMin, () => onLong(clock.timeAt(beganAtMs)))
  }

  private takeSign(): void {
    this.signAtMs = this.deps.timers.elapsedMs()
    this.silence.value = null
    if (this.isExpected) this.waitAgain()
  }

  /** An answer after the loss is a sign, though the stream is not there again. */
  private takeLoss(isStale: boolean): void {
    if (!isStale) this.lostAtMs = this.deps.timers.elapsedMs()
    // A stream that never came is held back on its way.
    else if (this.deps.live.connectionCount.peek() > 0 && this.signAtMs <= this.lostAtMs) {
      this.fallSilent()
    }
  }

  private expect(isExpected: boolean): void {
    if (isExpected === this.isExpected) return
    this.isExpected = isExpected
    if (isExpected) this.waitAgain()
    else this.endWait()
  }

  private waitAgain(): void {
    const { timers } = this.deps
    this.endWait()
    const dueMs = timers.elapsedMs() + signMsMax
    this.endWait = timers.after(signMsMax, () => {
      if (timers.elapsedMs() - dueMs > lateMs) this.waitAgain()
      else this.fallSilent()
    })
  }

  private fallSilent(): void {
    this.silence.value ??= this.deps.clock.timeAt(this.signAtMs)
  }
}
