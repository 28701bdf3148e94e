/**
 * Exports as JSON lines. A line is an element as a collector posts it (spec/ingest §4), so that a
 * list of lines is a valid body of the ingest API:
 *
 *   {"id":"web-1","type":"SERVER","metrics":[{"id":"cpu"}],"samples":[{"metricId":"cpu", …}, …]}
 */

import type { Resolution } from "../../model/resolution.ts"
import { valueColumns } from "../columns.ts"
import type { ExportedSeries, RowWriter, WriteBytes } from "../row-writer.ts"
import { TextOutput } from "./text-output.ts"

/** A line of these takes 70 kB. */
const samplesPerLine = 1000

export class JsonWriter implements RowWriter {
  private readonly output: TextOutput
  private readonly fields: readonly string[]
  private readonly rollup: string
  private head = ""
  private samplesHead = ""
  private count = 0

  constructor(resolution: Resolution, write: WriteBytes) {
    this.output = new TextOutput(write)
    this.fields = valueColumns(resolution).map((name) => `,"${name}":`)
    this.rollup = resolution === "ZERO" ? "" : `,"rollup":"${resolution}"`
  }

  begin({ element, metric, about }: ExportedSeries): void {
    this.endLine()
    const id = `{"id":${JSON.stringify(element)}`
    this.head = about === null ? id : about.slice(0, -1)
    this.samplesHead = `{"metricId":${JSON.stringify(metric)},"timestamp":`
  }

  row(timeMs: number, values: Float64Array): void {
    let text = this.count === 0 ? `${this.head},"samples":[` : ","
    text += this.samplesHead + String(timeMs) + this.rollup
    for (const [i, value] of values.entries()) {
      if (!Number.isNaN(value)) text += this.fields[i]! + String(value)
    }
    this.output.add(`${text}}`)
    if (this.count === 0) this.head = `{"id":${idOf(this.head)}`
    if (++this.count === samplesPerLine) this.endLine()
  }

  drain(): Promise<void> {
    this.endLine()
    return this.output.drain()
  }

  end(): Promise<void> {
    this.endLine()
    return this.output.end()
  }

  private endLine(): void {
    if (this.count > 0) this.output.add("]}\n")
    this.count = 0
  }
}

/** The JSON of the id, with which the head of a line begins; names have no quotes. */
function idOf(head: string): string {
  const start = '{"id":'.length
  return head.slice(start, head.indexOf('"', start + 1) + 1)
}
