/** `tidegauge replay`: the server's analytics on a history of the user's own, without a server. */

import { cyclesPerWeek } from "../analysis/cycle.ts"
import { ServiceError } from "../base/errors.ts"
import { readCsvRows } from "./csv-rows.ts"
import { readReplayArguments, type ReplayOptions } from "./replay-arguments.ts"
import { ReplayCycle } from "./replay-cycle.ts"
import { readHistory } from "./replay-rows.ts"
import { csvHeader, csvLine, jsonLine } from "./replay-text.ts"

export interface ReplayWorld {
  readonly argv: readonly string[]
  /** Takes text; resolves when more may come. */
  readonly write: (text: string) => Promise<void>
  readonly printError: (text: string) => void
}

/** A longer silence is unobserved: it is neither printed nor learned as missing cycles. */
const gapCyclesMax = cyclesPerWeek
/** Characters that are written at once. */
const chunkCharacters = 65_536
/** Exit status for a command line that cannot be taken (sysexits.h, EX_USAGE). */
const exitUsage = 64

/** Gives the exit status. Lines that were found before an error in the file are printed. */
export async function runReplay({ argv, write, printError }: ReplayWorld): Promise<number> {
  const options = readReplayArguments(argv)
  if ("help" in options) {
    await write(options.help)
    return 0
  }
  if ("problem" in options) {
    printError(`tidegauge: ${options.problem}\n`)
    return exitUsage
  }
  try {
    await replay(options, write)
    return 0
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    printError(`tidegauge: ${error.message}\n`)
    return 1
  }
}

async function replay(options: ReplayOptions, write: ReplayWorld["write"]): Promise<void> {
  let text = ""
  try {
    for await (const line of replayLines(options)) {
      text += line
      if (text.length < chunkCharacters) continue
      await write(text)
      text = ""
    }
  } finally {
    await write(text)
  }
}

async function* replayLines(options: ReplayOptions): AsyncGenerator<string> {
  const { metrics, cycles } = await readHistory(readCsvRows(options.path))
  const closed = new ReplayCycle(metrics.length, options)
  const lineOf = (cycle: number): string =>
    options.format === "csv" ? csvLine(cycle, closed) : jsonLine(cycle, metrics, closed)
  if (options.format === "csv") yield csvHeader(metrics)
  let next = NaN
  for await (const rows of cycles) {
    if (rows.cycle - next <= gapCyclesMax) {
      for (; next < rows.cycle; next++) {
        closed.close(next, undefined)
        yield lineOf(next)
      }
    }
    closed.close(rows.cycle, rows)
    yield lineOf(rows.cycle)
    next = rows.cycle + 1
  }
}
