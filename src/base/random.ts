/** Randomness as an argument. */

import { randomBytes } from "node:crypto"
import { uuidV4 } from "./uuid.ts"

export interface Random {
  /** New bytes that the caller owns. */
  bytes(count: number): Uint8Array
  /** A random UUID (version 4) in lower case. */
  uuid(): string
}

/** From the operating system; suitable for keys and salts. */
export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => uuidV4(randomBytes(16)),
}
