/** What `tidegauge replay` was asked for. */

import { sparseStrategies, type SparseStrategy } from "../model/element.ts"

export type ReplayArguments =
  ReplayOptions | { readonly help: string } | { readonly problem: string }

export interface ReplayOptions {
  readonly path: string
  readonly format: "csv" | "json"
  readonly sparse: SparseStrategy
  readonly isCounter: boolean
}

export const replayHelp = `tidegauge replay FILE.csv: what would have been found in a past of yours.

Reads a CSV file as the samples of one element and runs them through the analytics of the server,
five-minute cycle by cycle, without a server. Prints for every cycle what was known of it before:
the actual value, its bands (from a week of data on), and one anomaly score in [0, 1]. The score
of a cycle depends on nothing later; about 1 % of ordinary cycles reach 0.99.

The file has a header. Its first column is the time, ascending: epoch milliseconds, ISO 8601, or
yyyy-MM-dd HH:mm:ss, which is read as UTC. Each other column is a metric; an empty cell, NaN and
null are no value. Rows of one cycle are averaged. A silence of more than a week is left out.

  --json              a JSON document a line instead of CSV
  --sparse STRATEGY   what stands in for a missing value, as in METRIC_META:
                      ${sparseStrategies.slice(0, 3).join(", ")},
                      ${sparseStrategies.slice(3).join(", ")}
  --metric-type COUNTER
                      the values are running totals: cycles are their increases
  --help              this text

Ends with 0, with 1 where the file cannot be read, and with 64 for a wrong command line.
`

/** Reads the arguments behind `replay`. */
export function readReplayArguments(argv: readonly string[]): ReplayArguments {
  if (argv.includes("--help") || argv.includes("-h")) return { help: replayHelp }
  let path: string | undefined
  let format: ReplayOptions["format"] = "csv"
  let sparse: SparseStrategy = "None"
  let isCounter = false
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!
    const [, flag = "", inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argument) ?? []
    const valueOf = (): string => inline ?? argv[++i] ?? ""
    if (flag === "--json" && inline === undefined) format = "json"
    else if (flag === "--sparse") {
      const text = valueOf()
      const found = sparseStrategies.find((name) => name.toLowerCase() === text.toLowerCase())
      if (found === undefined) {
        return {
          problem: `--sparse: expected one of ${sparseStrategies.join(", ")}, got "${text}"`,
        }
      }
      sparse = found
    } else if (flag === "--metric-type") {
      const text = valueOf()
      if (text.toUpperCase() !== "COUNTER") {
        return { problem: `--metric-type: expected COUNTER, got "${text}"` }
      }
      isCounter = true
    } else if (argument.startsWith("-")) {
      const known = "--json, --sparse, --metric-type, --help"
      return { problem: `Argument ${i + 1} of replay: expected ${known}, got "${argument}"` }
    } else if (path !== undefined) {
      return { problem: `replay takes one file, got "${path}" and "${argument}"` }
    } else path = argument
  }
  if (path === undefined) return { problem: "replay needs a CSV file; --help tells more" }
  return { path, format, sparse, isCounter }
}
