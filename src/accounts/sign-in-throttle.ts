/**
 * The sign-in throttle decides when a password may be verified. Failures are counted by address, by
 * account, and by the pair of both, because behind a proxy all clients have one address.
 *
 *   pair      3 failures are free, then each costs a wait of 1, 2, 4 … s up to 15 min: refused
 *   address   10 failures are free, then its hashes are spaced, up to 1 s: delayed
 *   account   20 failures are free, then its hashes are spaced, up to 5 s: delayed; except at an
 *             address from which the account signed in before
 *
 * An attacker at one address thus delays other users by at most 2 s, except at the very account
 * that is guessed from that address. Counting does not depend on whether an account exists. Only
 * hashes of existing accounts use up spacing, so guesses at unknown accounts delay no user.
 */

import { BoundedCache } from "../base/bounded-cache.ts"
import { ServiceError } from "../base/errors.ts"
import {
  accountSpacingMsMax,
  addressSpacingMsMax,
  failedSignInMs,
  freeAccountFailures,
  freeAddressFailures,
  freePairFailures,
  pairWaitMsMax,
  pendingSignInsMax,
  pendingSignInsPerAddressMax,
  signInWaitMsMax,
  trustedPairsMax,
} from "../base/limits/accounts.ts"
import { FailureTable } from "./failure-table.ts"

export interface SignInAttempt {
  /** Result of `addressGroup`. */
  readonly address: string
  /** E-mail in lower case. */
  readonly account: string
  /** Whether the account exists, so that a hash is computed. */
  readonly exists: boolean
}

export interface SignInSchedule {
  /** Earliest start of the hash, by the clock of `elapsedMs`. */
  readonly startMs: number
  /** Earliest answer of a failure. */
  readonly answerMs: number
  /** Delay that this attempt adds to the next hash of the address. */
  readonly spacedMs: number
}

/** Longer accounts cannot exist and are counted together. */
const accountLengthMax = 254
/** Wrong credentials remembered per pair. */
const wrongTagsMax = 4
/** Spacing added to an address, or an account, by each failure beyond the free ones. */
const addressSpaceStepMs = 50
const accountSpaceStepMs = 100

export class SignInThrottle {
  private readonly elapsedMs: () => number
  private readonly pairs = new FailureTable()
  private readonly addresses = new FailureTable()
  private readonly accounts = new FailureTable()
  /** Pairs that signed in before, oldest use first. */
  private readonly trusted = new BoundedCache<string, true>(trustedPairsMax, "oldest")
  private readonly pendingByAddress = new Map<string, number>()
  private pendingCount = 0

