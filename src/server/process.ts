/** The server as a process: its log, the check of the store, the signals that stop or reload it. */

import { isatty } from "node:tty"
import type { ScryptCost } from "../accounts/password.ts"
import { endPhase, LogCell, type Logger } from "../base/log.ts"
import { logFormatOf, type ConfigOutcome, type ReadSettings } from "../config/config.ts"
import { isTuningOn } from "../config/tunings.ts"
import { createFirstSecrets } from "./startup/first-secrets.ts"
import { takePassedSockets } from "./startup/passed-sockets.ts"
import { ServiceManager, takeWatchdog } from "./startup/service-manager.ts"
import { createPinoLogger } from "../runtime/logger.ts"
import { prepareNativeLibrary } from "../runtime/native-library.ts"
import { takeNotify } from "../runtime/notify-socket.ts"
import { repeat } from "../runtime/timers.ts"
import { startShardThread } from "./shard-thread.ts"
import { announceFormatChange } from "./startup/format-change.ts"
import { checkBeforeStart } from "./startup/startup-check.ts"
import { lowerV8Threads } from "../runtime/thread-priority.ts"
import { version } from "../runtime/version.ts"

interface ServerProcessDeps {
  /** Command and flags of this program, for the child that scans a store before it is opened. */
  readonly program: readonly string[]
  /** Reads all settings again. */
  readonly readSettings: () => ConfigOutcome
  readonly print: (text: string) => void
  /** Prints the error and ends the process. */
  readonly fail: (error: unknown) => void
  /** Of new passwords; the default of accounts if absent. */
  readonly passwordCost?: ScryptCost
}

/** Serves until a signal ends the process; resolves when it listens. */
export async function runServer(settings: ReadSettings, deps: ServerProcessDeps): Promise<void> {
  if (isTuningOn(process.env, "v8-threads")) lowerV8Threads()
  const { config, readings } = settings
  const isTerminal = process.stderr.isTTY === true
  const logCell = new LogCell({ level: config.logLevel, format: logFormatOf(config, isTerminal) })
  const log = createPinoLogger({ settings: logCell })
  log.info({ version, node: process.version }, "starting")
  const { limit, reserveBytes, parts } = config.memory
  log.info({ limit, reserveBytes, parts }, "memory plan")
  for (const note of config.notes) log.warn({}, note)
  const sockets = takePassedSockets(process.env, process.pid)
  if (sockets.http !== null) log.info({}, "the service manager listens, not --host and --port")
  const manager = connectToManager(log)
  manager.starting()
  prepareNativeLibrary()
  // It loads its modules while this thread loads those of the server.
  const shardPool = startShardThread(config, { logCell: logCell.memory })
  endPhase("shard thread started")
  const { startServer } = await import("./server.ts")
  endPhase("server modules loaded")
  const firstSecrets = createFirstSecrets(config.firstSecretsFile, deps.print)
  const starting = startServer({
    config,
    readings,
    log,
    sockets,
    shardPool,
    logCell,
    isTerminal,
    passwordCost: deps.passwordCost,
    checkStore: () => {
      announceFormatChange(config, { log, print: deps.print })
      return checkBeforeStart(config.dataPath, deps.program)
    },
    firstSecrets,
  })
  // Before the address is announced, because a client may stop the process as soon as it sees it.
  const stopOnHangUp = stopOnSignals(deps.fail, async () => {
    const server = await starting
    log.info({}, "stopping")
    manager.stopping()
    await server.stop()
    log.info({}, "stopped")
  })
  // A start that fails is reported once, by the caller.
  const reload = () =>
    void starting.then(
      (one) => manager.reloading(() => one.reload(deps.readSettings())),
      () => {},
    )
  onHangUp({ stop: stopOnHangUp, reload })
  const server = await starting
  log.info({ url: server.url, docs: `${server.url}/docs`, store: config.dataPath }, "listening")
  firstSecrets.listening(server.url)
  manager.ready(server)
}

/** Takes the variables of the service manager out of the environment, which children inherit. */
function connectToManager(log: Logger): ServiceManager {
  const notify = takeNotify(process.env)
  const watchdogMs = takeWatchdog(process.env, process.pid)
  const monotonicUs = () => process.hrtime.bigint() / 1000n
  return new ServiceManager({ notify, watchdogMs, monotonicUs, repeat, log })
}

/**
 * The first signal stops in order; a second one ends the process immediately. Returns how to stop
 * when the terminal was closed.
 */
function stopOnSignals(fail: ServerProcessDeps["fail"], stop: () => Promise<void>): () => void {
  let isStopping = false
  const stopOnce = (end: () => void, failed: (error: unknown) => void): void => {
    if (isStopping) return
    isStopping = true
    stop().then(end, failed)
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      stopOnce(() => process.exit(0), fail)
    })
  }
  return () => stopOnce(endByHangUp, endByHangUp)
}

/**
 * Ends the process by SIGHUP, as of a program without a handler. When it exits, Node restores the
 * attributes of its terminals, and aborts (SIGABRT, SIGSEGV) if one of them is closed.
 */
function endByHangUp(): void {
  process.removeAllListeners("SIGHUP")
  process.kill(process.pid, "SIGHUP")
}

/**
 * SIGHUP means two things: a service manager asks for a reload, or the terminal of the process was
 * closed, which stops it. A closed terminal is none any more: reading its attributes fails.
 */
function onHangUp(on: { readonly stop: () => void; readonly reload: () => void }): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor))
  process.on("SIGHUP", () => {
    if (terminals.every((descriptor) => isatty(descriptor))) on.reload()
    else on.stop()
  })
}
