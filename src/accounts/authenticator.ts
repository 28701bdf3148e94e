/**
 * Logins: Basic credentials to an identity. Right ones are remembered while they are in use, by a
 * digest under a key of this process, and cost an HMAC; all others pass the throttle and cost a
 * hash. A failure is told no sooner than after a second, whether the account exists or not.
 *
 *   header ─► remembered? ─► identity
 *                └► throttle ─► [wait] ─► hash on its own thread ─► identity, or a late 401 or 429
 */

import { createHmac } from "node:crypto"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import {
  failedSignInMs,
  hashesWaitingMax,
  credentialCacheMax,
  credentialCacheMs,
} from "../base/limits.ts"
import type { Random } from "../base/random.ts"
import { addressGroup } from "./address-group.ts"
import type { Role, UserDocument } from "./documents.ts"
import { HashGate, isPassword, type DeriveKey } from "./password.ts"
import { SignInThrottle, type Attempt, type Turn } from "./sign-in-throttle.ts"

/** Who asks. */
export interface Identity {
  /** Tenant index. */
  readonly tenant: number
  /** E-mail, in lower case. */
  readonly user: string
  readonly role: Role
}

/** A password of 1,024 characters fits; longer headers are refused unread. */
const headerLengthMax = 8_192

/** Bits enough that two of four wrong passwords are not taken for one another. */
const wrongTagLength = 16

/** What became of credentials that were sent. */
export interface SignInOutcome {
  readonly result: "right" | "wrong" | "throttled"
  /** As it was sent, in lower case; never a password. */
  readonly account: string
  /** Group of the caller's address. */
  readonly address: string
  /** Of the account, if it exists. */
  readonly tenant: number | null
}

/** What sign-ins need of the world. */
export interface SignInWorld {
  /** Milliseconds since any moment; never goes back. */
  readonly elapsedMs: () => number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>
  /** Makes the hashes, `threads` of them at once. */
  readonly derive: DeriveKey
  readonly threads: number
  readonly onOutcome?: (outcome: SignInOutcome) => void
}

interface Check {
  readonly attempt: Attempt
  readonly turn: Turn
  readonly tag: string
  readonly wrongTag: string
}

export interface LoginOptions {
  /** The user of an e-mail in lower case, if it may log in. */
  readonly userOf: (email: string) => UserDocument | undefined
  readonly clock: Clock
  readonly random: Random
  readonly world: SignInWorld
  /** Shared with all that hashes passwords. */
  readonly gate: HashGate
}

/** Bounds how many hashes run at once and how many wait. */
export function passwordGate(threads: number): HashGate {
  return new HashGate({ runningMax: threads, waitingMax: hashesWaitingMax })
}

export class Logins {
  private readonly options: LoginOptions
  private readonly throttle: SignInThrottle
  private readonly tagKey: Uint8Array
  /** By tag, oldest use first. No password and no plain hash of one is kept. */
  private readonly remembered = new Map<string, { identity: Identity; usedMs: number }>()
  /** Checks under way: the many connections of one page cost one hash. */
  private readonly pending = new Map<string, Promise<Identity>>()
  /** Counts what was forgotten, so that a check that began before remembers nothing. */
  private forgotten = 0

  constructor(options: LoginOptions) {
    this.options = options
    this.throttle = new SignInThrottle(options.world.elapsedMs)
    this.tagKey = options.random.bytes(32)
  }

  /**
   * The identity behind an Authorization header that came from `remoteAddress`. Throws
   * `unauthenticated`; `throttled` after too many failures, with the seconds to wait; `overloaded`
   * if too many wait for a hash.
   */
  async authenticate(header: string | undefined, remoteAddress?: string): Promise<Identity> {
    if (header === undefined) throw unauthenticated("Basic credentials are missing")
    const credentials = credentialsOf(header)
    if (credentials === null) throw unauthenticated("Expected Basic credentials")
    return this.signIn(credentials, remoteAddress)
  }

  /** The identity of an e-mail in lower case and its password; throws as `authenticate` does. */
  signIn(credentials: Credentials, remoteAddress?: string): Promise<Identity> {
    const tag = this.tagOf(credentials)
    const known = this.recall(tag)
    const address = addressGroup(remoteAddress)
    if (known !== undefined) {
      this.tell("right", credentials.email, address)
      return Promise.resolve(known)
    }
    // Of one address only: another one's failures and waits are its own.
    const place = `${address} ${tag}`
    let check = this.pending.get(place)
    if (check === undefined) {
      const mine = this.held(credentials, address, tag).finally(() => {
        if (this.pending.get(place) === mine) this.pending.delete(place)
      })
      check = mine
      this.pending.set(place, mine)
    }
    return check
  }

  /** Remembers credentials that were just set, so that old ones in use do not delay them. */
  vouch(credentials: Credentials): void {
    const user = this.options.userOf(credentials.email)
    if (user === undefined) return
    this.remember(this.tagOf(credentials), identityOf(credentials.email, user))
  }

