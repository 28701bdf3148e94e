/** `tidegauge replay`: the server's analytics on a history of the user's own, without a server. */

import { cyclesPerWeek } from "../../analysis/cycle.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { OnProgress } from "../../base/work-progress.ts"
import { readCsvRows, type CsvRow } from "./csv-rows.ts"
import type { CommandLine } from "../line/spec.ts"
import { replayOptions, type ReplayOptions } from "./replay-commands.ts"
import { ReplayCycle } from "./replay-cycle.ts"
import { readHeader, RowsByCycle, type CycleRows, type MetricValues } from "./replay-rows.ts"
import { csvHeader, csvLine, jsonLine } from "./replay-text.ts"

interface ReplayDeps {
  readonly line: CommandLine
  /** Writes text; resolves when more may be written. */
  readonly write: (text: string) => Promise<void>
  readonly printError: (text: string) => void
  /** Receives the progress, if it is shown. */
  readonly onStep?: OnProgress
}

/** A longer silence is unobserved: it is neither printed nor learned as missing cycles. */
const gapCyclesMax = cyclesPerWeek
/** Characters of one write. */
const chunkCharacters = 65_536

/** Resolves to the exit status. Lines before an error in the file are printed. */
export async function runReplay({ line, write, printError, onStep }: ReplayDeps): Promise<number> {
  try {
    await replay(replayOptions(line), { write, onStep })
    return 0
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    printError(`tidegauge: ${error.message}\n`)
    return 1
  }
}

async function replay(
  options: ReplayOptions,
  {
    write,
    onStep,
  }: { readonly write: ReplayDeps["write"]; readonly onStep: OnProgress | undefined },
): Promise<void> {
  let lines: ReplayLines | undefined
  for await (const rows of readCsvRows(options.path, onStep)) {
    if (rows.length === 0) continue
    const isFirst = lines === undefined
    lines ??= new ReplayLines(options, rows[0]!)
    await flush(lines.addRows(isFirst ? rows.slice(1) : rows), write)
  }
  if (lines === undefined) throw invalid("Expected a header and rows, got an empty file")
  await flush(lines.end(), write)
}

/** Writes lines in chunks; those before an error, too. */
async function flush(lines: Iterable<string>, write: ReplayDeps["write"]): Promise<void> {
  let text = ""
  try {
    for (const line of lines) {
      text += line
      if (text.length < chunkCharacters) continue
      await write(text)
      text = ""
    }
  } finally {
    await write(text)
  }
}

/** Turns the rows of a file into printed lines. */
class ReplayLines {
  readonly #options: ReplayOptions
  readonly #metrics: readonly string[]
  readonly #rows: RowsByCycle
  readonly #closed: ReplayCycle
  #next = NaN

  constructor(options: ReplayOptions, head: CsvRow) {
    this.#options = options
    this.#metrics = readHeader(head)
    this.#rows = new RowsByCycle(head.cells)
    this.#closed = new ReplayCycle(this.#metrics.length, options)
  }

  *addRows(rows: readonly CsvRow[]): Generator<string> {
    for (const cycle of this.#rows.addRows(rows)) yield* this.#close(cycle)
  }

  *end(): Generator<string> {
    for (const cycle of this.#rows.end()) yield* this.#close(cycle)
  }

  *#close({ cycle, values }: CycleRows): Generator<string> {
    if (Number.isNaN(this.#next) && this.#options.format === "csv") yield csvHeader(this.#metrics)
    if (cycle - this.#next <= gapCyclesMax) {
      for (let missing = this.#next; missing < cycle; missing++) yield this.#line(missing)
    }
    yield this.#line(cycle, values)
    this.#next = cycle + 1
  }

  #line(cycle: number, values?: readonly MetricValues[]): string {
    const closed = this.#closed
    closed.close(cycle, values)
    if (this.#options.format === "csv") return csvLine(cycle, closed)
    return jsonLine(cycle, this.#metrics, closed)
  }
}
