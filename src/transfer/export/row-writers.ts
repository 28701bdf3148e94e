/** The writer of each format. */

import type { Resolution } from "../../model/resolution.ts"
import { CsvWriter } from "../format/csv-writer.ts"
import { JsonWriter } from "../format/json-writer.ts"
import type { RowWriter, WriteBytes } from "../row-writer.ts"
import type { ExportFormat } from "../transfer-format.ts"

/** The writer of Parquet is loaded if it is used. */
export async function openRowWriter(
  format: ExportFormat,
  resolution: Resolution,
  write: WriteBytes,
): Promise<RowWriter> {
  if (format === "csv") return new CsvWriter(resolution, write)
  if (format === "jsonl") return new JsonWriter(resolution, write)
  const { ParquetRowWriter } = await import("../format/parquet-writer.ts")
  return new ParquetRowWriter(resolution, write)
}
