/** The command lines of `tidegauge export` and `tidegauge import`. */

import { resolutions } from "../../model/resolution.ts"
import { exportFormats, importFormats } from "../../transfer/transfer-format.ts"
import type { CommandSpec, OptionSpec } from "../line/spec.ts"
import { storeOptions } from "../store/store-commands.ts"

const account: OptionSpec = {
  name: "account",
  value: "ID",
  meaning: "Id or number of an account.",
  fallback: "the first one, 0",
}
const instantForm = "an ISO 8601 instant, a date, epoch milliseconds, or a duration before now"
const nameForm = "an FQN, or a regular expression (RE2) of whole FQNs"

const exportCommand: CommandSpec = {
  name: "export",
  meaning: "Writes samples of a store into a file, also while a server runs on it.",
  details: `
All samples acknowledged before the start are in the file, which must not exist yet; - is standard
output. Its name tells the format (.csv, .jsonl, .parquet) and compression (.gz).
`,
  arguments: [{ name: "FILE", meaning: "the file to write", completes: "file" }],
  options: [
    { name: "from", value: "TIME", meaning: "Begin.", form: instantForm, isRequired: true },
    { name: "to", value: "TIME", meaning: "End, exclusive.", form: instantForm, fallback: "now" },
    {
      name: "resolution",
      value: "ROLLUP",
      meaning: "ZERO is raw samples, the others are buckets.",
      choices: resolutions,
      fallback: "ZERO",
    },
    {
      name: "element",
      value: "NAME",
      meaning: "Only elements with this name.",
      form: nameForm,
      fallback: "all",
    },
    {
      name: "metric",
      value: "NAME",
      meaning: "Only metrics with this name.",
      form: nameForm,
      fallback: "all",
    },
    {
      name: "format",
      value: "FORMAT",
      meaning: "Format of the file.",
      choices: exportFormats,
      fallback: "by its name; csv to standard output",
    },
    account,
    ...storeOptions,
  ],
  examples: [
    "export --from P7D week.parquet",
    "export --from 2026-11-01 --to 2026-12-01 --metric 'cpu\\..*' november.csv.gz",
    "export --from P90D --resolution PT1H --element web-1 -",
  ],
}

const importCommand: CommandSpec = {
  name: "import",
  meaning: "Reads samples from files, into the store of a stopped server or into a running one.",
  details: `
The formats are those of export, the text of promtool tsdb dump, OpenMetrics, and InfluxDB's line
protocol. Old samples get their rollups as if they had come in time; no cycle is closed, so there
are no events or notifications. The same file again changes nothing.

Without --url, samples go into the store of a stopped server, which is made if there is none, from
the oldest day of raw samples on that it keeps. With --url they are posted to a server with an API
key, and have to be in the period that it accepts.
`,
  arguments: [
    {
      name: "FILE",
      meaning: "files to read; - is standard input",
      isMany: true,
      completes: "file",
    },
  ],
  options: [
    {
      name: "format",
      value: "FORMAT",
      meaning: "Format of the files.",
      choices: importFormats,
      fallback: "by their names: .csv .jsonl .parquet .prom .om .lp, each with .gz",
    },
    {
      name: "skip-errors",
      meaning: "Counts lines that cannot be read, instead of ending at the first.",
    },
    {
      name: "url",
      value: "URL",
      meaning: "Address of a running server.",
      fallback: "none: the store of --data",
    },
    {
      name: "key-file",
      value: "FILE",
      meaning: "File with the API key for --url.",
      fallback: "the variable TIDEGAUGE_API_KEY",
      completes: "file",
    },
    {
      name: "element",
      value: "NAME",
      meaning: "Element of series with labels none of which names one.",
      fallback: "such lines are errors",
    },
    {
      name: "element-labels",
      value: "NAMES",
      meaning: "Labels that tell elements apart, with commas.",
      fallback: "cluster,job,instance,namespace,pod,container, or else host",
    },
    {
      name: "precision",
      value: "UNIT",
      meaning: "Unit of the times of line protocol.",
      choices: ["ns", "us", "ms", "s"],
      fallback: "ns",
    },
    {
      name: "database",
      value: "NAME",
      meaning: "Only this database of an export of InfluxDB.",
      fallback: "all",
    },
    account,
    ...storeOptions,
  ],
  examples: [
    "import week.parquet --data /var/lib/tidegauge",
    "import --url http://127.0.0.1:8080 --key-file key.txt today.csv.gz",
    "import --format prometheus dump.txt",
    "import --format influx --database telegraf --skip-errors export.gz",
  ],
}

export const transferCommands: readonly CommandSpec[] = [exportCommand, importCommand]
