/**
 * Secrets at rest: AES-256-GCM under a key that lies in a file of its own, so that a copy of the
 * store alone tells none of them.
 *
 *   "1." + base64url(12 bytes of nonce, 16 bytes of tag, ciphertext)
 */

import { createCipheriv, createDecipheriv, createHmac } from "node:crypto"
import { assert } from "../../base/assert.ts"
import { ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"

const algorithm = "aes-256-gcm"
const form = "1."
export const secretKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export class SecretBox {
  /** Tells this key from others, and nothing of it: 16 hexadecimal digits. */
  readonly keyId: string
  private readonly key: Uint8Array
  private readonly random: Random

  constructor(key: Uint8Array, random: Random) {
    assert(key.length === secretKeyBytes, `Expected a key of ${secretKeyBytes} bytes`)
    this.key = key
    this.keyId = createHmac("sha256", key).update("id of the key").digest("hex").slice(0, 16)
    this.random = random
  }

  /** `place` says where the secret belongs; elsewhere it cannot be opened. */
  encrypt(secret: string, place: string): string {
    // Random nonces of 96 bits: safe up to 2^32 secrets under one key.
    const nonce = this.random.bytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
    return form + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")
  }

  /** Throws `storage` where the key is another, the bytes were changed or the place is not theirs. */
  decrypt(text: string, place: string): string {
    try {
      assert(text.startsWith(form), "Expected a sealed secret")
      const bytes = Buffer.from(text.slice(form.length), "base64url")
      const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const sealed = bytes.subarray(nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8")
    } catch (cause) {
      throw new ServiceError(
        "storage",
        "A stored secret cannot be opened: is the key file its own?",
        {
          cause,
        },
      )
    }
  }
}
