/**
 * Passwords: scrypt hashes with a salt each, as one line of text.
 *
 *   scrypt$32768$8$1$<salt, base64url>$<hash, base64url>
 */

import { scrypt, scryptSync, timingSafeEqual } from "node:crypto"
import { assert } from "../base/assert.ts"

export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}
/** OWASP's minimum for 32 MiB (128 · N · r bytes); a hash takes 240 ms of one core. */
export const defaultCost: ScryptCost = { N: 32_768, r: 8, p: 3 }

/**
 * For passwords that this program makes: a hash takes 3 ms. They have 100 random bits, so no guess
 * finds one however fast it is, as none finds an API key of 128 bits, of which a plain hash is
 * stored. The first start and the first login after each start need not wait for `defaultCost`.
 */
export const generatedCost: ScryptCost = { N: 1024, r: 8, p: 1 }

const saltBytes = 16
const hashBytes = 32

/** The input of one key derivation, as it is sent to the hashing thread. */
export interface KeyDerivation {
  readonly password: string
  readonly salt: Uint8Array
  readonly cost: ScryptCost
}

/** Resolves with the 32 bytes of scrypt. */
export type DeriveKey = (key: KeyDerivation) => Promise<Uint8Array>

export async function hashPassword(
  password: string,
  salt: Uint8Array,
  { cost = defaultCost, derive }: { cost?: ScryptCost | undefined; derive: DeriveKey },
): Promise<string> {
  assert(salt.length === saltBytes, `Expected ${saltBytes} bytes of salt, got ${salt.length}`)
  return asText(cost, salt, await derive({ password, salt, cost }))
}

/** True if `stored` is a hash of `password`. Takes the same time for both results. */
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

/** Derives in libuv's thread pool: for commands, which do nothing else at that time. */
export function deriveInPool({ password, salt, cost }: KeyDerivation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(normal(password), salt, hashBytes, scryptOptions(cost), (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** Derives on the calling thread, which must serve nothing else. */
export function deriveSync({ password, salt, cost }: KeyDerivation): Uint8Array {
  return scryptSync(normal(password), salt, hashBytes, scryptOptions(cost))
}

/** NFC: the same password typed on two keyboards may differ in its composition. */
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
