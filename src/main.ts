#!/usr/bin/env node
/**
 * Entry: reads the command line by the table of commands, then does what it asks for. Each command
 * loads what it needs and no more: all packages together take half a second, which a server, its
 * probe after a crash and a command of one line need not wait for alike.
 */

import { ServiceError } from "./base/errors.ts"
import { commandTable } from "./command/command-table.ts"
import { readLine } from "./command/line/read-line.ts"
import { runLine } from "./commands.ts"
import { version } from "./runtime/version.ts"

/** Exit status for settings or a command line that cannot be taken (sysexits.h, EX_USAGE). */
const exitUsage = 64

async function main(): Promise<void> {
  // Nothing that is written is for other users of the machine, whatever the shell says.
  process.umask(0o077)
  const argv = process.argv.slice(2)
  const read = readLine(commandTable, argv)
  if ("help" in read) return print(read.help)
  if ("version" in read) return print(version)
  if ("problems" in read) return refuse(read.problems)
  const outcome = await runLine(read.line, { print, fail })
  if (typeof outcome === "number") process.exitCode = outcome
  else if (outcome !== null) refuse(outcome.problems)
}

function refuse(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`tidegauge: ${problem}\n`)
  process.exitCode = exitUsage
}

function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`)
}

function fail(error: unknown): void {
  process.stderr.write(`tidegauge: ${failureText(error)}\n`)
  process.exit(1)
}

/** A sentence for what the caller or the machine got wrong; the stack for a bug of ours. */
function failureText(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  // The system's errors name what could not be done, and with what.
  if (error instanceof Error && "syscall" in error) return error.message
  return String((error as Error).stack)
}

main().catch(fail)
