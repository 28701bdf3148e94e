/** Command lines as the program reads them. */

import assert from "node:assert/strict"
import { commandTable } from "../../../src/command/command-table.ts"
import { readLine } from "../../../src/command/line/read-line.ts"
import type { CommandLine, CommandTable } from "../../../src/command/line/spec.ts"

/** The command line that `argv` is, which must be valid. */
export function lineOf(...argv: string[]): CommandLine {
  return lineIn(commandTable, ...argv)
}

/** The problems of an invalid command line; empty for a valid one. */
export function problemsOf(...argv: string[]): readonly string[] {
  return problemsIn(commandTable, ...argv)
}

/** As `lineOf`, by another table of commands. */
export function lineIn(table: CommandTable, ...argv: string[]): CommandLine {
  const read = readLine(table, argv)
  assert.ok("line" in read, JSON.stringify(read))
  return read.line
}

/** As `problemsOf`, by another table of commands. */
export function problemsIn(table: CommandTable, ...argv: string[]): readonly string[] {
  const read = readLine(table, argv)
  return "problems" in read ? read.problems : []
}
