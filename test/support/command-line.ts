/** Command lines as the program reads them. */

import assert from "node:assert/strict"
import { commandTable } from "../../src/command/command-table.ts"
import { readLine } from "../../src/command/line/read-line.ts"
import type { CommandLine } from "../../src/command/line/spec.ts"

/** A line that is taken. */
export function lineOf(...argv: string[]): CommandLine {
  const read = readLine(commandTable, argv)
  assert.ok("line" in read, JSON.stringify(read))
  return read.line
}

/** What is wrong with a line that is not taken; empty for one that is. */
export function problemsOf(...argv: string[]): readonly string[] {
  const read = readLine(commandTable, argv)
  return "problems" in read ? read.problems : []
}
