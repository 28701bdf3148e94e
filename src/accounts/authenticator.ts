/**
 * The authenticator resolves Basic credentials to a principal. Verified credentials are cached
 * while they are in use, by an HMAC under a key of this process, and cost that HMAC; all others
 * pass the throttle and cost a password hash. A failure is answered no sooner than after one
 * second, whether the account exists or not.
 *
 *   header ─► cached? ─► principal
 *               └► throttle ─► [wait] ─► hash on its own thread ─► principal, or a late 401 or 429
 */

import { createHmac } from "node:crypto"
import type { Clock } from "../base/clock.ts"
import { Semaphore } from "../base/async.ts"
import { ServiceError } from "../base/errors.ts"
import {
  failedSignInMs,
  hashesWaitingMax,
  credentialCacheMax,
  credentialCacheMs,
} from "../base/limits/accounts.ts"
import type { Random } from "../base/random.ts"
import { addressGroup } from "./address-group.ts"
import type { Role, UserDocument } from "./documents.ts"
import { isPassword, type DeriveKey } from "./password.ts"
import { SignInThrottle, type SignInAttempt, type SignInSchedule } from "./sign-in-throttle.ts"
import type { TenantIndex } from "../model/ids.ts"

/** The user on whose behalf a request is served. */
export interface Principal {
  /** Tenant index. */
  readonly tenant: TenantIndex
  /** E-mail, in lower case. */
  readonly user: string
  readonly role: Role
}

/** A password of 1,024 characters fits; longer headers are rejected unread. */
const headerLengthMax = 8_192

/** 96 bits: enough that the remembered wrong passwords of a pair do not collide. */
const wrongTagLength = 16

/** The outcome of one sign-in. */
export interface SignInOutcome {
  readonly result: "right" | "wrong" | "throttled"
  /** E-mail as it was sent, in lower case. */
  readonly account: string
  /** Group of the client's address. */
  readonly address: string
  /** Tenant of the account, null if there is no such account. */
  readonly tenant: TenantIndex | null
}

export interface SignInDeps {
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>
  /** Derives password hashes, up to `threads` concurrently. */
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

interface AuthenticatorOptions {
  /** The user of an e-mail in lower case, undefined if there is none or it may not sign in. */
  readonly userOf: (email: string) => UserDocument | undefined
  readonly clock: Clock
  readonly random: Random
  readonly deps: SignInDeps
  /** Shared with everything that hashes passwords. */
  readonly hashSlots: Semaphore
}

/**
 * Bounds how many password hashes run and how many wait, so that guesses cannot take the memory and
 * the threads that decompression and queries need. Refuses with `overloaded`: 503 instead of 429,
 * because the client is not at fault.
 */
export function createHashSlots(threads: number): Semaphore {
  return new Semaphore(threads, { waitersMax: hashesWaitingMax, refusal: tooManyLogins })
}

export class Authenticator {
  private readonly options: AuthenticatorOptions
  private readonly throttle: SignInThrottle
  private readonly tagKey: Uint8Array
  /** By tag, oldest use first. Neither passwords nor plain hashes of them are kept. */
  private readonly verified = new Map<string, { principal: Principal; usedMs: number }>()
  /** Verifications under way: the parallel connections of one web page cost one hash. */
  private readonly pending = new Map<string, Promise<Principal>>()
  /** Number of invalidations, so that a verification begun before one caches nothing. */
  private invalidations = 0

  constructor(options: AuthenticatorOptions) {
    this.options = options
    this.throttle = new SignInThrottle(options.deps.elapsedMs)
    this.tagKey = options.random.bytes(32)
  }

  /**
   * The principal of an Authorization header sent from `remoteAddress`. Throws `unauthenticated`;
   * `throttled` after too many failures, with the seconds to wait; `overloaded` if too many
   * sign-ins wait for a hash.
   */
  async authenticate(header: string | undefined, remoteAddress?: string): Promise<Principal> {
    if (header === undefined) throw unauthenticated("Basic credentials are missing")
    const credentials = credentialsOf(header)
    if (credentials === null) throw unauthenticated("Expected Basic credentials")
    return this.signIn(credentials, remoteAddress)
  }

  /** The principal of an e-mail in lower case and its password; throws as `authenticate` does. */
  signIn(credentials: Credentials, remoteAddress?: string): Promise<Principal> {
    const tag = this.tagOf(credentials)
    const known = this.findVerified(tag)
    const address = addressGroup(remoteAddress)
    if (known !== undefined) {
      this.reportOutcome("right", credentials.email, address)
      return Promise.resolve(known)
    }
    // Shared within one address group: failures and waits of another group are its own.
    const key = `${address} ${tag}`
    let verification = this.pending.get(key)
    if (verification === undefined) {
      const mine = this.throttledSignIn(credentials, address, tag).finally(() => {
        if (this.pending.get(key) === mine) this.pending.delete(key)
      })
      verification = mine
      this.pending.set(key, mine)
    }
    return verification
  }

  /** Caches credentials that were just set, so that old ones still in use do not delay them. */
  cacheCredentials(credentials: Credentials): void {
    const user = this.options.userOf(credentials.email)
    if (user === undefined) return
    this.cache(this.tagOf(credentials), principalOf(credentials.email, user))
  }

  /** Drops the cached credentials of a user whose password, role or active flag changed. */
  invalidate(email: string): void {
    this.invalidations++
    this.pending.clear()
    for (const [tag, { principal }] of this.verified) {
      if (principal.user === email) this.verified.delete(tag)
    }
  }

  /** Verifies credentials that are not cached; a failure is reported to the caller late. */
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
      // After any change of a user, wrong credentials may have become right.
      const wrongTag = `${this.invalidations} ${tag.slice(0, wrongTagLength)}`
      if (this.throttle.wasWrong(attempt, wrongTag)) throw wrongCredentials()
      Object.assign(turn, this.throttle.schedule(attempt))
      await this.waitUntil(turn.startMs)
      const principal = await this.verify(credentials, { attempt, turn, tag, wrongTag })
      this.reportOutcome("right", account, address)
      return principal
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
    const principal = principalOf(email, user)
    if (invalidations === this.invalidations) this.cache(tag, principal)
    return principal
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

  /** A clock set back or far ahead does not extend how long credentials stay cached. */
  private findVerified(tag: string): Principal | undefined {
    const entry = this.verified.get(tag)
    if (entry === undefined) return undefined
    const nowMs = this.options.clock.nowMs()
    const ageMs = nowMs - entry.usedMs
    if (ageMs < 0 || ageMs >= credentialCacheMs) {
      this.verified.delete(tag)
      return undefined
    }
    // Updated at most once a minute: precise enough for the order of use.
    if (ageMs >= 60_000) this.cache(tag, entry.principal)
    return entry.principal
  }

  private cache(tag: string, principal: Principal): void {
    this.verified.delete(tag)
    if (this.verified.size >= credentialCacheMax) {
      this.verified.delete(this.verified.keys().next().value!)
    }
    this.verified.set(tag, { principal, usedMs: this.options.clock.nowMs() })
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

function tooManyLogins(): ServiceError {
  return new ServiceError("overloaded", "Too many concurrent logins", { retryAfterSeconds: 2 })
}

function wrongCredentials(): ServiceError {
  return unauthenticated("The e-mail or the password is wrong")
}

function unauthenticated(problem: string): ServiceError {
  return new ServiceError("unauthenticated", problem)
}
