/** Timers of a browser that only the test advances, and whether its tab is seen. */

import type { LiveTimers } from "../../../src/web/frame/live/live-timers.ts"

interface Timer {
  readonly dueMs: number
  readonly callback: () => void
}

export class BrowserClock implements LiveTimers {
  private nowMs = 0
  private readonly timers = new Set<Timer>()
  private readonly listeners = new Set<(isVisible: boolean) => void>()

  readonly elapsedMs = (): number => this.nowMs

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { dueMs: this.nowMs + ms, callback }
    this.timers.add(timer)
    return () => this.timers.delete(timer)
  }

  readonly onVisibility = (callback: (isVisible: boolean) => void): (() => void) => {
    this.listeners.add(callback)
    return () => this.listeners.delete(callback)
  }

  /** Each timer fires when it is due. */
  pass(ms: number): void {
    const endMs = this.nowMs + ms
    for (let next = this.nextDue(endMs); next !== undefined; next = this.nextDue(endMs)) {
      this.nowMs = Math.max(this.nowMs, next.dueMs)
      this.fire(next)
    }
    this.nowMs = endMs
  }

  /** The machine sleeps: what was due meanwhile fires at the end. */
  sleep(ms: number): void {
    this.nowMs += ms
    const due = [...this.timers].filter(({ dueMs }) => dueMs <= this.nowMs)
    for (const timer of due) if (this.timers.has(timer)) this.fire(timer)
  }

  show(isVisible: boolean): void {
    for (const listener of this.listeners) listener(isVisible)
  }

  private nextDue(endMs: number): Timer | undefined {
    const due = [...this.timers].filter(({ dueMs }) => dueMs <= endMs)
    return due.sort((one, other) => one.dueMs - other.dueMs)[0]
  }

  private fire(timer: Timer): void {
    this.timers.delete(timer)
    timer.callback()
  }
}
