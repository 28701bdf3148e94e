/**
 * Logins: Basic credentials to an identity, at the price of a password hash for every failure and
 * of an HMAC for every success within a minute of the last full check.
 */

import { createHmac } from "node:crypto"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import type { Role, UserDocument } from "./documents.ts"
import { HashGate, isPassword } from "./password.ts"

/** Who asks. */
export interface Identity {
  /** Tenant index. */
  readonly tenant: number
  /** E-mail, in lower case. */
  readonly user: string
  readonly role: Role
}

/** How long a full check vouches for the same header. */
const cachedMs = 60_000
const cachedMax = 1_000

/** Each takes 32 MiB and a thread of libuv's four. */
const hashesMax = 2
/** A few seconds of hashing: more would wait longer than a person does. */
const hashesWaitingMax = 16

/** A password of 1,024 characters fits; longer headers are refused unread. */
const headerLengthMax = 8_192

export interface LoginOptions {
  /** The user of an e-mail in lower case, where it may log in. */
  readonly userOf: (email: string) => UserDocument | undefined
  /** A hash of no known password, of the same cost: unknown users take as long as known ones. */
  readonly decoy: string
  readonly clock: Clock
  readonly random: Random
  /** Shared with whoever else hashes passwords. */
  readonly gate?: HashGate
}

/** Bounds how many hashes run at once and how many wait. */
export function passwordGate(): HashGate {
  return new HashGate({ runningMax: hashesMax, waitingMax: hashesWaitingMax })
}

export class Logins {
  private readonly options: LoginOptions
  private readonly cacheKey: Uint8Array
  private readonly gate: HashGate
  /** By HMAC of the header, oldest first. No password and no plain hash of one is kept. */
  private readonly cached = new Map<string, { identity: Identity; checkedMs: number }>()
  /** Checks under way: the many connections of one page cost one hash. */
  private readonly pending = new Map<string, Promise<Identity>>()
  /** Counts what was forgotten, so that a check that began before remembers nothing. */
  private forgotten = 0

  constructor(options: LoginOptions) {
    this.options = options
    this.gate = options.gate ?? passwordGate()
    this.cacheKey = options.random.bytes(32)
  }

  /**
   * The identity behind an Authorization header. Throws `unauthenticated`, or `throttled` under a
   * flood.
   */
  async authenticate(header: string | undefined): Promise<Identity> {
    if (header === undefined) throw unauthenticated("Basic credentials are missing")
    const credentials = credentialsOf(header)
    if (credentials === null) throw unauthenticated("Expected Basic credentials")

    const tag = createHmac("sha256", this.cacheKey).update(header).digest("base64")
    const known = this.cached.get(tag)
    if (known !== undefined && this.isFresh(known.checkedMs)) return known.identity

    let check = this.pending.get(tag)
    if (check === undefined) {
      const mine = this.check(credentials, tag).finally(() => {
        if (this.pending.get(tag) === mine) this.pending.delete(tag)
      })
      check = mine
      this.pending.set(tag, mine)
    }
    return check
  }

  /** Vouches for a user no longer: its password, role or right to log in changed. */
  forget(email: string): void {
    this.forgotten++
    this.pending.clear()
    for (const [tag, { identity }] of this.cached) {
      if (identity.user === email) this.cached.delete(tag)
    }
  }

  /** Whether it is the user's password; at the price of a hash, whatever is cached. */
  isPassword({ passwordHash }: Pick<UserDocument, "passwordHash">, text: string): Promise<boolean> {
    return this.gate.run(() => isPassword(text, passwordHash))
  }

  private async check({ email, password }: Credentials, tag: string): Promise<Identity> {
    const { forgotten } = this
    const user = this.options.userOf(email)
    const hash = user?.passwordHash ?? this.options.decoy
    const isRight = await this.gate.run(() => isPassword(password, hash))
    if (user === undefined || !isRight) throw unauthenticated("The e-mail or the password is wrong")

    const identity = { tenant: user.tenant, user: email, role: user.role }
    if (forgotten === this.forgotten) this.remember(tag, identity)
    return identity
  }

  /** A clock that was set back does not make a check good for longer. */
  private isFresh(checkedMs: number): boolean {
    const ageMs = this.options.clock.nowMs() - checkedMs
    return ageMs >= 0 && ageMs < cachedMs
  }

  private remember(tag: string, identity: Identity): void {
    this.cached.delete(tag)
    if (this.cached.size >= cachedMax) this.cached.delete(this.cached.keys().next().value!)
    this.cached.set(tag, { identity, checkedMs: this.options.clock.nowMs() })
  }
}

interface Credentials {
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

function unauthenticated(problem: string): ServiceError {
  return new ServiceError("unauthenticated", problem)
}
