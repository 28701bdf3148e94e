/** What e-mails and passwords may be, and how new passwords and keys are made. */

import { invalid } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import { hashPassword, type HashGate, type ScryptCost } from "./password.ts"

const passwordLengthMin = 8
/** Fits the longest header that is read (logins.ts). */
const passwordLengthMax = 1024

/**
 * The e-mail in lower case. Throws `invalid` where it cannot stand in Basic credentials. Documented
 * examples write %40 for the sign that a URL would not take.
 */
export function checkEmail(sent: string): string {
  const email = sent.replace("%40", "@")
  if (!/^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/.test(email)) {
    throw invalid(`email: expected an e-mail address without a colon, got "${email.slice(0, 80)}"`)
  }
  return email.toLowerCase()
}

/** The password. Throws `invalid` without repeating it. */
export function checkPassword(password: string): string {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw invalid(
      `password: expected ${passwordLengthMin} to ${passwordLengthMax} characters, ` +
        `got ${password.length}`,
    )
  }
  return password
}

/** Hashes of new passwords, few at once. */
export class PasswordHashes {
  private readonly options: { random: Random; cost: ScryptCost; gate: HashGate }

  constructor(options: { random: Random; cost: ScryptCost; gate: HashGate }) {
    this.options = options
  }

  make(password: string): Promise<string> {
    const { random, cost, gate } = this.options
    return gate.run(() => hashPassword(password, random.bytes(16), cost))
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
