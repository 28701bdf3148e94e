/** Randomness that a seed repeats. */

import type { Random } from "../../../src/base/random.ts"
import { uuidV4 } from "../../../src/base/uuid.ts"

/** The same sequence for the same seed; for tests, never for secrets. */
export function seededRandom(seed: number): Random {
  const next = splitMix32(seed)
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => next() >>> 24)
  return { bytes, uuid: () => uuidV4(bytes(16)) }
}

/** SplitMix with 32 bits of state, mixed by the finaliser of MurmurHash3 (both public domain). */
function splitMix32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
}
