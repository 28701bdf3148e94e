/**
 * The security log. Equal events within a minute are merged into one entry and one line of the
 * server's log. Entries are stored in batches, so a flood of refusals costs one commit a minute.
 * Changes and commands are stored apart from accesses, so that a flood cannot evict them.
 *
 *   event ─► entry of this minute ─► [a second, or a minute] ─┬─► "auditChange:<tenant>" / time, id
 *                                                             └─► "auditAccess:<tenant>" / time, id
 */

import type { Delay } from "../../base/async.ts"
import { BoundedCache } from "../../base/bounded-cache.ts"
import type { Clock } from "../../base/clock.ts"
import {
  auditEntriesMax,
  auditFlushMs,
  auditDistinctPerMinuteMax,
  auditRetentionMs,
  auditWaitingMax,
  signInAuditIntervalMs,
  signInAuditIdleMs,
} from "../../base/limits/accounts.ts"
import type { Logger } from "../../base/log.ts"
import type { Random } from "../../base/random.ts"
import type { AuditEntry, AuditEvent, AuditKind } from "../../model/records/audit.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../../model/records/time-key.ts"

interface AuditOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Logger, "info" | "warn">
  readonly delay: Delay
}

export interface AuditQuery {
  /** Times in `[startMs, endMs)`. */
  readonly startMs: number
  readonly endMs: number
  /** Null selects all kinds. */
  readonly kinds: readonly AuditKind[] | null
  readonly limit: number
  /** The `next` of the previous page; null for the first page. */
  readonly after: string | null
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null
}

type PendingEntry = { -readonly [Field in keyof AuditEntry]: AuditEntry[Field] } & {
  readonly tenant: TenantIndex
}

/** How long a change waits for others to share its commit. */
const changeFlushMs = 1_000
/** Entries read by one request to the shard's thread. */
const pageMax = 1_000
/** Pages that one query scans for the kinds that it selects. */
const pagesPerQueryMax = 20
/** Pairs of user and address whose last sign-in is remembered. */
const recentSignInsMax = 10_000

const changeKinds: ReadonlySet<AuditKind> = new Set(["change", "command"])

export class Audit {
  private readonly options: AuditOptions
  private readonly pending = new Map<string, PendingEntry>()
  /** When each user was last recorded at an address, and last seen there. */
  private readonly recentSignIns = new BoundedCache<string, { notedMs: number; seenMs: number }>(
    recentSignInsMax,
    "oldest",
  )
  private readonly counts = new Map<AuditKind, number>()
  private cancelTimer: (() => void) | null = null
  private dueMs = Infinity
  private flushing: Promise<void> = Promise.resolve()

  constructor(options: AuditOptions) {
    this.options = options
  }

  /** Number of events since the start, by kind. */
  get figures(): ReadonlyMap<AuditKind, number> {
    return this.counts
  }

  /**
   * Records an event; neither writes to disk nor throws. `requestId`: of the request that caused
   * it, for the log line of the first of equal events.
   */
  record(fact: AuditEvent, requestId?: string): void {
    const nowMs = this.options.clock.nowMs()
    this.counts.set(fact.kind, (this.counts.get(fact.kind) ?? 0) + 1)
    if (fact.kind === "loginSucceeded" && this.isRecentSignIn(fact, nowMs)) return
    const isChange = changeKinds.has(fact.kind)
    const entry = this.pending.get(keyOf(fact)) ?? this.createEntry(fact, nowMs, requestId)
    entry.count++
    entry.lastMs = nowMs
    this.scheduleFlush(isChange ? changeFlushMs : auditFlushMs)
  }

  /** Stores pending entries. If the store refuses, rejects and loses them. */
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

  /** A page of a tenant's entries, oldest first, including pending ones. */
  async page(tenant: TenantIndex, query: AuditQuery): Promise<AuditPage> {
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

  /** Removes entries that are past their retention, and the oldest beyond a tenant's limit. */
  async removeExpired(tenant: TenantIndex): Promise<void> {
    const oldestMs = this.options.clock.nowMs() - auditRetentionMs
    for (const name of [changeName, accessName]) {
      const kind = timeIndexedKind(name, tenant)
      await this.removeUpTo(kind, timeKeyPrefix(Math.max(0, oldestMs)))
      const ids = await this.idsOf(kind)
      const surplus = ids.length - auditEntriesMax
      if (surplus > 0) await this.removeUpTo(kind, ids[surplus]!)
    }
  }

  /** Stores pending entries. */
  async stop(): Promise<void> {
    await this.flush()
  }

  private createEntry(fact: AuditEvent, nowMs: number, requestId?: string): PendingEntry {
    const isChange = changeKinds.has(fact.kind)
    const isFull = this.pending.size >= (isChange ? auditWaitingMax : auditDistinctPerMinuteMax)
    const kept = isFull ? overflowOf(fact) : fact
    const key = keyOf(kept)
    let entry = this.pending.get(key)
    if (entry === undefined) {
      const id = `${timeKeyPrefix(nowMs)}:${this.options.random.uuid()}`
      entry = { ...kept, id, timeMs: nowMs, lastMs: nowMs, count: 0 }
      this.pending.set(key, entry)
      this.log({ ...entry, count: 1 }, isChange ? "info" : "warn", requestId)
    }
    return entry
  }

  /** Basic credentials come with each request: only an hour's pause, or a day, makes an entry. */
  private isRecentSignIn({ user, address }: AuditEvent, nowMs: number): boolean {
    const pair = `${address} ${user}`
    const known = this.recentSignIns.get(pair)
    const isNew =
      known === undefined ||
      nowMs - known.seenMs >= signInAuditIdleMs ||
      nowMs - known.notedMs >= signInAuditIntervalMs
    this.recentSignIns.set(pair, { notedMs: isNew ? nowMs : known.notedMs, seenMs: nowMs })
    return !isNew
  }

  private log(entry: PendingEntry, level: "info" | "warn", requestId?: string): void {
    const { kind, user, address, tenant, detail, count } = entry
    const { log } = this.options
    const isRoutine = kind === "loginSucceeded" || changeKinds.has(kind)
    const request = requestId === undefined ? {} : { requestId }
    const fields = { kind, user, address, tenant, detail, count, ...request }
    log[isRoutine ? "info" : level](fields, "security")
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

  /** The next entries of both kinds by time, and the last key that they cover. */
  private async read(tenant: TenantIndex, { from, to }: { from: string; to: string }) {
    const { documents } = this.options
    const range = { from, to, limit: pageMax }
    const pages = await Promise.all(
      [changeName, accessName].map((name) => documents.list(timeIndexedKind(name, tenant), range)),
    )
    // Entries after the end of a full page may follow entries of that kind that are not read yet.
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

/** Events with equal keys share an entry. Failed sign-ins of an address do for all accounts. */
function keyOf({ tenant, kind, user, address, detail }: AuditEvent): string {
  const isOfAddress = kind === "loginFailed" || kind === "loginThrottled"
  return JSON.stringify([tenant, kind, address, isOfAddress ? null : user, detail])
}

/** The event by which kinds and tenants are counted beyond the entries of a minute. */
function overflowOf(fact: AuditEvent): AuditEvent {
  return { ...fact, user: null, address: null, detail: "others, beyond the entries of a minute" }
}

function putEntry({ tenant, ...entry }: PendingEntry): DocumentChange {
  const name = changeKinds.has(entry.kind) ? changeName : accessName
  return { kind: timeIndexedKind(name, tenant), id: entry.id, document: entry }
}
