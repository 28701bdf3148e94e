/** Exports and imports of stores in folders, and all that a store answers. */

import { PassThrough, Readable } from "node:stream"
import type { BucketResolution, Resolution } from "../../../src/model/resolution.ts"
import { dayMs, resolutions } from "../../../src/model/resolution.ts"
import { SettingsBackfill } from "../../../src/engine/settings-backfill.ts"
import { openExportStore } from "../../../src/store/open.ts"
import type { WriteStore } from "../../../src/store/store.ts"
import { openExportFile } from "../../../src/transfer/export/export-file.ts"
import { exportSamples, type ExportReport } from "../../../src/transfer/export/export-samples.ts"
import { openRowWriter } from "../../../src/transfer/export/row-writers.ts"
import { isSetFormat, readImportFile } from "../../../src/transfer/import/import-file.ts"
import { ImportTarget, type ImportCounts } from "../../../src/transfer/import/import-target.ts"
import type { InfluxOptions } from "../../../src/transfer/import/influx-reader.ts"
import { LineProblems } from "../../../src/transfer/import/problems.ts"
import type { SampleSink } from "../../../src/transfer/import/sample-sink.ts"
import { StoreSink } from "../../../src/transfer/import/store-sink.ts"
import { formatOfName, type ExportFormat } from "../../../src/transfer/transfer-format.ts"
import { openWriter, reading } from "./lmdb-folder.ts"
import { noonMs } from "../ingest/samples.ts"

/** All of which a test's samples are. */
export const wholeSpan = { startMs: noonMs - 40 * dayMs, endMs: noonMs + dayMs }

/** Writes the file, in the format that its name tells. */
export async function exportStore(
  folder: string,
  path: string,
  resolution: Resolution = "ZERO",
  span = wholeSpan,
): Promise<ExportReport> {
  const store = openExportStore(folder)
  try {
    const file = await openExportFile(path, new PassThrough())
    const writer = await openRowWriter(formatOfName(path) as ExportFormat, resolution, file.write)
    const all = { isWantedElement: () => true, isWantedMetric: () => true }
    const request = { tenant: 0, span, resolution, ...all }
    const report = await exportSamples(store, request, writer, () => {})
    await file.end()
    return report
  } finally {
    await store.close()
  }
}

export interface ImportOptions extends Partial<InfluxOptions> {
  readonly oldestMs?: number
  readonly skips?: boolean
}

export interface Imported {
  readonly counts: ImportCounts
  readonly problems: readonly string[]
  readonly timeHint: string | null
}

/** Reads the file into a store, which is made if there is none. */
export async function importInto(
  folder: string,
  path: string,
  options: ImportOptions = {},
): Promise<Imported> {
  const store = openWriter(folder)
  try {
    return await importFile(storeSink(store), path, options)
  } finally {
    await store.close()
  }
}

export function storeSink(store: WriteStore): StoreSink {
  return new StoreSink({
    store,
    backfill: new SettingsBackfill(() => 0),
    tenant: 0,
    limits: { seriesMax: Infinity, newSeriesPerMinuteMax: Infinity, textBytesMax: Infinity },
    nowMs: () => noonMs,
  })
}

/** Reads a file, or text with a name that tells its format. */
export async function importFile(
  sink: SampleSink,
  path: string,
  options: ImportOptions = {},
  text?: string,
): Promise<Imported> {
  const { oldestMs = -Infinity, skips = false } = options
  const format = formatOfName(path)!
  const period = { oldestMs, newestMs: noonMs + dayMs }
  const target = new ImportTarget({ sink, period, isSet: isSetFormat(format) })
  const printed: string[] = []
  const problems = new LineProblems(path, skips, (line) => void printed.push(line))
  const labels = { element: null, precision: "ns", database: null, ...options } as const
  const stdin = Readable.from(text === undefined ? [] : [Buffer.from(text)])
  const file = { path: text === undefined ? path : "-", format, labels, stdin }
  await readImportFile(file, target, problems, () => {})
  await target.end()
  return { counts: target.counts, problems: printed, timeHint: target.timeHint }
}

/** Every answer of a store about its flushed samples, by names; equal stores give equal ones. */
export function answersOf(folder: string, kinds: readonly Resolution[] = resolutions) {
  return reading(folder, (reader) => {
    const { catalogue } = reader
    const all = Int32Array.from({ length: catalogue.seriesCount }, (_, series) => series)
    const span = wholeSpan
    const answers = Array.from(all, (series) => {
      const element = catalogue.seriesElement(series)
      const { createdMs: _, ...info } = catalogue.elementInfo(element)
      const one = Int32Array.of(series)
      const values = kinds.map((resolution) => {
        const request = { series: one, span, resolution, withValues: true, exact: false }
        return [
          resolution,
          reader.samples(one, { span, resolution }, null),
          reader
            .statistics(request, null)
            .map(({ statistics, values: list }) => [statistics, list]),
        ]
      })
      const name = catalogue.name(catalogue.seriesName(series)).fqn
      const definition = catalogue.seriesDefinition(series)
      return { id: `${catalogue.elementFqn(element)} ${name}`, info, definition, values }
    })
    return answers.sort((one, other) => (one.id < other.id ? -1 : 1))
  })
}

/** Flushes and compacts all that is due at noon. */
export function settle(store: WriteStore, nowMs = noonMs + dayMs): void {
  const moment = { nowMs, budgetMs: 1e9, idle: true, keepsAll: true, flushUpToMs: nowMs + dayMs }
  for (let steps = 0; steps < 1000; steps++) if (!store.maintain(moment).moreDue) return
}

export const bucketKinds: readonly BucketResolution[] = ["PT5M", "PT1H", "PT24H"]
