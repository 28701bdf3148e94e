#!/usr/bin/env node
/**
 * Entry: reads the settings, then serves, or does the named command. Each loads what it needs and
 * no more: all packages together take half a second, which a server, its probe after a crash and a
 * command of one line need not wait for alike.
 */

import { once } from "node:events"
import { availableParallelism } from "node:os"
import { setTimeout } from "node:timers/promises"
import { systemClock } from "./base/clock.ts"
import { ServiceError } from "./base/errors.ts"
import { systemRandom } from "./base/random.ts"
import { accountNouns } from "./command/account-arguments.ts"
import { parseConfig } from "./config.ts"
import type { StoreCommand } from "./commands.ts"

/** How this program is started, for children. */
const program = [process.execPath, ...process.execArgv, process.argv[1]!]

/** Exit status for settings or a command line that cannot be taken (sysexits.h, EX_USAGE). */
const exitUsage = 64

async function main(): Promise<void> {
  // Nothing that is written is for other users of the machine, whatever the shell says.
  process.umask(0o077)
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
    process.exitCode = await pack(rest)
    return
  }
  if (accountNouns.some((noun) => noun === first)) {
    const { runAccounts } = await import("./run-accounts.ts")
    const { status, text } = await runAccounts(process.argv.slice(2))
    process.exitCode = status
    if (status === 0) print(text)
    else process.stderr.write(`${text}\n`)
    return
  }
  const command = await storeCommand(first)
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
  const { runServer } = await import("./run-server.ts")
  await runServer(outcome.config, { program, print, fail })
}

/** The command on a store that goes by this name; null where none does. */
async function storeCommand(name: string): Promise<StoreCommand | null> {
  if (name === "" || name === "serve" || name.startsWith("-")) return null
  const { storeCommands } = await import("./commands.ts")
  return Object.hasOwn(storeCommands, name) ? storeCommands[name]! : null
}

async function pack(argv: string[]): Promise<number> {
  const { runPackage } = await import("./command/package.ts")
  const { problemSteps } = await import("./configuration/read.ts")
  return runPackage({
    argv,
    env: process.env,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    fetch,
    judgeConfiguration: problemSteps,
  })
}

async function demo(argv: string[]): Promise<number> {
  const { runDemo } = await import("./command/demo.ts")
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
  const { runReplay } = await import("./command/replay.ts")
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

function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`)
}

function fail(error: unknown): void {
  const text = error instanceof ServiceError ? error.message : String((error as Error).stack)
  process.stderr.write(`tidegauge: ${text}\n`)
  process.exit(1)
}

main().catch(fail)
