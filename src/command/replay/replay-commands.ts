/** The command line of `tidegauge replay`. */

import { sparseStrategies, type SparseStrategy } from "../../model/element.ts"
import type { CommandLine, CommandSpec } from "../line/spec.ts"

export interface ReplayOptions {
  readonly path: string
  readonly format: "csv" | "json"
  readonly sparse: SparseStrategy
  readonly isCounter: boolean
}

export const replayCommand: CommandSpec = {
  name: "replay",
  meaning: "Runs a CSV file through the server's analytics, without a server.",
  details: `
Reads a CSV file as the samples of one element and runs them through the analytics of the server,
five-minute cycle by cycle. Prints for every cycle what was known of it before: the actual value,
its bands (from a week of data on), and one anomaly score in [0, 1]. The score of a cycle depends on
nothing later; about 1 % of ordinary cycles reach 0.99.

The file has a header. Its first column is the time, ascending: epoch milliseconds, ISO 8601, or
yyyy-MM-dd HH:mm:ss, which is read as UTC. Each other column is a metric; an empty cell, NaN and
null are no value. Rows of one cycle are averaged. A silence of more than a week is left out.

Ends with 0, with 1 if the file cannot be read, and with 64 for a wrong command line.
`,
  arguments: [{ name: "FILE", meaning: "a CSV file", completes: "file" }],
  options: [
    { name: "json", meaning: "Prints a JSON document a line instead of CSV." },
    {
      name: "sparse",
      value: "STRATEGY",
      meaning: "Replaces a missing value, as in METRIC_META.",
      choices: sparseStrategies,
      fallback: "None",
    },
    {
      name: "metric-type",
      value: "TYPE",
      meaning: "COUNTER: the values are running totals, and cycles are their increases.",
      choices: ["COUNTER"],
    },
  ],
  examples: ["replay data/replay/cpu.csv", "replay --json --sparse ReplaceWithZero history.csv"],
}

export function replayOptions({ words, options }: CommandLine): ReplayOptions {
  return {
    path: words[0]!,
    format: options.has("json") ? "json" : "csv",
    sparse: (options.get("sparse") ?? "None") as SparseStrategy,
    isCounter: options.has("metric-type"),
  }
}
