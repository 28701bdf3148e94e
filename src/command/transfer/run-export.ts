/** `tidegauge export`. */

import type { Writable } from "node:stream"
import { invalid } from "../../base/errors.ts"
import { parseDuration, parseQueryInstant } from "../../base/iso8601.ts"
import { compilePattern, patternProblem } from "../../base/text/pattern.ts"
import type { OnProgress } from "../../base/work-progress.ts"
import type { Config } from "../../config/config.ts"
import { cleanFqn } from "../../model/fqn.ts"
import type { Resolution } from "../../model/resolution.ts"
import { openExportStore, refuseMissingStore } from "../../store/open.ts"
import { openExportFile } from "../../transfer/export/export-file.ts"
import { exportSamples, type ExportRequest } from "../../transfer/export/export-samples.ts"
import { openRowWriter } from "../../transfer/export/row-writers.ts"
import { tenantIndexOf } from "../../transfer/tenant.ts"
import {
  formatOfName,
  isExportFormat,
  isGzipName,
  standardStream,
  type ExportFormat,
} from "../../transfer/transfer-format.ts"
import type { CommandLine } from "../line/spec.ts"
import { bytesText, wholeText } from "../text/table-text.ts"

export interface ExportDeps {
  readonly config: Config
  readonly nowMs: () => number
  readonly stdout: Writable
  /** To standard error, since the file may be standard output. */
  readonly printError: (text: string) => void
  readonly onStep: OnProgress
}

/** Resolves to the exit status. */
export async function runExport(line: CommandLine, deps: ExportDeps): Promise<number> {
  const { dataPath: folder } = deps.config
  refuseMissingStore(folder)
  const path = line.words[0]!
  const format = formatOf(line, path)
  const wanted = readRequest(line, deps.nowMs())
  const store = openExportStore(folder)
  try {
    const tenant = tenantIndexOf(store, line.options.get("account") ?? "0")
    const file = await openExportFile(path, deps.stdout)
    try {
      const writer = await openRowWriter(format, wanted.resolution, file.write)
      const report = await exportSamples(store, { ...wanted, tenant }, writer, deps.onStep)
      await file.end()
      const rows = `${wholeText(report.rows)} rows of ${wholeText(report.series)} series`
      deps.printError(`${path}: ${rows}, ${bytesText(file.bytes)} of ${format}`)
    } catch (error) {
      await file.abort()
      throw error
    }
  } finally {
    await store.close()
  }
  return 0
}

function formatOf({ options }: CommandLine, path: string): ExportFormat {
  const byName = path === standardStream ? "csv" : formatOfName(path)
  const format = options.get("format") ?? byName
  if (!isExportFormat(format)) {
    throw invalid(`"${path}" tells no format: name --format csv, jsonl or parquet`)
  }
  if (format === "parquet" && isGzipName(path)) {
    throw invalid(`"${path}": Parquet is compressed inside, leave out .gz`)
  }
  return format
}

function readRequest(line: CommandLine, nowMs: number): Omit<ExportRequest, "tenant"> {
  const { options } = line
  const startMs = instantOf(line, "from", nowMs) ?? nowMs
  const endMs = instantOf(line, "to", nowMs) ?? nowMs
  if (startMs >= endMs) throw invalid("--from: expected a time before --to")
  return {
    span: { startMs, endMs },
    // Checked by the parser of command lines.
    resolution: (options.get("resolution") ?? "ZERO") as Resolution,
    isWantedElement: nameTest(line, "element"),
    isWantedMetric: nameTest(line, "metric"),
  }
}

function instantOf({ options }: CommandLine, name: string, nowMs: number): number | undefined {
  const text = options.get(name)
  if (text === undefined) return undefined
  const agoMs = parseDuration(text)
  const timeMs = agoMs === undefined ? parseQueryInstant(text) : nowMs - agoMs
  if (timeMs !== undefined) return timeMs
  const forms = "expected an ISO 8601 instant, a date, epoch milliseconds or a duration"
  throw invalid(`--${name} ${text}: ${forms}`)
}

/** Text of the characters of FQNs alone is a name; any other is a regular expression. */
function nameTest({ options }: CommandLine, name: string): (fqn: string) => boolean {
  const text = options.get(name)
  if (text === undefined) return () => true
  if (cleanFqn(text) === text) return (fqn) => fqn === text
  const problem = patternProblem(text)
  if (problem !== null) throw invalid(`--${name} ${text}: ${problem}`)
  const pattern = compilePattern(text, { caseless: false })
  return (fqn) => pattern.matchesWhole(fqn)
}
