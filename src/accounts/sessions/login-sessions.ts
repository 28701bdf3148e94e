/**
 * Login sessions: who signed in with a browser, by a token in a cookie. The store keeps the hash of
 * a token, so a copy of the store is no credential. All sessions are in memory.
 *
 *   token ─► SHA-256 ─► session ─► user, if nothing that ends it has happened
 *
 * A session ends by itself when it is idle or old, and immediately when the user's password, role
 * or e-mail changes or the user or its tenant is disabled: it holds a fingerprint of these.
 */

import { createHash } from "node:crypto"
import type { Clock, ClockTrust } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import {
  loginSessionsMax,
  loginSessionsPerUserMax,
  sessionIdleMs,
  sessionMaxMs,
  sessionUseStoredMs,
  userAgentLengthMax,
} from "../../base/limits/accounts.ts"
import type { Random } from "../../base/random.ts"
import type { DocumentStore } from "../../model/document.ts"
import type { Principal } from "../authenticator.ts"
import { documentVersion, loginSessionKind } from "../documents.ts"
import type { LoginSessionDocument, UserDocument } from "../documents.ts"
import { isToken, newToken, secretId } from "../secret-token.ts"

export interface LoginSession extends LoginSessionDocument {
  /** Hash of the token, in hexadecimal digits. */
  readonly id: string
}

export interface OpenedSession {
  /** Returned once, in the cookie. */
  readonly token: string
  readonly session: LoginSession
}

export interface SessionOpening {
  readonly email: string
  /** The longer times of "Stay signed in". */
  readonly remember: boolean
  readonly userAgent: string
  readonly address: string
}

/** Times of sessions whose user chose to stay signed in. */
export interface RememberedTimes {
  readonly idleMs: number
  readonly maxMs: number
}

export interface LoginSessionsOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
  readonly remembered: RememberedTimes
  readonly trustsClock: ClockTrust
  /** The user of an e-mail, undefined if there is none or it may not sign in. */
  readonly userOf: (email: string) => UserDocument | undefined
  /** Called when a session ends, so that its streams are closed. */
  readonly onEnd?: (id: string) => void
}

export class LoginSessions {
  private readonly options: LoginSessionsOptions
  /** By id, in order of their opening. */
  private readonly sessions = new Map<string, LoginSession>()
  /** Ids of those that outlive a change of the password that is under way. */
  private readonly kept = new Set<string>()

  constructor(options: LoginSessionsOptions) {
    this.options = options
  }

  /** Reads all sessions; removes those that have ended. */
  async load(): Promise<void> {
    const stored = await this.options.documents.list(loginSessionKind)
    const all = stored.map(({ id, document }) => ({ id, ...(document as LoginSessionDocument) }))
    all.sort((one, other) => one.createdMs - other.createdMs)
    for (const session of all) this.sessions.set(session.id, session)
    await this.endAll((session) => this.ownerOf(session) === null)
    await this.endOver()
  }

  /** Opens a session of a user that has just proved who it is. Resolves when it is stored. */
  async open({ email, remember, userAgent, address }: SessionOpening): Promise<OpenedSession> {
    const { random, clock, userOf, remembered } = this.options
    const user = userOf(email)
    if (user === undefined) throw new ServiceError("unauthenticated", "The user cannot sign in")
    const nowMs = clock.nowMs()
    const token = newToken(random)
    const session: LoginSession = {
      id: secretId(token),
      version: documentVersion,
      email,
      tenant: user.tenant,
      createdMs: nowMs,
      lastUsedMs: nowMs,
      idleMs: remember ? remembered.idleMs : sessionIdleMs,
      endsMs: nowMs + (remember ? remembered.maxMs : sessionMaxMs),
      userAgent: userAgent.slice(0, userAgentLengthMax),
      address,
      fingerprint: fingerprintOf(user),
    }
    await this.makeRoom(email)
    await this.store(session)
    return { token, session }
  }

  /** The session of a token and its user; null if there is none, or it has ended. */
  find(token: string): { session: LoginSession; principal: Principal } | null {
    if (!isToken(token)) return null
    const session = this.sessions.get(secretId(token))
    if (session === undefined) return null
    const principal = this.principalOf(session)
    return principal === null ? null : { session: this.used(session), principal }
  }

  /** Whether a session has not ended; no use of it. */
  isOpen(id: string): boolean {
    const session = this.sessions.get(id)
    return session !== undefined && this.principalOf(session) !== null
  }

  /** Sessions of a user that have not ended, the newest first. */
  list(email: string): LoginSession[] {
    const own = [...this.sessions.values()].filter((session) => session.email === email)
    return own.filter((session) => this.principalOf(session) !== null).reverse()
  }

