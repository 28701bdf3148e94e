/** Deps of sign-ins, with a clock that the test advances; waiting advances it, too. */

import type { SignInOutcome } from "../../src/accounts/accounts.ts"
import { deriveInPool, type KeyDerivation } from "../../src/accounts/password.ts"

export class TestSignIn {
  nowMs = 0
  /** Hashes that were made. */
  hashes = 0
  readonly threads = 1
  readonly outcomes: SignInOutcome[] = []

  readonly elapsedMs = (): number => this.nowMs

  readonly derive = (key: KeyDerivation): Promise<Uint8Array> => {
    this.hashes++
    return deriveInPool(key)
  }

  readonly wait = async (ms: number): Promise<void> => {
    const untilMs = this.nowMs + ms
    await new Promise(setImmediate)
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  readonly onOutcome = (outcome: SignInOutcome): void => void this.outcomes.push(outcome)
}
