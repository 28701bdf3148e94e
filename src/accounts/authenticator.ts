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
import { SignInThrottle, type SignInAttempt, type SignInSchedule } from "./sign-in-throttle.ts"

/** Who asks. */
export interface Principal {
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
export interface SignInDeps {
  /** Milliseconds since any moment; never goes back. */
  readonly elapsedMs: () => number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>
  /** Makes the hashes, `threads` of them at once. */
  readonly derive: DeriveKey
  readonly threads: number
  readonly onOutcome?: (outcome: SignInOutcome) => void
}

interface VerificationInput {
  readonly attempt: SignInAttempt
  readonly turn: SignInSchedule
  readonly tag: string
  readonly wrongTag: string
}

export interface AuthenticatorOptions {
  /** The user of an e-mail in lower case, if it may log in. */
  readonly userOf: (email: string) => UserDocument | undefined
  readonly clock: Clock
  readonly random: Random
  readonly deps: SignInDeps
  /** Shared with all that hashes passwords. */
  readonly hashSlots: HashGate
}

/** Bounds how many hashes run at once and how many wait. */
export function createHashSlots(threads: number): HashGate {
  return new HashGate({ runningMax: threads, waitingMax: hashesWaitingMax })
}

export class Authenticator {
  private readonly options: AuthenticatorOptions
  private readonly throttle: SignInThrottle
  private readonly tagKey: Uint8Array
  /** By tag, oldest use first. No password and no plain hash of one is kept. */
  private readonly verified = new Map<string, { identity: Principal; usedMs: number }>()
  /** Checks under way: the many connections of one page cost one hash. */
  private readonly pending = new Map<string, Promise<Principal>>()
  /** Counts what was forgotten, so that a check that began before remembers nothing. */
  private invalidations = 0

  constructor(options: AuthenticatorOptions) {
    this.options = options
    this.throttle = new SignInThrottle(options.deps.elapsedMs)
    this.tagKey = options.random.bytes(32)
  }

  /**
   * The identity behind an Authorization header that came from `remoteAddress`. Throws
   * `unauthenticated`; `throttled` after too many failures, with the seconds to wait; `overloaded`
   * if too many wait for a hash.
   */
  async authenticate(header: string | undefined, remoteAddress?: string): Promise<Principal> {
    if (header === undefined) throw unauthenticated("Basic credentials are missing")
    const credentials = credentialsOf(header)
    if (credentials === null) throw unauthenticated("Expected Basic credentials")
    return this.signIn(credentials, remoteAddress)
  }

  /** The identity of an e-mail in lower case and its password; throws as `authenticate` does. */
  signIn(credentials: Credentials, remoteAddress?: string): Promise<Principal> {
    const tag = this.tagOf(credentials)
    const known = this.findVerified(tag)
    const address = addressGroup(remoteAddress)
    if (known !== undefined) {
      this.reportOutcome("right", credentials.email, address)
      return Promise.resolve(known)
    }
    // Of one address only: another one's failures and waits are its own.
    const place = `${address} ${tag}`
    let verification = this.pending.get(place)
    if (verification === undefined) {
      const mine = this.throttledSignIn(credentials, address, tag).finally(() => {
        if (this.pending.get(place) === mine) this.pending.delete(place)
      })
      verification = mine
      this.pending.set(place, mine)
    }
    return verification
  }

  /** Remembers credentials that were just set, so that old ones in use do not delay them. */
  cacheCredentials(credentials: Credentials): void {
    const user = this.options.userOf(credentials.email)
    if (user === undefined) return
    this.cache(this.tagOf(credentials), principalOf(credentials.email, user))
  }

  /** Vouches for a user no longer: its password, role or right to log in changed. */
  invalidate(email: string): void {
    this.invalidations++
    this.pending.clear()
    for (const [tag, { identity }] of this.verified) {
      if (identity.user === email) this.verified.delete(tag)
    }
  }