  /** `elapsedMs` reads a monotonic clock. */
  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs
  }

  /**
   * Reserves one of the pending sign-ins, until `release`. Throws `throttled` if the address has
   * too many, `overloaded` if all addresses together have.
   */
  reserve(address: string): void {
    const own = this.pendingByAddress.get(address) ?? 0
    if (own >= pendingSignInsPerAddressMax) throw throttled(1)
    if (this.pendingCount >= pendingSignInsMax) {
      throw new ServiceError("overloaded", "Too many concurrent logins", { retryAfterSeconds: 2 })
    }
    this.pendingByAddress.set(address, own + 1)
    this.pendingCount++
  }

  release(address: string): void {
    const own = this.pendingByAddress.get(address)! - 1
    if (own === 0) this.pendingByAddress.delete(address)
    else this.pendingByAddress.set(address, own)
    this.pendingCount--
  }

  /**
   * Schedules an attempt, which counts as a failure until `succeeded`. Throws `throttled` with the
   * seconds to wait, without counting the attempt.
   */
  schedule(attempt: SignInAttempt): SignInSchedule {
    const nowMs = this.elapsedMs()
    const { address, exists } = attempt
    const account = accountKey(attempt.account)
    const pair = `${address} ${account}`
    const former = this.pairs.get(pair, nowMs)
    const freeMs = former === undefined ? nowMs : former.lastMs + pairWaitMs(former.count)
    const isTrusted = this.trusted.has(pair)
    const accountNextMs = isTrusted ? nowMs : (this.accounts.get(account, nowMs)?.nextMs ?? nowMs)
    const addressNextMs = this.addresses.get(address, nowMs)?.nextMs ?? nowMs
    const startMs = Math.max(nowMs, accountNextMs, addressNextMs)
    if (freeMs > nowMs) throw throttled(freeMs - nowMs)
    if (startMs - nowMs > signInWaitMsMax) throw throttled(startMs - nowMs)

    this.pairs.charge(pair, nowMs)
    const ofAddress = this.addresses.charge(address, nowMs)
    const ofAccount = this.accounts.charge(account, nowMs)
    const addressSpaceMs = addressSpacingMs(ofAddress.count)
    const accountSpaceMs = isTrusted ? 0 : accountSpacingMs(ofAccount.count)
    if (exists) {
      ofAddress.nextMs = startMs + addressSpaceMs
      if (!isTrusted) ofAccount.nextMs = startMs + accountSpaceMs
    }
    const heldMs = Math.min(signInWaitMsMax, 2 * Math.max(addressSpaceMs, accountSpaceMs))
    const spacedMs = exists ? addressSpaceMs : 0
    return { startMs, answerMs: nowMs + failedSignInMs + heldMs, spacedMs }
  }

  /**
   * Records a successful attempt: the pair's failures are deleted, the pair becomes exempt from the
   * account's spacing, and the spacing that the attempt added to the address is taken back.
   */
  succeeded(
    { address, account }: SignInAttempt,
    { spacedMs }: Pick<SignInSchedule, "spacedMs">,
  ): void {
    const ofAddress = this.addresses.get(address, this.elapsedMs())
    if (ofAddress !== undefined) ofAddress.nextMs -= spacedMs
    const key = accountKey(account)
    const pair = `${address} ${key}`
    this.pairs.delete(pair)
    this.addresses.refund(address)
    this.accounts.refund(key)
    this.trusted.set(pair, true)
  }

  /** Takes back the charges of an attempt that the server could not verify. */
  abandoned({ address, account }: SignInAttempt): void {
    const key = accountKey(account)
    for (const [table, of] of [
      [this.pairs, `${address} ${key}`],
      [this.addresses, address],
      [this.accounts, key],
    ] as const) {
      table.refund(of)
    }
  }

  /** Records wrong credentials by their tag, for `wasWrong`. */
  failed({ address, account }: SignInAttempt, tag: string): void {
    const entry = this.pairs.get(`${address} ${accountKey(account)}`, this.elapsedMs())
    if (entry !== undefined) entry.wrong = [...entry.wrong.slice(1 - wrongTagsMax), tag]
  }

  /**
   * Whether the same credentials of the pair were wrong lately: a program with an outdated password
   * guesses nothing, and must not delay the right one.
   */
  wasWrong({ address, account }: SignInAttempt, tag: string): boolean {
    const entry = this.pairs.get(`${address} ${accountKey(account)}`, this.elapsedMs())
    return entry?.wrong.includes(tag) ?? false
  }
}

function accountKey(account: string): string {
  return account.length <= accountLengthMax ? account : "too long"
}

/** The wait of a pair after the last of `failures` failures. */
function pairWaitMs(failures: number): number {
  if (failures < freePairFailures) return 0
  return Math.min(pairWaitMsMax, 1_000 * 2 ** (failures - freePairFailures))
}

function addressSpacingMs(failures: number): number {
  const beyond = Math.max(0, failures - freeAddressFailures)
  return Math.min(addressSpacingMsMax, beyond * addressSpaceStepMs)
}

function accountSpacingMs(failures: number): number {
  const beyond = Math.max(0, failures - freeAccountFailures)
  return Math.min(accountSpacingMsMax, beyond * accountSpaceStepMs)
}

/** 429 instead of 503: this client, or one at the same address, is the cause. */
function throttled(waitMs: number): ServiceError {
  const problem = "Too many failed logins from this address; try again later"
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError("throttled", problem, { retryAfterSeconds })
}
