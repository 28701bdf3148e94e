/** Reads one file in its format into a target. */

import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { PassThrough, pipeline, Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { ServiceError, invalid } from "../../base/errors.ts"
import type { OnProgress } from "../../base/work-progress.ts"
import { isGzipName, standardStream, type ImportFormat } from "../transfer-format.ts"
import { readCsv } from "./csv-reader.ts"
import type { ImportTarget } from "./import-target.ts"
import { readInflux, type InfluxOptions } from "./influx-reader.ts"
import { readJsonLines } from "./json-reader.ts"
import type { LineProblems } from "./problems.ts"
import { readPrometheus } from "./prometheus-reader.ts"

/** Bytes of one piece of input, which become lines together. */
const pieceBytes = 256 * 1024

export interface ImportFile {
  readonly path: string
  readonly format: ImportFormat
  /** For formats with labels. */
  readonly labels: InfluxOptions
  readonly stdin: Readable
}

/** True if samples of one series and time are one observation (import-target.ts). */
export function isSetFormat(format: ImportFormat): boolean {
  return format === "prometheus" || format === "openmetrics" || format === "influx"
}

/** Resolves to the bytes read. Throws `invalid` for bad content, `storage` for a bad path. */
export async function readImportFile(
  file: ImportFile,
  target: ImportTarget,
  problems: LineProblems,
  onStep: OnProgress,
): Promise<number> {
  const { path } = file
  const total = path === standardStream ? null : await sizeOf(path)
  let done = 0
  const onBytes = (bytes: number): void => {
    done = bytes
    onStep({ what: `importing ${path}`, done, total, unit: "B" })
  }
  try {
    await readFormat(file, target, problems, onBytes)
  } catch (error) {
    throw readableError(path, error)
  }
  return done
}

async function readFormat(
  file: ImportFile,
  target: ImportTarget,
  problems: LineProblems,
  onBytes: (done: number) => void,
): Promise<void> {
  const { path, format, labels } = file
  if (format === "parquet") {
    if (path === standardStream) throw invalid("Parquet is read from a file: name one instead of -")
    const { readParquet } = await import("./parquet-reader.ts")
    return readParquet(path, target, problems, onBytes)
  }
  const chunks = chunksOf(file, onBytes)
  switch (format) {
    case "csv":
      return readCsv(chunks, target, problems)
    case "jsonl":
      return readJsonLines(chunks, target, problems)
    case "influx":
      return readInflux(chunks, target, problems, labels)
    case "prometheus":
      return readPrometheus(chunks, target, problems, { ...labels, timeUnitMs: 1 })
    case "openmetrics":
      return readPrometheus(chunks, target, problems, { ...labels, timeUnitMs: 1000 })
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const { size } = await stat(path)
  // A pipe has none.
  return size === 0 ? null : size
}

/** The bytes of a file, uncompressed; `onBytes` counts those of the file. */
function chunksOf(
  { path, stdin }: ImportFile,
  onBytes: (done: number) => void,
): AsyncIterable<Uint8Array> {
  const source =
    path === standardStream ? stdin : createReadStream(path, { highWaterMark: pieceBytes })
  const counted = Readable.from(countBytes(source, onBytes), { objectMode: false })
  const sink = isGzipName(path) ? createGunzip({ chunkSize: pieceBytes }) : new PassThrough()
  // The reader of the last stream receives the error of any.
  return pipeline(counted, sink, () => {})
}

async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  onBytes: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const chunk of source) {
    done += chunk.length
    onBytes(done)
    yield chunk
  }
}

function readableError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith("Z_") === true) {
    return invalid(`${path} is no whole gzip file: ${error.message}`)
  }
  if ("syscall" in error) return new ServiceError("storage", `Cannot read ${error.message}`)
  return error
}
