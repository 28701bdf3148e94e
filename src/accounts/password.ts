/**
 * Passwords: scrypt with a salt of its own for each, as one line of text.
 *
 *   scrypt$32768$8$1$<salt, base64url>$<hash, base64url>
 */

import { scrypt, scryptSync, timingSafeEqual } from "node:crypto"
import { assert } from "../base/assert.ts"
import { ServiceError } from "../base/errors.ts"

export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}
/** OWASP's least for 32 MiB (128 · N · r bytes); 240 ms of one core a hash. */
export const defaultCost: ScryptCost = { N: 32_768, r: 8, p: 3 }

const saltBytes = 16
const hashBytes = 32

/** What is to be hashed, as it goes to the thread that does it. */
export interface KeyDerivation {
  readonly password: string
  readonly salt: Uint8Array
  readonly cost: ScryptCost
}

/** Gives the 32 bytes of scrypt. */
export type DeriveKey = (key: KeyDerivation) => Promise<Uint8Array>

export async function hashPassword(
  password: string,
  salt: Uint8Array,
  { cost = defaultCost, derive }: { cost?: ScryptCost | undefined; derive: DeriveKey },
): Promise<string> {
  assert(salt.length === saltBytes, `Expected ${saltBytes} bytes of salt, got ${salt.length}`)
  return asText(cost, salt, await derive({ password, salt, cost }))
}

/** True if `password` is the one that `stored` was made from. Takes equally long either way. */
export async function isPassword(
  password: string,
  stored: string,
  derive: DeriveKey,
): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split("$")
  assert(scheme === "scrypt" && salt !== undefined && hash !== undefined, "Expected a scrypt hash")
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive({ password, salt: Buffer.from(salt, "base64url"), cost })
  return timingSafeEqual(derived, Buffer.from(hash, "base64url"))
}

/** In the thread pool of libuv: for commands, which have nothing else to do meanwhile. */
export function deriveInPool({ password, salt, cost }: KeyDerivation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(normal(password), salt, hashBytes, scryptOptions(cost), (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** On the calling thread, which is one that serves nothing else. */
export function deriveSync({ password, salt, cost }: KeyDerivation): Uint8Array {
  return scryptSync(normal(password), salt, hashBytes, scryptOptions(cost))
}

/** The same password typed on two keyboards may differ in composition; NFC makes it one. */
function normal(password: string): string {
  return password.normalize("NFC")
}

function scryptOptions(cost: ScryptCost) {
  return { ...cost, maxmem: 2 * 128 * cost.N * cost.r }
}

function asText(cost: ScryptCost, salt: Uint8Array, hash: Uint8Array): string {
  return ["scrypt", cost.N, cost.r, cost.p, base64(salt), base64(hash)].join("$")
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url")
}

/**
 * Lets few hashes run at once, so that guesses cannot take the memory and the thread pool that
 * decompression and queries need. Throws `overloaded` if too many wait already: 503 and not 429,
 * since it is no fault of the caller's.
 */
export class HashGate {
  private running = 0
  private readonly waiting: (() => void)[] = []
  private readonly runningMax: number
  private readonly waitingMax: number

  constructor(bounds: { runningMax: number; waitingMax: number }) {
    this.runningMax = bounds.runningMax
    this.waitingMax = bounds.waitingMax
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running === this.runningMax) await this.nextSlot()
    else this.running++
    try {
      return await work()
    } finally {
      // The place is handed over, so that nobody who comes meanwhile gets in first.
      const next = this.waiting.shift()
      if (next === undefined) this.running--
      else next()
    }
  }

  private nextSlot(): Promise<void> {
    if (this.waiting.length >= this.waitingMax) {
      throw new ServiceError("overloaded", "Too many logins at once", { retryAfterSeconds: 2 })
    }
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}
