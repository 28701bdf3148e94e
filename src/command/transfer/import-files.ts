/** The files of `tidegauge import`, one after the other, and the report of each. */

import type { Readable } from "node:stream"
import { ServiceError, invalid } from "../../base/errors.ts"
import type { OnProgress } from "../../base/work-progress.ts"
import { isSetFormat, readImportFile, type ImportFile } from "../../transfer/import/import-file.ts"
import { ImportTarget, type ImportCounts } from "../../transfer/import/import-target.ts"
import type { InfluxPrecision } from "../../transfer/import/influx-reader.ts"
import { LineProblems } from "../../transfer/import/problems.ts"
import type { SampleSink } from "../../transfer/import/sample-sink.ts"
import { formatOfName, standardStream, type ImportFormat } from "../../transfer/transfer-format.ts"
import type { CommandLine } from "../line/spec.ts"
import { bytesText, wholeText } from "../text/table-text.ts"

export interface ImportFilesDeps {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number
  readonly stdin: Readable
  readonly printError: (text: string) => void
  readonly onStep: OnProgress
}

/** Times of samples that are taken, both inclusive. */
export interface Period {
  readonly oldestMs: number
  readonly newestMs: number
}

/** Resolves to the exit status: 1 if lines were skipped. Throws at the first bad line otherwise. */
export async function importFiles(
  line: CommandLine,
  deps: ImportFilesDeps,
  sink: SampleSink,
  period: Period,
): Promise<number> {
  const files = line.words.map((path) => readLine(line, path, deps))
  if (files.length === 0) throw invalid("Expected the name of a file, or - for standard input")
  let skipped = 0
  for (const file of files) {
    const startedMs = deps.elapsedMs()
    const target = new ImportTarget({ sink, period, isSet: isSetFormat(file.format) })
    const skips = line.options.has("skip-errors")
    const problems = new LineProblems(file.path, skips, deps.printError)
    const bytes = await storingBefore(target, () =>
      readImportFile(file, target, problems, deps.onStep),
    )
    await target.end()
    const forMs = deps.elapsedMs() - startedMs
    deps.printError(summaryOf(file.path, { target, bytes, forMs }, problems.count))
    skipped += problems.count
  }
  return skipped === 0 ? 0 : 1
}

/** Runs `read`; what came before a bad line is stored before its error is thrown. */
async function storingBefore(target: ImportTarget, read: () => Promise<number>): Promise<number> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ServiceError && error.code === "invalid") await target.end()
    throw error
  }
}

function readLine({ options }: CommandLine, path: string, { stdin }: ImportFilesDeps): ImportFile {
  const format = (options.get("format") as ImportFormat | undefined) ?? formatOfName(path)
  if (format === undefined) {
    const what = path === standardStream ? "standard input" : `"${path}"`
    throw invalid(`${what} tells no format: name it with --format`)
  }
  const names = options
    .get("element-labels")
    ?.split(",")
    .map((name) => name.trim())
  return {
    path,
    format,
    stdin,
    labels: {
      element: options.get("element") ?? null,
      precision: (options.get("precision") ?? "ns") as InfluxPrecision,
      database: options.get("database") ?? null,
      ...(names === undefined ? {} : { elementLabels: names }),
    },
  }
}

const reasons: Readonly<Record<Exclude<keyof ImportCounts, "stored">, string>> = {
  noObservation: "without a finite number",
  tooOld: "older than what is kept or accepted",
  tooNew: "in the future",
  ofCounters: "buckets of counters, which cannot be imported",
}

function summaryOf(
  path: string,
  read: { readonly target: ImportTarget; readonly bytes: number; readonly forMs: number },
  skipped: number,
): string {
  const { bytes, forMs } = read
  const { counts, timeHint } = read.target
  const rate = wholeText(counts.stored / Math.max(forMs / 1000, 0.001))
  const samples = `${wholeText(counts.stored)} samples`
  const lines = [`${path}: ${samples} of ${bytesText(bytes)} are stored, ${rate} a second`]
  for (const name of Object.keys(reasons) as (keyof typeof reasons)[]) {
    if (counts[name] > 0) lines.push(`  left out: ${wholeText(counts[name])} ${reasons[name]}`)
  }
  if (timeHint !== null) lines.push(`  ${timeHint}`)
  if (skipped > 0) lines.push(`  skipped: ${wholeText(skipped)} lines with errors`)
  return lines.join("\n")
}
