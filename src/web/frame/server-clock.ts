/**
 * The server's clock as the browser knows it: offset and speed from what the server says. Ranges
 * are relative to it, because the browser's clock may be wrong and the server's simulated.
 */

import { signal } from "@preact/signals"

interface Reading {
  readonly serverMs: number
  /** Of the browser's clock that only runs forward. */
  readonly elapsedMs: number
  /** Server milliseconds for each real one. */
  readonly speed: number
}

export class ServerClock {
  private readonly elapsedMs: () => number
  private readonly reading = signal<Reading | null>(null)

  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs
  }

  /** Takes over what an answer says of the server's time. */
  set(serverMs: number, speed = 1): void {
    this.reading.value = { serverMs, speed, elapsedMs: this.elapsedMs() }
  }

  get isKnown(): boolean {
    return this.reading.value !== null
  }

  /** Epoch milliseconds of the server; throws before the first reading. */
  nowMs(): number {
    return this.timeAt(this.elapsedMs())
  }

  /** As `nowMs`, when the browser's clock said `atMs`. */
  timeAt(atMs: number): number {
    const reading = this.reading.value
    if (reading === null) throw new Error("Expected a reading of the server's clock")
    const { serverMs, elapsedMs, speed } = reading
    return serverMs + (atMs - elapsedMs) * speed
  }
}
