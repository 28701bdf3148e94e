/** Validation of e-mails and passwords, and generation of passwords and keys. */

import { invalid } from "../base/errors.ts"
import type { Semaphore } from "../base/async.ts"
import type { Random } from "../base/random.ts"
import { isCommonPassword } from "./common-passwords.ts"
import { hashPassword } from "./password.ts"
import type { DeriveKey, ScryptCost } from "./password.ts"

/** NIST SP 800-63B-4 requires 15 without a second factor, OWASP 12 with a list of common ones. */
const passwordLengthMin = 12
/** Fits the longest header that is read (authenticator.ts). */
const passwordLengthMax = 1024

/**
 * The e-mail in lower case. Throws `invalid` if it cannot be used in Basic credentials. Documented
 * examples write %40 for the @ that a URL would not take.
 */
export function validateEmail(sent: string): string {
  const email = sent.replace("%40", "@")
  if (!/^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/.test(email)) {
    throw invalid(`email: expected an e-mail address without a colon, got "${email.slice(0, 80)}"`)
  }
  return email.toLowerCase()
}

/**
 * Validates a password that is to be set; passwords in use are never checked. Throws `invalid` with
 * the rule, never with the password.
 */
export function validatePassword(password: string, field = "password"): string {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw invalid(
      `${field}: expected ${passwordLengthMin} to ${passwordLengthMax} characters, ` +
        `got ${password.length}`,
    )
  }
  if (!isCommonPassword(password)) return password
  throw invalid(
    `${field}: expected another one than the commonest, with or without digits behind, ` +
      `than a repetition and than a row of keys`,
  )
}

interface PasswordHasherOptions {
  readonly random: Random
  readonly cost: ScryptCost
  readonly derive: DeriveKey
  readonly hashSlots: Semaphore
}

/** Hashes new passwords, a bounded number concurrently. */
export class PasswordHasher {
  private readonly options: PasswordHasherOptions

  constructor(options: PasswordHasherOptions) {
    this.options = options
  }

  hash(password: string): Promise<string> {
    const { random, hashSlots, ...how } = this.options
    return hashSlots.run(() => hashPassword(password, random.bytes(16), how))
  }
}

/** An API key: 128 random bits as 32 hexadecimal digits, the form that every collector expects. */
export function newApiKey(random: Random): string {
  return Buffer.from(random.bytes(16)).toString("hex")
}

/** 32 letters and digits that are not easily confused. */
const readable = "abcdefghijkmnpqrstuvwxyz23456789"

/** 100 random bits in five groups of four. */
export function readablePassword(random: Random): string {
  const letters = Array.from(random.bytes(20), (byte) => readable[byte & 31])
  return letters.join("").replace(/.{4}(?=.)/g, "$&-")
}
