/** The formats of files of samples, and how a file's name tells its format. */

export const exportFormats = ["csv", "jsonl", "parquet"] as const
export type ExportFormat = (typeof exportFormats)[number]

export const importFormats = [...exportFormats, "prometheus", "openmetrics", "influx"] as const
export type ImportFormat = (typeof importFormats)[number]

/** Standard input or output in place of a file. */
export const standardStream = "-"

const formatOfEnding: Readonly<Record<string, ImportFormat>> = {
  csv: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  prom: "prometheus",
  om: "openmetrics",
  lp: "influx",
  influx: "influx",
}

/** True if the bytes of the file are gzip, by its name. */
export function isGzipName(path: string): boolean {
  return path.toLowerCase().endsWith(".gz")
}

/** The format that the name of a file tells, `.gz` left out; undefined if it tells none. */
export function formatOfName(path: string): ImportFormat | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, "")
  return formatOfEnding[/\.([a-z]+)$/.exec(name)?.[1] ?? ""]
}

export function isExportFormat(format: string | undefined): format is ExportFormat {
  return (exportFormats as readonly (string | undefined)[]).includes(format)
}
