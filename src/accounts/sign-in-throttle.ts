/**
 * Sign-in throttle: when a password may be checked. Fair by address and by account, and by the
 * pair of both, since behind a proxy all callers have one address.
 *
 *   pair      3 failures are free, then each costs a wait of 1, 2, 4 … s up to 15 min: refused
 *   address   10 failures are free, then its hashes are spaced, up to 1 s: delayed
 *   account   20 failures are free, then its hashes are spaced, up to 5 s: delayed; but not at an
 *             address at which the account was right before
 *
 * So a guesser at one address slows nobody down by more than 2 s, except at the very account that
 * he tries at that address. What is counted does not depend on whether an account exists; only
 * hashes of accounts that exist take a place in the spaces, so that guesses at unknown accounts
 * delay nobody.
 */

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
} from "../base/limits.ts"
import { FailureTable } from "./failure-table.ts"

export interface SignInAttempt {
  /** As addressGroup gives it. */
  readonly address: string
  /** E-mail in lower case. */
  readonly account: string
  /** Whether there is such an account: then a hash is made. */
  readonly exists: boolean
}

export interface SignInSchedule {
  /** When the hash may begin, by the clock of `elapsedMs`. */
  readonly startMs: number
  /** When a failure may be told. */
  readonly answerMs: number
  /** How much later the next hash of this address may begin because of it. */
  readonly spacedMs: number
}

/** Longest account that is told apart from others; a longer one exists nowhere. */
const accountLengthMax = 254
/** Wrong credentials that are remembered for a pair. */
const wrongTagsMax = 4
/** Each failure beyond the free ones adds so much to the space of an address. */
const addressSpaceStepMs = 50
const accountSpaceStepMs = 100

export class SignInThrottle {
  private readonly elapsedMs: () => number
  private readonly pairs = new FailureTable()
  private readonly addresses = new FailureTable()
  private readonly accounts = new FailureTable()
  /** Oldest use first. */
  private readonly trusted = new Set<string>()
  private readonly pendingByAddress = new Map<string, number>()
  private pendingCount = 0

  /** `elapsedMs` never goes back. */
  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs
  }

  /**
   * Takes a place among those that are held; `leave` gives it back. Throws `throttled` if the
   * address has too many of them, `overloaded` if all addresses together have.
   */
  reserve(address: string): void {
    const own = this.pendingByAddress.get(address) ?? 0
    if (own >= pendingSignInsPerAddressMax) throw throttled(1)
    if (this.pendingCount >= pendingSignInsMax) {
      throw new ServiceError("overloaded", "Too many logins at once", { retryAfterSeconds: 2 })
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
   * The turn of an attempt, which counts as a failure until `succeeded`. Throws `throttled` with
   * the seconds to wait, and counts nothing then.
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
   * The attempt was right: the pair begins anew, spaces of the account no longer hold it, and the
   * space that it took of the address is given back.
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
    this.trusted.delete(pair)
    this.trusted.add(pair)
    if (this.trusted.size > trustedPairsMax)
      this.trusted.delete(this.trusted.values().next().value!)
  }

  /** It came to no outcome: the server could not check it. */
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

  /** Remembers wrong credentials by their tag, for `wasWrong`. */
  failed({ address, account }: SignInAttempt, tag: string): void {
    const entry = this.pairs.get(`${address} ${accountKey(account)}`, this.elapsedMs())
    if (entry !== undefined) entry.wrong = [...entry.wrong.slice(1 - wrongTagsMax), tag]
  }

  /**
   * Whether the very same credentials were wrong here lately: a program with an old password, which
   * guesses nothing and must not make the right one wait.
   */
  wasWrong({ address, account }: SignInAttempt, tag: string): boolean {
    const entry = this.pairs.get(`${address} ${accountKey(account)}`, this.elapsedMs())
    return entry?.wrong.includes(tag) ?? false
  }
}

function accountKey(account: string): string {
  return account.length <= accountLengthMax ? account : "too long"
}

/** How long a pair with so many failures waits after the last one. */
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

/** 429 and not 503: the caller, or one at the same address, did it, and knows when to come back. */
function throttled(waitMs: number): ServiceError {
  const problem = "Too many failed logins from this address; try again later"
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError("throttled", problem, { retryAfterSeconds })
}
