/**
 * Encryption of secrets at rest: AES-256-GCM under a key in a file of its own, so that a copy of
 * the store alone reveals no secret.
 *
 *   "1." + base64url(12 bytes of nonce, 16 bytes of tag, ciphertext)
 */

import { createCipheriv, createDecipheriv, createHmac } from "node:crypto"
import { assert } from "../../base/assert.ts"
import { ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"

const algorithm = "aes-256-gcm"
const form = "1."
const secretKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export class SecretBox {
  /** Identifies the key without revealing it: 16 hexadecimal digits. */
  readonly keyId: string
  private readonly key: Uint8Array
  private readonly random: Random

  constructor(key: Uint8Array, random: Random) {
    assert(key.length === secretKeyBytes, `Expected a key of ${secretKeyBytes} bytes`)
    this.key = key
    this.keyId = createHmac("sha256", key).update("id of the key").digest("hex").slice(0, 16)
    this.random = random
  }

  /** `owner` names the property that the secret belongs to; it is needed for decryption. */
  encrypt(secret: string, owner: string): string {
    // Random nonces of 96 bits: safe up to 2^32 secrets under one key.
    const nonce = this.random.bytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.key, nonce).setAAD(Buffer.from(owner))
    const encrypted = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
    return form + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64url")
  }

  /** Throws `storage` if the key or the owner is another one, or the bytes were changed. */
  decrypt(text: string, owner: string): string {
    try {
      assert(text.startsWith(form), "Expected an encrypted secret")
      const bytes = Buffer.from(text.slice(form.length), "base64url")
      const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const encrypted = bytes.subarray(nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8")
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
