/**
 * Audit: the security log. Facts that are alike within a minute are one entry, and one line of the
 * log each; entries are stored a batch at a time, so that a flood of refusals costs one commit a
 * minute. Changes and commands have a place of their own, from which no flood drives them out.
 *
 *   fact ─► entry of this minute ─► [a second, or a minute] ─► "auditChange:<tenant>" / time and id
 *                                                         └──► "auditAccess:<tenant>" / time and id
 */

import type { Clock } from "../../base/clock.ts"
import {
  auditEntriesMax,
  auditFlushMs,
  auditDistinctPerMinuteMax,
  auditRetentionMs,
  auditWaitingMax,
  signInAuditIntervalMs,
  signInAuditIdleMs,
} from "../../base/limits.ts"
import type { Logger } from "../../base/log.ts"
import type { Random } from "../../base/random.ts"
import type { AuditEntry, AuditEvent, AuditKind } from "../../model/records/audit.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../../model/records/time-key.ts"

export interface AuditOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, "info" | "warn">
  /** Calls back after a while; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
}

export interface AuditQuery {
  /** Times in `[startMs, endMs)`. */
  readonly startMs: number
  readonly endMs: number
  /** Null asks for all. */
  readonly kinds: readonly AuditKind[] | null
  readonly limit: number
  /** The `next` of the page before; null for the first. */
  readonly after: string | null
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Where the next page begins; null after the last one. */
  readonly next: string | null
}

type PendingEntry = { -readonly [Field in keyof AuditEntry]: AuditEntry[Field] } & {
  readonly tenant: number
}

/** How long a change waits for others of the same transaction. */
const changeFlushMs = 1_000
/** Read in one turn of the shard's thread. */
const pageMax = 1_000
/** Pages that one question looks through for the kinds that it asks for. */
const pagesPerQueryMax = 20
/** Pairs of user and address whose last entry is remembered. */
const recentSignInsMax = 10_000

const changeKinds: ReadonlySet<AuditKind> = new Set(["change", "command"])

export class Audit {
  private readonly options: AuditOptions
  private readonly pending = new Map<string, PendingEntry>()
  /** When each user was last noted at an address, and last seen there. */
  private readonly recentSignIns = new Map<string, { notedMs: number; seenMs: number }>()
  private readonly counts = new Map<AuditKind, number>()
  private cancelTimer: (() => void) | null = null
  private dueMs = Infinity
  private flushing: Promise<void> = Promise.resolve()

  constructor(options: AuditOptions) {
    this.options = options
  }

  /** Facts since the start, by kind. */
  get figures(): ReadonlyMap<AuditKind, number> {
    return this.counts
  }

  /** Notes a fact; costs no disk and throws nothing. */
  record(fact: AuditEvent): void {
    const nowMs = this.options.clock.nowMs()
    this.counts.set(fact.kind, (this.counts.get(fact.kind) ?? 0) + 1)
    if (fact.kind === "loginSucceeded" && this.isRecentSignIn(fact, nowMs)) return
    const isChange = changeKinds.has(fact.kind)
    const entry = this.pending.get(keyOf(fact)) ?? this.createEntry(fact, nowMs)
    entry.count++
    entry.lastMs = nowMs
    this.scheduleFlush(isChange ? changeFlushMs : auditFlushMs)
  }

  /** Stores what waits; rejects if the store refuses, and then it is lost. */
  flush(): Promise<void> {
    this.cancelTimer?.()
    this.cancelTimer = null
    this.dueMs = Infinity
    const entries = [...this.pending.values()]
    this.pending.clear()
    for (const entry of entries) if (entry.count > 1) this.log(entry, "info")
    const changes = entries.map(putEntry)
    if (changes.length > 0) {
      this.flushing = this.flushing
        .catch(() => {})
        .then(() => this.options.documents.putAll(changes))
    }
    return this.flushing
  }

  /** A page of a tenant's entries, oldest first, with what happened up to now. */
  async page(tenant: number, query: AuditQuery): Promise<AuditPage> {
    await this.flush()
    const { startMs, endMs, kinds, limit, after } = query
    const to = timeKeyPrefix(endMs)
    let from = after === null ? timeKeyPrefix(startMs) : keyAfter(after)
    const entries: AuditEntry[] = []
    for (let page = 0; page < pagesPerQueryMax; page++) {
      const read = await this.read(tenant, { from, to })
      for (const [index, entry] of read.entries) {
        if (kinds !== null && !kinds.includes(entry.kind)) continue
        entries.push(entry)
        if (entries.length === limit) return { entries, next: index }
      }
      if (read.last === null) return { entries, next: null }
      from = keyAfter(read.last)
      if (page === pagesPerQueryMax - 1) return { entries, next: read.last }
    }
    return { entries, next: null }
  }