  /** Ends one session of a user. Throws `missing` if the user has no such session. */
  async end(email: string, id: string): Promise<void> {
    if (this.sessions.get(id)?.email !== email) {
      throw new ServiceError("missing", "Expected the id of one of the user's sessions")
    }
    await this.endAll((session) => session.id === id)
  }

  /** Ends all sessions of a user but the one with the id `kept`; null keeps none. */
  async endOthers(email: string, kept: string | null): Promise<void> {
    await this.endAll((session) => session.email === email && session.id !== kept)
  }

  /** Removes the sessions of a user that a change of it has ended. */
  async endStale(email: string): Promise<void> {
    await this.endAll((session) => {
      const isStale = this.ownerOf(session) === null
      return session.email === email && !this.kept.has(session.id) && isStale
    })
  }

  /** Runs the change of a password by a session, which keeps it; all others of the user end. */
  async keepThrough<Result>(id: string | null, change: () => Promise<Result>): Promise<Result> {
    if (id === null) return change()
    this.kept.add(id)
    try {
      const result = await change()
      await this.renew(id)
      return result
    } finally {
      this.kept.delete(id)
    }
  }

  private async renew(id: string): Promise<void> {
    const session = this.sessions.get(id)
    const user = session === undefined ? undefined : this.options.userOf(session.email)
    if (session === undefined || user === undefined) return
    await this.store({ ...session, fingerprint: fingerprintOf(user) })
  }

  private isOver({ endsMs, lastUsedMs, idleMs }: LoginSession): boolean {
    const nowMs = this.options.clock.nowMs()
    return nowMs >= endsMs || nowMs - lastUsedMs >= idleMs
  }

  private principalOf(session: LoginSession): Principal | null {
    return this.isOver(session) ? null : this.ownerOf(session)
  }

  /** The user of a session, whatever its age; null if it is not valid for that user any more. */
  private ownerOf(session: LoginSession): Principal | null {
    const user = this.options.userOf(session.email)
    if (user === undefined || user.tenant !== session.tenant) return null
    if (fingerprintOf(user) !== session.fingerprint) return null
    return { tenant: user.tenant, user: session.email, role: user.role }
  }

  /** Notes a use; it is stored at most every five minutes, and a failure to store it costs little. */
  private used(session: LoginSession): LoginSession {
    const nowMs = this.options.clock.nowMs()
    // The distance in both directions: the clock may have been ahead at the last use.
    if (Math.abs(nowMs - session.lastUsedMs) < sessionUseStoredMs) return session
    const next = { ...session, lastUsedMs: nowMs }
    this.sessions.set(next.id, next)
    void this.storeUse(next).catch(() => {})
    return next
  }

  /** A session that ends meanwhile stays ended. */
  private async storeUse({ id, ...document }: LoginSession): Promise<void> {
    const { documents } = this.options
    await documents.put(loginSessionKind, id, document)
    if (!this.sessions.has(id)) await documents.put(loginSessionKind, id, null)
  }

  /**
   * Sessions whose time is over go first: they only take room. Those of a changed password went
   * with it.
   */
  private async makeRoom(email: string): Promise<void> {
    await this.endOver()
    const own = [...this.sessions.values()].filter((session) => session.email === email)
    const surplus = own.slice(0, Math.max(0, own.length - loginSessionsPerUserMax + 1))
    const isFull = this.sessions.size - surplus.length >= loginSessionsMax
    const oldest = isFull ? [...this.sessions.values()].slice(0, 1) : []
    const ended = new Set([...surplus, ...oldest])
    await this.endAll((session) => ended.has(session))
  }

  /** Those of a clock that is ahead are valid again when it is right. */
  private async endOver(): Promise<void> {
    if (await this.options.trustsClock()) await this.endAll((session) => this.isOver(session))
  }

  private async endAll(isEnded: (session: LoginSession) => boolean): Promise<void> {
    const ended = [...this.sessions.values()].filter(isEnded)
    if (ended.length === 0) return
    for (const { id } of ended) this.sessions.delete(id)
    for (const { id } of ended) this.options.onEnd?.(id)
    await this.options.documents.putAll(
      ended.map(({ id }) => ({ kind: loginSessionKind, id, document: null })),
    )
  }

  private async store(session: LoginSession): Promise<void> {
    const { id, ...document } = session
    await this.options.documents.put(loginSessionKind, id, document)
    this.sessions.set(id, session)
  }
}

/** Fingerprint of password and role: a change of either ends the session. */
export function fingerprintOf({ passwordHash, role }: UserDocument): string {
  return createHash("sha256").update(`${role}\0${passwordHash}`).digest("hex").slice(0, 32)
}
