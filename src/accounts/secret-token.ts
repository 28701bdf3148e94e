/**
 * Secrets that a client keeps and the store does not: tokens of sessions and sign-in links, API
 * keys. The store has the hash of each, so a copy of the store is no credential.
 */

import { createHash } from "node:crypto"
import { assert } from "../base/assert.ts"
import type { Random } from "../base/random.ts"

/** 32 random bytes as base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The id under which a secret is stored: its SHA-256 in hexadecimal digits. */
export function secretId(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

/** A token of 256 random bits, which cannot be guessed. */
export function newToken(random: Random): string {
  const token = Buffer.from(random.bytes(32)).toString("base64url")
  assert(isToken(token), "Expected a token of 43 characters")
  return token
}

/** True for a text that `newToken` can have made; others need no hash. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text)
}
