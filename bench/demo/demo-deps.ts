/** Services of the process that the demonstrations need; only the root has it. */

import type { Clock } from "../../src/base/clock.ts"
import type { Random } from "../../src/base/random.ts"

export type Wait = (
  ms: number,
  value?: undefined,
  options?: { readonly signal: AbortSignal },
) => Promise<unknown>

/** Waits that are over once `signal` is aborted: a clock in real time is polled once a minute. */
export function interruptedBy(signal: AbortSignal, wait: Wait): Wait {
  return async (ms) => {
    try {
      await wait(ms, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

export interface DemoDeps {
  /** Options of the command line, by name without hyphens. */
  readonly options: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** How this program was started, without arguments: `node`, its options, the script. */
  readonly program: readonly string[]
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly isTerminal: boolean
  readonly clock: Clock
  readonly elapsedMs: () => number
  /** As of `node:timers/promises`. */
  readonly wait: Wait
  /** For the secrets of its own server. */
  readonly random: Random
  /** Aborted if the person wants it to end: it then stops what it started. */
  readonly signal: AbortSignal
}