  /** Checks what is not remembered, and tells failures late. */
  private async throttledSignIn(
    credentials: Credentials,
    address: string,
    tag: string,
  ): Promise<Principal> {
    const { deps, userOf } = this.options
    const { email: account } = credentials
    const beganMs = deps.elapsedMs()
    this.enter(account, address)
    const attempt: SignInAttempt = { address, account, exists: userOf(account) !== undefined }
    const turn = { startMs: beganMs, answerMs: beganMs + failedSignInMs, spacedMs: 0 }
    try {
      // After any change of a user, what was wrong may be right.
      const wrongTag = `${this.invalidations} ${tag.slice(0, wrongTagLength)}`
      if (this.throttle.wasWrong(attempt, wrongTag)) throw wrongCredentials()
      Object.assign(turn, this.throttle.schedule(attempt))
      await this.waitUntil(turn.startMs)
      const identity = await this.verify(credentials, { attempt, turn, tag, wrongTag })
      this.reportOutcome("right", account, address)
      return identity
    } catch (error) {
      this.reportFailure(error, account, address)
      await this.waitUntil(turn.answerMs)
      throw error
    } finally {
      this.throttle.release(address)
    }
  }

  private enter(account: string, address: string): void {
    try {
      this.throttle.reserve(address)
    } catch (error) {
      this.reportFailure(error, account, address)
      throw error
    }
  }

  private async verify(
    { email, password }: Credentials,
    { attempt, turn, tag, wrongTag }: VerificationInput,
  ): Promise<Principal> {
    const { invalidations } = this
    const user = this.options.userOf(email)
    if (user === undefined || !(await this.isRight(user, password, attempt))) {
      this.throttle.failed(attempt, wrongTag)
      throw wrongCredentials()
    }
    this.throttle.succeeded(attempt, turn)
    const identity = principalOf(email, user)
    if (invalidations === this.invalidations) this.cache(tag, identity)
    return identity
  }

  private async isRight(
    user: UserDocument,
    text: string,
    attempt: SignInAttempt,
  ): Promise<boolean> {
    const { hashSlots, deps } = this.options
    try {
      return await hashSlots.run(() => isPassword(text, user.passwordHash, deps.derive))
    } catch (error) {
      this.throttle.abandoned(attempt)
      throw error
    }
  }

  private async waitUntil(elapsedMs: number): Promise<void> {
    const { deps } = this.options
    const leftMs = elapsedMs - deps.elapsedMs()
    if (leftMs > 0) await deps.wait(leftMs)
  }

  private reportFailure(error: unknown, account: string, address: string): void {
    if (!(error instanceof ServiceError)) return
    this.reportOutcome(error.code === "unauthenticated" ? "wrong" : "throttled", account, address)
  }

  private reportOutcome(result: SignInOutcome["result"], account: string, address: string): void {
    const tenant = this.options.userOf(account)?.tenant ?? null
    this.options.deps.onOutcome?.({ result, account, address, tenant })
  }

  /** A clock that was set back, or far ahead, does not make credentials good for longer. */
  private findVerified(tag: string): Principal | undefined {
    const entry = this.verified.get(tag)
    if (entry === undefined) return undefined
    const nowMs = this.options.clock.nowMs()
    const ageMs = nowMs - entry.usedMs
    if (ageMs < 0 || ageMs >= credentialCacheMs) {
      this.verified.delete(tag)
      return undefined
    }
    // Once a minute is often enough to keep the order of use.
    if (ageMs >= 60_000) this.cache(tag, entry.identity)
    return entry.identity
  }

  private cache(tag: string, identity: Principal): void {
    this.verified.delete(tag)
    if (this.verified.size >= credentialCacheMax) {
      this.verified.delete(this.verified.keys().next().value!)
    }
    this.verified.set(tag, { identity, usedMs: this.options.clock.nowMs() })
  }

  private tagOf({ email, password }: Credentials): string {
    const text = `${email}\0${password.normalize("NFC")}`
    return createHmac("sha256", this.tagKey).update(text).digest("base64")
  }
}

function principalOf(email: string, user: UserDocument): Principal {
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
