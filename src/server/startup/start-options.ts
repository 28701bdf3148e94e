/** The options of a server's start. */

import type { ScryptCost } from "../../accounts/password.ts"
import type { LogCell, Logger } from "../../base/log.ts"
import type { Config, ReadSettings } from "../../config/config.ts"
import type { ThreadPool } from "../../engine/worker-pool.ts"
import type { FirstSecrets } from "./first-secrets.ts"
import type { PassedSockets } from "./passed-sockets.ts"

export interface StartOptions {
  readonly config: Config
  readonly readings: ReadSettings["readings"]
  readonly log: Logger
  /** Those that the service manager listens on. */
  readonly sockets: PassedSockets
  /** The shard's thread, which has had no task; the server closes it. */
  readonly shardPool: ThreadPool
  /** Level and format of `log` and of the loggers of all threads. */
  readonly logCell: LogCell
  /** Whether log lines go to a terminal, which decides the format `auto`. */
  readonly isTerminal: boolean
  /** Of new passwords; the default of accounts if absent. */
  readonly passwordCost?: ScryptCost | undefined
  /** Scans a store that was not closed in order; throws a `ServiceError` if it is damaged. */
  readonly checkStore: () => Promise<void>
  /** Shows the secrets that the first start creates. */
  readonly firstSecrets: FirstSecrets
}
