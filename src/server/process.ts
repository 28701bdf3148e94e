/** Serving as a process: the log, the check before the start, the signals that end it. */

import type { ScryptCost } from "../accounts/password.ts"
import { limitInlining } from "../runtime/jit.ts"
import type { Config } from "../config/config.ts"
import { createFirstSecrets } from "./startup/first-secrets.ts"
import { createPinoLogger } from "../runtime/logger.ts"
import { startServer } from "./server.ts"
import { checkBeforeStart } from "./startup/startup-check.ts"
import { lowerV8Threads } from "../runtime/thread-priority.ts"
import { version } from "../runtime/version.ts"

export interface ServerProcessDeps {
  /** How the program is started, for the child that looks at a store before it is opened. */
  readonly program: readonly string[]
  readonly print: (text: string) => void
  /** Tells why, and ends the process. */
  readonly fail: (error: unknown) => void
  /** Of new passwords; the default of accounts where absent. */
  readonly passwordCost?: ScryptCost
}

/** Serves until a signal ends the process; resolves when it listens. */
export async function runServer(config: Config, world: ServerProcessDeps): Promise<void> {
  lowerV8Threads()
  limitInlining()
  const isTerminal = process.stderr.isTTY === true
  const format = config.logFormat === "auto" ? (isTerminal ? "text" : "json") : config.logFormat
  const log = createPinoLogger({ level: config.logLevel, format })
  log.info({ version, node: process.version }, "starting")
  for (const note of config.notes) log.warn({}, note)
  const firstSecrets = createFirstSecrets(config.firstSecretsFile, world.print)
  const starting = startServer({
    config,
    log,
    logFormat: format,
    passwordCost: world.passwordCost,
    checkStore: () => checkBeforeStart(config.dataPath, world.program),
    firstSecrets,
  })
  // Before anything is told to the outside: whoever hears that we listen may ask us to stop.
  stopOnSignals(world.fail, async () => {
    const server = await starting
    log.info({}, "stopping")
    await server.stop()
    log.info({}, "stopped")
  })
  const server = await starting
  log.info({ url: server.url, docs: `${server.url}/docs`, store: config.dataPath }, "listening")
  firstSecrets.listening(server.url)
}

/**
 * The first signal stops in order; a second one at once. SIGHUP, which a terminal sends when it is
 * closed, stops like the others: there is nothing to reload.
 */
function stopOnSignals(fail: ServerProcessDeps["fail"], stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      // A terminal and its shell both send it, for one and the same end.
      if (isStopping && signal === "SIGHUP") return
      if (isStopping) process.exit(1)
      isStopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
  }
}
