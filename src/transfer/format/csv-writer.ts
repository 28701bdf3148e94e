/** Exports as CSV (RFC 4180): a header, fields between commas, lines that end with CR LF. */

import { csvField } from "../../base/text/csv-field.ts"
import type { Resolution } from "../../model/resolution.ts"
import { columnsOf } from "../columns.ts"
import type { ExportedSeries, RowWriter, WriteBytes } from "../row-writer.ts"
import { TextOutput } from "./text-output.ts"

const lineEnd = "\r\n"

export class CsvWriter implements RowWriter {
  private readonly output: TextOutput
  private readonly rollup: string
  private prefix = ""
  private about = ""

  constructor(resolution: Resolution, write: WriteBytes) {
    this.output = new TextOutput(write)
    this.rollup = resolution === "ZERO" ? "" : `,${resolution}`
    this.output.add(columnsOf(resolution).join(",") + lineEnd)
  }

  begin({ element, metric, about }: ExportedSeries): void {
    this.prefix = `${csvField(element)},${csvField(metric)},`
    this.about = about === null ? "" : csvField(about)
  }

  row(timeMs: number, values: Float64Array): void {
    let text = this.prefix + String(timeMs) + this.rollup
    for (const value of values) text += Number.isNaN(value) ? "," : `,${value}`
    this.output.add(`${text},${this.about}${lineEnd}`)
    this.about = ""
  }

  drain(): Promise<void> {
    return this.output.drain()
  }

  end(): Promise<void> {
    return this.output.end()
  }
}