  /** Removes what is older than it is kept, and the oldest beyond what a tenant may have. */
  async removeExpired(tenant: number): Promise<void> {
    const oldestMs = this.options.clock.nowMs() - auditRetentionMs
    for (const name of [changeName, accessName]) {
      const kind = timeIndexedKind(name, tenant)
      await this.removeUpTo(kind, timeKeyPrefix(Math.max(0, oldestMs)))
      const ids = await this.idsOf(kind)
      const surplus = ids.length - auditEntriesMax
      if (surplus > 0) await this.removeUpTo(kind, ids[surplus]!)
    }
  }

  /** Stores what waits and ends. */
  async stop(): Promise<void> {
    await this.flush()
  }

  private createEntry(fact: AuditEvent, nowMs: number): PendingEntry {
    const isChange = changeKinds.has(fact.kind)
    const isFull = this.pending.size >= (isChange ? auditWaitingMax : auditDistinctPerMinuteMax)
    const kept = isFull ? overflowOf(fact) : fact
    const key = keyOf(kept)
    let entry = this.pending.get(key)
    if (entry === undefined) {
      const id = `${timeKeyPrefix(nowMs)}:${this.options.random.uuid()}`
      entry = { ...kept, id, timeMs: nowMs, lastMs: nowMs, count: 0 }
      this.pending.set(key, entry)
      this.log({ ...entry, count: 1 }, isChange ? "info" : "warn")
    }
    return entry
  }

  /** Basic credentials come with each request: an hour's silence, or a day, makes a new entry. */
  private isRecentSignIn({ user, address }: AuditEvent, nowMs: number): boolean {
    const pair = `${address} ${user}`
    const known = this.recentSignIns.get(pair)
    const isNew =
      known === undefined ||
      nowMs - known.seenMs >= signInAuditIdleMs ||
      nowMs - known.notedMs >= signInAuditIntervalMs
    this.recentSignIns.delete(pair)
    this.recentSignIns.set(pair, { notedMs: isNew ? nowMs : known.notedMs, seenMs: nowMs })
    if (this.recentSignIns.size > recentSignInsMax) {
      this.recentSignIns.delete(this.recentSignIns.keys().next().value!)
    }
    return !isNew
  }

  private log(entry: PendingEntry, level: "info" | "warn"): void {
    const { kind, user, address, tenant, detail, count } = entry
    const { log } = this.options
    const isRoutine = kind === "loginSucceeded" || changeKinds.has(kind)
    log[isRoutine ? "info" : level]({ kind, user, address, tenant, detail, count }, "security")
  }

  private scheduleFlush(ms: number): void {
    const { clock, delay, log } = this.options
    const dueMs = clock.nowMs() + ms
    if (dueMs >= this.dueMs) return
    this.cancelTimer?.()
    this.dueMs = dueMs
    this.cancelTimer = delay(() => {
      this.flush().catch((err: unknown) => log.warn({ err }, "security log was not stored"))
    }, ms)
  }

  /** The next entries of both places in order of time, and the last key that they cover. */
  private async read(tenant: number, { from, to }: { from: string; to: string }) {
    const { documents } = this.options
    const range = { from, to, limit: pageMax }
    const pages = await Promise.all(
      [changeName, accessName].map((name) => documents.list(timeIndexedKind(name, tenant), range)),
    )
    // Beyond the end of a page that is full, the other may hold what comes before its next ones.
    const ends = pages.filter(({ length }) => length === pageMax).map((page) => page.at(-1)!.id)
    const last = ends.length === 0 ? null : ends.sort()[0]!
    const entries = pages
      .flat()
      .filter(({ id }) => last === null || id <= last)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, document }) => [id, document as AuditEntry] as const)
    return { entries, last }
  }

  private async idsOf(kind: string): Promise<string[]> {
    const ids: string[] = []
    for (let from = ""; ; from = keyAfter(ids.at(-1)!)) {
      const page = await this.options.documents.list(kind, { from, limit: pageMax })
      for (const { id } of page) ids.push(id)
      if (page.length < pageMax) return ids
    }
  }

  private async removeUpTo(kind: string, to: string): Promise<void> {
    const { documents } = this.options
    while (true) {
      const page = await documents.list(kind, { to, limit: pageMax })
      if (page.length > 0) {
        await documents.putAll(page.map(({ id }) => ({ kind, id, document: null })))
      }
      if (page.length < pageMax) return
    }
  }
}

const changeName = "auditChange"
const accessName = "auditAccess"

/** Facts with the same key are one entry. Failed logins of an address are, whatever the account. */
function keyOf({ tenant, kind, user, address, detail }: AuditEvent): string {
  const isOfAddress = kind === "loginFailed" || kind === "loginThrottled"
  return JSON.stringify([tenant, kind, address, isOfAddress ? null : user, detail])
}

/** What is beyond the entries of a minute is counted, by kind and tenant. */
function overflowOf(fact: AuditEvent): AuditEvent {
  return { ...fact, user: null, address: null, detail: "others, beyond the entries of a minute" }
}

function putEntry({ tenant, ...entry }: PendingEntry): DocumentChange {
  const name = changeKinds.has(entry.kind) ? changeName : accessName
  return { kind: timeIndexedKind(name, tenant), id: entry.id, document: entry }
}
