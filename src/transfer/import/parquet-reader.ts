/**
 * Imports Parquet with the columns of an export, of any writer: compressed with Snappy, gzip,
 * Brotli or, if Node has it, Zstandard; timestamps in milliseconds, microseconds or nanoseconds,
 * or whole numbers of milliseconds. Columns are read row group by row group.
 */

import { open } from "node:fs/promises"
import zlib, { brotliDecompressSync, gunzipSync } from "node:zlib"
import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from "hyparquet"
import { invalid } from "../../base/errors.ts"
import { parquetGroupRowsMax } from "../../base/limits.ts"
import type { ImportTarget } from "./import-target.ts"
import { quotedValue, type LineProblems } from "./problems.ts"
import { RowImport } from "./row-import.ts"
import { fieldIndex, instantOf, RowFields } from "./values.ts"

type Columns = ReadonlyMap<string, ArrayLike<unknown>>

const named = ["element", "metric", "timestamp", "rollup", "about"] as const

/** `onBytes`: how far into the file. Rows count from 1 in messages. */
export async function readParquet(
  path: string,
  target: ImportTarget,
  problems: LineProblems,
  onBytes: (done: number) => void,
): Promise<void> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const file: AsyncBuffer = {
      byteLength: size,
      slice: async (start, end = size) => {
        const length = end - start
        const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, start)
        if (bytesRead < length) throw invalid(`${path} ends at byte ${start + bytesRead}`)
        return buffer.buffer
      },
    }
    await readGroups(file, await metadataOf(file, path), { path, target, problems, onBytes })
  } finally {
    await handle.close()
  }
}

interface ParquetImport {
  readonly path: string
  readonly target: ImportTarget
  readonly problems: LineProblems
  readonly onBytes: (done: number) => void
}

async function metadataOf(file: AsyncBuffer, path: string): Promise<FileMetaData> {
  try {
    return await parquetMetadataAsync(file)
  } catch (error) {
    throw invalid(`${path} is no Parquet file: ${(error as Error).message}`)
  }
}

async function readGroups(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { path, target, problems, onBytes }: ParquetImport,
): Promise<void> {
  const columns = wantedColumns(metadata, path)
  const reader = new ParquetRows(target)
  let rowStart = 0
  for (const [i, group] of metadata.row_groups.entries()) {
    const count = Number(group.num_rows)
    if (count > parquetGroupRowsMax) {
      throw invalid(`${path}: a row group has ${count} rows, at most ${parquetGroupRowsMax} fit`)
    }
    const rows = { rowStart, count }
    const data = await columnsOfGroup(file, metadata, columns, rows).catch((error: unknown) => {
      // The package throws plain errors for what it cannot read, such as an unknown compression.
      throw invalid(`${path}, rows from ${rowStart + 1}: ${(error as Error).message}`)
    })
    for (let row = 0; row < count; row++) {
      problems.guard(rowStart + row + 1, () => reader.read(data, row))
    }
    rowStart += count
    onBytes((file.byteLength * (i + 1)) / metadata.row_groups.length)
    await target.drain()
  }
}

function wantedColumns(metadata: FileMetaData, path: string): string[] {
  const present = parquetSchema(metadata).children.map(({ element }) => element.name)
  const missing = ["element", "metric", "timestamp"].filter((name) => !present.includes(name))
  if (missing.length > 0) {
    const found = present.slice(0, 20).join(", ")
    throw invalid(`${path}: expected columns element, metric and timestamp, got ${found}`)
  }
  return [...named, ...fieldIndex.keys()].filter((name) => present.includes(name))
}

async function columnsOfGroup(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  { rowStart, count }: { readonly rowStart: number; readonly count: number },
): Promise<Columns> {
  const parts = new Map<string, ArrayLike<unknown>[]>()
  await parquetRead({
    file,
    metadata,
    columns,
    compressors,
    rowStart,
    rowEnd: rowStart + count,
    onChunk: ({ columnName, columnData }) => {
      const list = parts.get(columnName)
      if (list === undefined) parts.set(columnName, [columnData])
      else list.push(columnData)
    },
  })
  return new Map([...parts].map(([name, list]) => [name, joined(list)]))
}

function joined(parts: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  if (parts.length === 1) return parts[0]!
  return parts.flatMap((part) => Array.from(part))
}

/** Node has Zstandard from 22.15 on; the types are those of Node 20, which lack it. */
const { zstdDecompressSync: zstd } = zlib as { zstdDecompressSync?: typeof gunzipSync }

/** Besides those of the package. */
const compressors: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ...(zstd === undefined ? {} : { ZSTD: (bytes: Uint8Array) => zstd(bytes) }),
}

class ParquetRows {
  private readonly rows: RowImport
  private readonly fields = new RowFields()

  constructor(target: ImportTarget) {
    this.rows = new RowImport(target)
  }

  read(columns: Columns, row: number): void {
    const about = columns.get("about")?.[row]
    if (typeof about === "string" && about !== "") this.rows.declare(about)
    const { fields } = this
    fields.clear()
    for (const [name, field] of fieldIndex) {
      const value = columns.get(name)?.[row]
      if (value === undefined || value === null) continue
      if (typeof value !== "number" && typeof value !== "bigint") {
        throw invalid(`${name} ${quotedValue(value)} is not a number`)
      }
      fields.add(field, Number(value))
    }
    const element = textOf(columns, "element", row)
    const metric = textOf(columns, "metric", row)
    const timeMs = timeOf(columns.get("timestamp")?.[row])
    const rollup = columns.get("rollup")?.[row] ?? undefined
    if (rollup === undefined) this.rows.add(element, metric, timeMs, fields)
    else this.rows.addBucket(rollup, { element, metric, timeMs, fields })
  }
}

function textOf(columns: Columns, name: string, row: number): string {
  const value = columns.get(name)?.[row]
  if (typeof value === "string") return value
  throw invalid(`${name} ${quotedValue(value)}: expected a text`)
}

/** The package gives a date for each type of timestamp. */
function timeOf(value: unknown): number {
  if (value instanceof Date) return instantOf(value.getTime())
  return instantOf(typeof value === "bigint" ? Number(value) : value)
}
