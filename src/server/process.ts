/** The server as a process: its log, the check of the store, the signals that stop it. */

import type { ScryptCost } from "../accounts/password.ts"
import { limitInlining } from "../runtime/jit.ts"
import type { Config } from "../config/config.ts"
import { isTuningOn } from "../config/tunings.ts"
import { createFirstSecrets } from "./startup/first-secrets.ts"
import { createPinoLogger } from "../runtime/logger.ts"
import { startServer } from "./server.ts"
import { checkBeforeStart } from "./startup/startup-check.ts"
import { lowerV8Threads } from "../runtime/thread-priority.ts"
import { version } from "../runtime/version.ts"

export interface ServerProcessDeps {
  /** Command and flags of this program, for the child that scans a store before it is opened. */
  readonly program: readonly string[]
  readonly print: (text: string) => void
  /** Prints the error and ends the process. */
  readonly fail: (error: unknown) => void
  /** Of new passwords; the default of accounts if absent. */
  readonly passwordCost?: ScryptCost
}

/** Serves until a signal ends the process; resolves when it listens. */
export async function runServer(config: Config, deps: ServerProcessDeps): Promise<void> {
  if (isTuningOn(process.env, "v8-threads")) lowerV8Threads()
  if (isTuningOn(process.env, "inlining")) limitInlining()
  const isTerminal = process.stderr.isTTY === true
  const format = config.logFormat === "auto" ? (isTerminal ? "text" : "json") : config.logFormat
  const log = createPinoLogger({ level: config.logLevel, format })
  log.info({ version, node: process.version }, "starting")
  for (const note of config.notes) log.warn({}, note)
  const firstSecrets = createFirstSecrets(config.firstSecretsFile, deps.print)
  const starting = startServer({
    config,
    log,
    logFormat: format,
    passwordCost: deps.passwordCost,
    checkStore: () => checkBeforeStart(config.dataPath, deps.program),
    firstSecrets,
  })
  // Before the address is announced, because a client may stop the process as soon as it sees it.
  stopOnSignals(deps.fail, async () => {
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
 * The first signal stops in order; a second one ends the process immediately. SIGHUP, which a
 * terminal sends when it is closed, stops like the others: there is nothing to reload.
 */
function stopOnSignals(fail: ServerProcessDeps["fail"], stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      // A closing terminal and its shell both send it.
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
