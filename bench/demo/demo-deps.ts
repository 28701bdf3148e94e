/** Services of the process that the demonstrations need; only the root has it. */

import type { Clock } from "../../src/base/clock.ts"
import type { Random } from "../../src/base/random.ts"

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
  readonly wait: (ms: number) => Promise<unknown>
  /** For the secrets of its own server. */
  readonly random: Random
  /** Aborted if the person wants it to end: it then stops what it started. */
  readonly signal: AbortSignal
}
