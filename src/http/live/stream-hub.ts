/**
 * Stream hub: reports what happens in an account to the pages that show it (spec/status §2).
 *
 *   incident pipeline, events, checks, cycles ─► report ─┬─► ring of the account
 *   once a second: ingest, readiness          ─► figures ─┼─► its streams
 *   every 2 s: points of followed series (series-followers.ts) ─┘
 *
 * Nothing is kept or serialized for an account that no page has watched lately. Ingest is never
 * waited for and does no more work: its figures are read once a second.
 */

import { assert } from "../../base/assert.ts"
import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import {
  streamBurstMax,
  streamFiguresMs,
  streamRingIdleMs,
  streamSeriesMs,
  streamsMax,
  streamsPerUserMax,
  streamTimeMs,
  streamUnreadBytesMax,
} from "../../base/limits/streams.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { SeriesName } from "../../wire/series/series-query-body.ts"
import type { EventSink } from "./event-sink.ts"
import { SeriesFollowers, type SeriesFollowersDeps } from "./series-followers.ts"
import { StreamRing } from "./stream-ring.ts"

/** Sent one by one and kept: a page that missed one is behind. */
const keptTopics = ["cycle", "incident", "event", "check", "status"] as const
/** Figures as of now, of which only the newest count. */
const figureTopics = ["ingest", "series"] as const
export const streamTopics = [...keptTopics, ...figureTopics] as const
export type KeptTopic = (typeof keptTopics)[number]
export type StreamTopic = (typeof streamTopics)[number]

/** Who reads a stream. */
export interface StreamReader {
  readonly tenant: TenantIndex
  readonly user: string
  /** True until the login session has ended, or the user may not sign in as before. */
  readonly mayRead: () => boolean
}

export interface StreamRequest {
  readonly topics: readonly StreamTopic[]
  /** Those of the topic `series`; empty without it. */
  readonly series: readonly SeriesName[]
  /** The id of the last message that the client has seen; null for a new stream. */
  readonly lastId: number | null
}

export interface StreamHubDeps {
  readonly clock: Clock
  /** Seconds of the clock in a second. */
  readonly speed: number
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  /** Real time since the epoch: ids of a later start are larger. */
  readonly startedMs: number
  readonly repeat: (callback: () => void, everyMs: number) => () => void
  /** The figures of an account that have changed since the last call; null if none has. */
  readonly ingest: (tenant: TenantIndex) => Promise<object> | null
  readonly series: SeriesFollowersDeps
  /** Sentences that say why the server is not ready; empty if it is. */
  readonly problems: () => readonly string[]
}

interface OpenStream extends StreamReader {
  readonly topics: ReadonlySet<StreamTopic>
  readonly sink: EventSink
  /** Ends what follows its series. */
  endSeries: () => void
}

interface Account {
  readonly ring: StreamRing<KeptTopic>
  readonly streams: Set<OpenStream>
  /** When its last stream ended, in monotonic milliseconds. */
  idleSinceMs: number
}

export class StreamHub {
  private readonly deps: StreamHubDeps
  private readonly accounts = new Map<TenantIndex, Account>()
  private readonly followers: SeriesFollowers
  private newestId: number
  private count = 0
  private ticks = 0
  private endTicks: (() => void) | null = null
  private isStopped = false
  private problemCount = 0

  constructor(deps: StreamHubDeps) {
    this.deps = deps
    this.followers = new SeriesFollowers(deps.series)
    this.newestId = deps.startedMs
  }

  /** Number of open streams. */
  get size(): number {
    return this.count
  }

  /** Accounts with streams, or with streams lately: what they miss meanwhile is kept for them. */
  get followed(): TenantIndex[] {
    const all = [...this.accounts]
    return all.flatMap(([tenant, account]) => (this.isForgotten(account) ? [] : [tenant]))
  }

  /** Throws `throttled`, `overloaded` or `stopping` if there is no room for another stream. */
  admit(
    { tenant, user }: Pick<StreamReader, "tenant" | "user">,
    { series }: Pick<StreamRequest, "series">,
  ): void {
    if (this.isStopped) throw new ServiceError("stopping", "The server is shutting down")
    const streams = [...(this.accounts.get(tenant)?.streams ?? [])]
    const retry = { retryAfterSeconds: 30 }
    if (streams.filter((one) => one.user === user).length >= streamsPerUserMax) {
      const problem = `Expected at most ${streamsPerUserMax} streams of one user`
      throw new ServiceError("throttled", problem, retry)
    }
    if (this.count >= streamsMax) {
      throw new ServiceError("overloaded", `Expected at most ${streamsMax} streams`, retry)
    }
    this.followers.admit(tenant, series.length)
  }

  /** Begins a stream: first what it missed, or `reset` if that is gone; then all that happens. */
  open(sink: EventSink, reader: StreamReader, request: StreamRequest): void {
    this.admit(reader, request)
    const { topics, series, lastId } = request
    const account = this.accountOf(reader.tenant)
    const stream: OpenStream = { ...reader, topics: new Set(topics), sink, endSeries: () => {} }
    sink.write("retry: 1000\n\n")
    if (lastId !== null) this.resume(stream, account, lastId)
    sink.write(this.timeText())
    account.streams.add(stream)
    this.follow(account, stream, series)
    this.count++
    this.endTicks ??= this.deps.repeat(() => this.tick(), streamFiguresMs)
    // Last: the connection may be closed already.
    sink.onClose(() => this.closed(account, stream))
  }

