#!/usr/bin/env node
/**
 * Entry of the program: parses the command line by the table of commands and runs the command. Each
 * command loads only its own modules: all packages together take half a second.
 */

import { ServiceError } from "./base/errors.ts"
import { endPhase } from "./base/log.ts"
import { commandTable } from "./command/command-table.ts"
import { readLine } from "./command/line/read-line.ts"
import { runLine } from "./commands.ts"
import { dropClosedOutput } from "./runtime/closed-output.ts"
import { version } from "./runtime/version.ts"

/** Exit status for invalid settings or command lines (sysexits.h, EX_USAGE). */
const exitUsage = 64

async function main(): Promise<void> {
  // No file that is written is readable by other users, whatever the shell's mask.
  process.umask(0o077)
  endPhase("program loaded")
  dropClosedOutput(fail)
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
  process.exit(error instanceof ServiceError ? error.exitStatus : 1)
}

/** A sentence for a mistake of the caller or a failure of the machine; the stack for a bug. */
function failureText(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  // Errors of the system name the operation and the path.
  if (error instanceof Error && "syscall" in error) return error.message
  return String((error as Error).stack)
}

main().catch(fail)