  /** Vouches for a user no longer: its password, role or right to log in changed. */
  forget(email: string): void {
    this.forgotten++
    this.pending.clear()
    for (const [tag, { identity }] of this.remembered) {
      if (identity.user === email) this.remembered.delete(tag)
    }
  }

  /** Checks what is not remembered, and tells failures late. */
  private async held(credentials: Credentials, address: string, tag: string): Promise<Identity> {
    const { world, userOf } = this.options
    const { email: account } = credentials
    const beganMs = world.elapsedMs()
    this.enter(account, address)
    const attempt: Attempt = { address, account, exists: userOf(account) !== undefined }
    const turn = { startMs: beganMs, answerMs: beganMs + failedSignInMs, spacedMs: 0 }
    try {
      // After any change of a user, what was wrong may be right.
      const wrongTag = `${this.forgotten} ${tag.slice(0, wrongTagLength)}`
      if (this.throttle.wasWrong(attempt, wrongTag)) throw wrongCredentials()
      Object.assign(turn, this.throttle.admit(attempt))
      await this.until(turn.startMs)
      const identity = await this.check(credentials, { attempt, turn, tag, wrongTag })
      this.tell("right", account, address)
      return identity
    } catch (error) {
      this.tellFailure(error, account, address)
      await this.until(turn.answerMs)
      throw error
    } finally {
      this.throttle.leave(address)
    }
  }

  private enter(account: string, address: string): void {
    try {
      this.throttle.enter(address)
    } catch (error) {
      this.tellFailure(error, account, address)
      throw error
    }
  }

  private async check(
    { email, password }: Credentials,
    { attempt, turn, tag, wrongTag }: Check,
  ): Promise<Identity> {
    const { forgotten } = this
    const user = this.options.userOf(email)
    if (user === undefined || !(await this.isRight(user, password, attempt))) {
      this.throttle.failed(attempt, wrongTag)
      throw wrongCredentials()
    }
    this.throttle.succeeded(attempt, turn)
    const identity = identityOf(email, user)
    if (forgotten === this.forgotten) this.remember(tag, identity)
    return identity
  }

  private async isRight(user: UserDocument, text: string, attempt: Attempt): Promise<boolean> {
    const { gate, world } = this.options
    try {
      return await gate.run(() => isPassword(text, user.passwordHash, world.derive))
    } catch (error) {
      this.throttle.abandoned(attempt)
      throw error
    }
  }

  private async until(elapsedMs: number): Promise<void> {
    const { world } = this.options
    const leftMs = elapsedMs - world.elapsedMs()
    if (leftMs > 0) await world.wait(leftMs)
  }

  private tellFailure(error: unknown, account: string, address: string): void {
    if (!(error instanceof ServiceError)) return
    this.tell(error.code === "unauthenticated" ? "wrong" : "throttled", account, address)
  }

  private tell(result: SignInOutcome["result"], account: string, address: string): void {
    const tenant = this.options.userOf(account)?.tenant ?? null
    this.options.world.onOutcome?.({ result, account, address, tenant })
  }

  /** A clock that was set back, or far ahead, does not make credentials good for longer. */
  private recall(tag: string): Identity | undefined {
    const entry = this.remembered.get(tag)
    if (entry === undefined) return undefined
    const nowMs = this.options.clock.nowMs()
    const ageMs = nowMs - entry.usedMs
    if (ageMs < 0 || ageMs >= credentialCacheMs) {
      this.remembered.delete(tag)
      return undefined
    }
    // Once a minute is often enough to keep the order of use.
    if (ageMs >= 60_000) this.remember(tag, entry.identity)
    return entry.identity
  }

  private remember(tag: string, identity: Identity): void {
    this.remembered.delete(tag)
    if (this.remembered.size >= credentialCacheMax) {
      this.remembered.delete(this.remembered.keys().next().value!)
    }
    this.remembered.set(tag, { identity, usedMs: this.options.clock.nowMs() })
  }

  private tagOf({ email, password }: Credentials): string {
    const text = `${email}\0${password.normalize("NFC")}`
    return createHmac("sha256", this.tagKey).update(text).digest("base64")
  }
}

function identityOf(email: string, user: UserDocument): Identity {
  return { tenant: user.tenant, user: email, role: user.role }
}

export interface Credentials {
  /** In lower case. */
  readonly email: string
  readonly password: string
}

function credentialsOf(header: string): Credentials | null {
  if (header.length > headerLengthMax) return null
  const match = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header)
  if (match === null) return null
  const text = Buffer.from(match[1]!, "base64").toString("utf8")
  const colon = text.indexOf(":")
  if (colon < 0) return null
  return { email: text.slice(0, colon).toLowerCase(), password: text.slice(colon + 1) }
}

function wrongCredentials(): ServiceError {
  return unauthenticated("The e-mail or the password is wrong")
}

function unauthenticated(problem: string): ServiceError {
  return new ServiceError("unauthenticated", problem)
}