  /** Tells an account's streams what has happened; a burst as one `reset`. */
  report(tenant: TenantIndex, topic: KeptTopic, messages: readonly object[]): void {
    const account = this.accounts.get(tenant)
    if (account === undefined || messages.length === 0) return
    if (this.isForgotten(account)) return void this.accounts.delete(tenant)
    const isBurst = messages.length > streamBurstMax
    const texts = isBurst
      ? [["reset", { topic, messages: messages.length }] as const]
      : messages.map((message) => [topic, message] as const)
    for (const [event, message] of texts) {
      const id = ++this.newestId
      const text = `id: ${id}\n${textOf(event, message)}`
      account.ring.add({ id, topic, text })
      this.send(account, topic, text)
    }
  }

  /** Ends the streams whose readers may not read any more. */
  recheck(): void {
    this.endAll("signedOut", ({ mayRead }) => !mayRead())
  }

  /** Says `bye` and ends all streams; no other one begins. */
  stop(): void {
    this.isStopped = true
    this.endAll("stopping", () => true)
  }

  private endAll(reason: string, isEnded: (stream: OpenStream) => boolean): void {
    for (const account of this.accounts.values()) {
      for (const stream of [...account.streams].filter(isEnded)) {
        stream.sink.write(textOf("bye", { reason }))
        stream.sink.end()
        this.closed(account, stream)
      }
    }
  }

  private resume(stream: OpenStream, { ring }: Account, lastId: number): void {
    const missed = lastId > this.newestId ? null : ring.after(lastId)
    if (missed === null) return stream.sink.write(textOf("reset", { topic: null, messages: 0 }))
    for (const { topic, text } of missed) if (stream.topics.has(topic)) stream.sink.write(text)
  }

  private follow(account: Account, stream: OpenStream, series: readonly SeriesName[]): void {
    if (series.length === 0) return
    stream.endSeries = this.followers.follow(stream.tenant, series, (message) => {
      this.sendTo(account, stream, textOf("series", message))
    })
  }

  private tick(): void {
    this.ticks++
    this.tellReadiness()
    for (const [tenant, account] of this.accounts) {
      const isWatched = [...account.streams].some(({ topics }) => topics.has("ingest"))
      const figures = isWatched ? this.deps.ingest(tenant) : null
      void figures?.then((told) => this.send(account, "ingest", textOf("ingest", told)))
    }
    if (this.ticks % (streamSeriesMs / streamFiguresMs) === 0) void this.followers.tellAll()
    if (this.ticks % (streamTimeMs / streamFiguresMs) !== 0) return
    this.recheck()
    const text = this.timeText()
    for (const account of this.accounts.values()) this.send(account, null, text)
  }

  private tellReadiness(): void {
    const problems = this.deps.problems().length
    if (problems === this.problemCount) return
    this.problemCount = problems
    const message = { ready: problems === 0, problems }
    for (const tenant of this.accounts.keys()) this.report(tenant, "status", [message])
  }

  /** With the newest id, so that a stream without messages can go on, too. */
  private timeText(): string {
    const { clock, speed } = this.deps
    return `id: ${this.newestId}\n${textOf("time", { serverTime: clock.nowMs(), speed })}`
  }

  /** Null: to all streams of the account. */
  private send(account: Account, topic: StreamTopic | null, text: string): void {
    for (const stream of account.streams) {
      if (topic === null || stream.topics.has(topic)) this.sendTo(account, stream, text)
    }
  }

  private sendTo(account: Account, stream: OpenStream, text: string): void {
    const { sink } = stream
    sink.write(text)
    if (sink.unreadBytes <= streamUnreadBytesMax) return
    sink.cut()
    this.closed(account, stream)
  }

  private accountOf(tenant: TenantIndex): Account {
    const known = this.accounts.get(tenant)
    if (known !== undefined && !this.isForgotten(known)) return known
    const ring = new StreamRing<KeptTopic>(this.newestId)
    const made: Account = { ring, streams: new Set(), idleSinceMs: this.deps.elapsedMs() }
    this.accounts.set(tenant, made)
    return made
  }

  private isForgotten({ streams, idleSinceMs }: Account): boolean {
    return streams.size === 0 && this.deps.elapsedMs() - idleSinceMs > streamRingIdleMs
  }

  private closed(account: Account, stream: OpenStream): void {
    if (!account.streams.delete(stream)) return
    stream.endSeries()
    account.idleSinceMs = this.deps.elapsedMs()
    this.count--
    assert(this.count >= 0, "Expected each stream to be closed once")
    if (this.count > 0) return
    this.endTicks?.()
    this.endTicks = null
  }
}

/** JSON has no line breaks, so one `data` line holds it. */
function textOf(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
