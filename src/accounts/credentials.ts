/** What e-mails and passwords may be, and how new passwords and keys are made. */

import { invalid } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import { isCommonPassword } from "./common-passwords.ts"
import { hashPassword } from "./password.ts"
import type { DeriveKey, HashGate, ScryptCost } from "./password.ts"

/** NIST SP 800-63B-4 asks for 15 without a second factor, OWASP for 12 with a list beside it. */
const passwordLengthMin = 12
/** Fits the longest header that is read (logins.ts). */
const passwordLengthMax = 1024

/**
 * The e-mail in lower case. Throws `invalid` where it cannot stand in Basic credentials. Documented
 * examples write %40 for the sign that a URL would not take.
 */
export function validateEmail(sent: string): string {
  const email = sent.replace("%40", "@")
  if (!/^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/.test(email)) {
    throw invalid(`email: expected an e-mail address without a colon, got "${email.slice(0, 80)}"`)
  }
  return email.toLowerCase()
}

/**
 * A password that is to be set; those in use are not asked. Throws `invalid` with the rule, never
 * with the password.
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

export interface PasswordHasherOptions {
  readonly random: Random
  readonly cost: ScryptCost
  readonly derive: DeriveKey
  readonly hashSlots: HashGate
}

/** Hashes of new passwords, few at once. */
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

/** An API key: 128 random bits as 32 hexadecimal digits, as every collector expects it. */
export function newApiKey(random: Random): string {
  return Buffer.from(random.bytes(16)).toString("hex")
}

/** 32 letters and digits that are not mistaken for one another. */
const readable = "abcdefghijkmnpqrstuvwxyz23456789"

/** 100 random bits in five groups of four. */
export function readablePassword(random: Random): string {
  const letters = Array.from(random.bytes(20), (byte) => readable[byte & 31])
  return letters.join("").replace(/.{4}(?=.)/g, "$&-")
}
