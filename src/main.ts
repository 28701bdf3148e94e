#!/usr/bin/env node
/** Entry: reads the settings, then serves, or does the named command. */

import { once } from "node:events"
import { availableParallelism } from "node:os"
import { setTimeout } from "node:timers/promises"
import { systemClock } from "./base/clock.ts"
import { ServiceError } from "./base/errors.ts"
import { systemRandom } from "./base/random.ts"
import { accountNouns } from "./command/account-arguments.ts"
import { runDemo } from "./command/demo.ts"
import { runReplay } from "./command/replay.ts"
import { runPackage } from "./command/package.ts"
import { problemSteps } from "./configuration/read.ts"
import { parseConfig, type Config } from "./config.ts"
import { firstStartText } from "./command/first-start-text.ts"
import { storeCommands } from "./commands.ts"
import { createPinoLogger } from "./log-pino.ts"
import { runAccounts } from "./run-accounts.ts"
import { serve } from "./serve.ts"
import { checkBeforeStart } from "./start-check.ts"

/** How this program is started, for children. */
const program = [process.execPath, ...process.execArgv, process.argv[1]!]

/** Exit status for settings or a command line that cannot be taken (sysexits.h, EX_USAGE). */
const exitUsage = 64

async function main(): Promise<void> {
  const [first = "", ...rest] = process.argv.slice(2)
  if (first === "demo") {
    process.exitCode = await demo(rest)
    return
  }
  if (first === "replay") {
    process.exitCode = await replay(rest)
    return
  }
  if (first === "package") {
    process.exitCode = await runPackage({
      argv: rest,
      env: process.env,
      print: (text) => void process.stdout.write(text),
      printError: (text) => void process.stderr.write(text),
      isTerminal: process.stderr.isTTY === true,
      fetch,
      judgeConfiguration: problemSteps,
    })
    return
  }
  if (accountNouns.some((noun) => noun === first)) {
    const { status, text } = await runAccounts(process.argv.slice(2))
    process.exitCode = status
    if (status === 0) print(text)
    else process.stderr.write(`${text}\n`)
    return
  }
  const command = Object.hasOwn(storeCommands, first) ? storeCommands[first]! : null
  const isCommand = command !== null || first === "serve"
  const hasArgument = command !== null && command.argument !== ""
  const argument = hasArgument ? (rest.shift() ?? "") : ""
  if (hasArgument && (argument === "" || argument.startsWith("-"))) {
    process.stderr.write(`tidegauge: ${first} needs an argument: ${command.argument}\n`)
    process.exitCode = exitUsage
    return
  }
  const argv = isCommand ? rest : process.argv.slice(2)
  const outcome = parseConfig({ argv, env: process.env, cores: availableParallelism() })
  if ("help" in outcome) return print(outcome.help)
  if ("problems" in outcome) {
    for (const problem of outcome.problems) process.stderr.write(`tidegauge: ${problem}\n`)
    process.exitCode = exitUsage
    return
  }
  if (command !== null) {
    process.exitCode = await command.run(outcome.config.dataPath, argument, print)
    return
  }
  await runServer(outcome.config)
}

async function runServer(config: Config): Promise<void> {
  const isTerminal = process.stderr.isTTY === true
  const format = config.logFormat === "auto" ? (isTerminal ? "text" : "json") : config.logFormat
  const log = createPinoLogger({ level: config.logLevel, format })
  for (const note of config.notes) log.warn({}, note)
  const starting = checkBeforeStart(config.dataPath, program).then(() => {
    return serve(config, log, format)
  })
  // Before anything is told to the outside: whoever hears that we listen may ask us to stop.
  stopOnSignals(async () => {
    const server = await starting
    log.info({}, "stopping")
    await server.stop()
    log.info({}, "stopped")
  })
  const server = await starting
  log.info({ url: server.url, store: config.dataPath }, "listening")
  if (server.firstStart !== undefined) print(firstStartText(server.url, server.firstStart))
}

async function demo(argv: string[]): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort())
  }
  return runDemo({
    argv,
    env: process.env,
    program,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    wait: setTimeout,
    random: systemRandom,
    signal: stopping.signal,
  })
}

async function replay(argv: string[]): Promise<number> {
  // Whoever reads only the first lines closes the pipe, which is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    fail(error)
  })
  return runReplay({
    argv,
    write: async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    },
    printError: (text) => void process.stderr.write(text),
  })
}

/** The first signal stops in order; a second one at once. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
  }
}

function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`)
}

function fail(error: unknown): void {
  const text = error instanceof ServiceError ? error.message : String((error as Error).stack)
  process.stderr.write(`tidegauge: ${text}\n`)
  process.exit(1)
}

main().catch(fail)
