/**
 * The stream of the tab: one connection while it is visible and a user is signed in.
 *
 *   closed ─► connecting ─► connected ─► lost ─► (1, 2, 4 … 30 s) ─► connecting
 *                                         └─ stale after 5 s: the page says since when
 *
 * A tab that is hidden keeps it for 30 s, since browsers allow six connections to a host. After a
 * pause the stream goes on where it ended, or says `reset`, and then everything is loaded again.
 */

import { signal, type ReadonlySignal } from "@preact/signals"
import * as v from "valibot"
import { ApiError, type ApiClient } from "../../api/client.ts"
import { EventParser, type StreamMessage } from "../../api/event-parser.ts"
import type { ServerClock } from "../server-clock.ts"
import type { LiveTimers } from "./live-timers.ts"

export type LiveTopic = "cycle" | "incident" | "event" | "check" | "ingest" | "status" | "series"

export type LiveState =
  | { readonly kind: "closed" | "connecting" | "connected" }
  /** `sinceMs` by the server's clock; `isStale` from 5 s on. */
  | { readonly kind: "lost"; readonly sinceMs: number; readonly isStale: boolean }

type Listener = (message: StreamMessage) => void

const hiddenMs = 30_000
const staleMs = 5_000
const retryMsMin = 1_000
const retryMsMax = 30_000
/** Without four times of the server a connection is dead; a server that was frozen goes on with it. */
const silentMs = 20_000

/** More series make an address longer than the 8 KiB that proxies take. */
const followedMax = 90
/** Parts of a page that are drawn together change what they follow together. */
const followMs = 20

/** The id of no message: after it come all that the server has kept, or `reset`. */
const beforeAll = "0"

const timeData = v.object({ serverTime: v.number(), speed: v.number() })

export interface LiveStreamDeps {
  readonly api: Pick<ApiClient, "pieces">
  readonly clock: Pick<ServerClock, "set" | "nowMs">
  readonly timers: LiveTimers
}

export class LiveStream {
  private readonly deps: LiveStreamDeps
  private readonly current = signal<LiveState>({ kind: "closed" })
  private readonly connections = signal(0)
  private readonly listeners = new Set<Listener>()
  /** Null before the first connection. */
  private lastId: string | null = null
  private retryMs = retryMsMin
  private connection: AbortController | null = null
  private isWanted = false
  private endWait = (): void => {}
  private endSilence = (): void => {}
  private endHidden = (): void => {}
  private endStale = (): void => {}
  private endFollow = (): void => {}
  private readonly followed = new Set<readonly string[]>()
  /** Of the connection, as the address has them. */
  private series = ""

  constructor(deps: LiveStreamDeps) {
    this.deps = deps
  }

  get state(): ReadonlySignal<LiveState> {
    return this.current
  }

  /** How many times it was connected, first or again. */
  get connectionCount(): ReadonlySignal<number> {
    return this.connections
  }

  /** Calls back with each message until the returned function is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Asks for the raw points of series, `elementId.metricId` each, as messages `series`, until the
   * returned function is called. Of very many the first 90 are followed.
   */
  follow(names: readonly string[]): () => void {
    this.followed.add(names)
    this.connectAgain()
    return () => {
      this.followed.delete(names)
      this.connectAgain()
    }
  }

  /** The followed series are part of the address of the stream, which goes on where it ended. */
  private connectAgain(): void {
    this.endFollow()
    this.endFollow = this.deps.timers.after(followMs, () => {
      if (this.seriesText() === this.series || !this.isWanted) return
      // A connection that was lost is made again with the new address by itself.
      if (this.current.peek().kind === "lost") return
      const former = this.connection
      void this.connect()
      former?.abort()
    })
  }

  private seriesText(): string {
    const all = new Set([...this.followed].flat())
    return [...all].slice(0, followedMax).join(",")
  }

  /** Keeps the stream open while the tab is visible, until the returned function is called. */
  run(): () => void {
    this.open()
    const endVisibility = this.deps.timers.onVisibility((isVisible) => {
      this.endHidden()
      if (isVisible) this.open()
      else this.endHidden = this.deps.timers.after(hiddenMs, () => this.close())
    })
    return () => {
      endVisibility()
      this.endHidden()
      this.close()
    }
  }

  private open(): void {
    if (this.isWanted) return
    this.isWanted = true
    void this.connect()
  }

  private close(): void {
    this.isWanted = false
    this.endWait()
    this.endSilence()
    this.endStale()
    this.connection?.abort()
    this.connection = null
    this.current.value = { kind: "closed" }
  }

  private async connect(): Promise<void> {
    const connection = new AbortController()
    this.connection = connection
    if (this.current.peek().kind === "closed") this.current.value = { kind: "connecting" }
    this.expectMessage()
    const parser = new EventParser()
    const topics = "cycle,incident,event,check,ingest,status"
    this.series = this.seriesText()
    const query =
      this.series === "" ? { topics } : { topics: `${topics},series`, series: this.series }
    const call = { path: ["stream"], query, schema: null, signal: connection.signal }
    try {
      await this.deps.api.pieces(call, this.lastId, (piece) => {
        for (const message of parser.push(piece)) this.take(message)
      })
    } catch (error) {
      // After a 401 a dialog asks to sign in; until then retries would only be refused.
      if (error instanceof ApiError && error.status === 401) this.retryMs = retryMsMax
    } finally {
      this.lose(connection)
    }
  }

  private take(message: StreamMessage): void {
    this.lastId = message.id ?? this.lastId ?? beforeAll
    this.retryMs = retryMsMin
    this.endStale()
    if (this.current.peek().kind !== "connected") {
      this.current.value = { kind: "connected" }
      this.connections.value++
    }
    this.expectMessage()
    if (message.event === "time") {
      const time = v.safeParse(timeData, message.data)
      if (time.success) this.deps.clock.set(time.output.serverTime, time.output.speed)
    }
    for (const listener of this.listeners) listener(message)
  }

  private expectMessage(): void {
    this.endSilence()
    this.endSilence = this.deps.timers.after(silentMs, () => this.connection?.abort())
  }

  private lose(connection: AbortController): void {
    if (connection !== this.connection || !this.isWanted) return
    this.endSilence()
    if (this.current.peek().kind !== "lost") {
      const sinceMs = this.deps.clock.nowMs()
      this.current.value = { kind: "lost", sinceMs, isStale: false }
      this.endStale = this.deps.timers.after(staleMs, () => {
        if (this.current.peek().kind !== "lost") return
        this.current.value = { kind: "lost", sinceMs, isStale: true }
      })
    }
    this.endWait = this.deps.timers.after(this.retryMs, () => void this.connect())
    this.retryMs = Math.min(2 * this.retryMs, retryMsMax)
  }
}
