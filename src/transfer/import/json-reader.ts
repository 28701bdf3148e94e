/**
 * Imports JSON lines: each is an element as a collector posts it (spec/ingest §4), or a list of
 * them, with epoch milliseconds or ISO 8601 as times.
 */

import { invalid } from "../../base/errors.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { quoteBareValues } from "../../ingest/parser/bare-values.ts"
import type { ImportTarget } from "./import-target.ts"
import { isBlank, linesOf } from "./lines.ts"
import { quotedValue, type LineProblems } from "./problems.ts"
import { RowImport } from "./row-import.ts"
import { fieldIndex, instantOf, numberOf, RowFields } from "./values.ts"

export async function readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  target: ImportTarget,
  problems: LineProblems,
): Promise<void> {
  const reader = new JsonReader(target)
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) {
      if (!isBlank(line)) problems.guard(firstLine + i, () => reader.read(line))
    }
    await target.drain()
  }
}

class JsonReader {
  private readonly target: ImportTarget
  private readonly rows: RowImport
  private readonly fields = new RowFields()

  constructor(target: ImportTarget) {
    this.target = target
    this.rows = new RowImport(target)
  }

  read(line: string): void {
    const value = parsed(line)
    for (const element of Array.isArray(value) ? value : [value]) this.readElement(element)
  }

  private readElement(element: unknown): void {
    if (!isObject(element)) throw invalid(`${quotedValue(element)} is no element`)
    const { id, samples = [] } = element
    if (typeof id !== "string") throw invalid(`id ${quotedValue(id)}: expected a text`)
    if (!Array.isArray(samples)) throw invalid(`samples ${quotedValue(samples)} is not a list`)
    // The keys of a line that only continues an element.
    if (Object.keys(element).some((key) => key !== "id" && key !== "samples")) {
      this.target.declare(element)
    }
    for (const sample of samples as readonly unknown[]) this.readSample(id, sample)
  }

  private readSample(element: string, sample: unknown): void {
    if (!isObject(sample)) throw invalid(`${quotedValue(sample)} is no sample`)
    const { metricId: metric, timestamp, rollup } = sample
    if (typeof metric !== "string")
      throw invalid(`metricId ${quotedValue(metric)}: expected a text`)
    const timeMs = instantOf(timestamp)
    this.readFields(sample)
    const { fields } = this
    if (rollup === undefined) this.rows.add(element, metric, timeMs, fields)
    else this.rows.addBucket(rollup, { element, metric, timeMs, fields })
  }

  private readFields(sample: JsonObject): void {
    const { fields } = this
    fields.clear()
    for (const name in sample) {
      const field = fieldIndex.get(name)
      if (field === undefined) continue
      const value = sample[name]
      if (typeof value === "number") fields.add(field, value)
      else if (typeof value === "string" && value !== "") fields.add(field, numberOf(value, name))
      else if (typeof value === "boolean")
        throw invalid(`${name} ${quotedValue(value)} is not a number`)
    }
  }
}

/** As JSON.parse, but accepts bare NaN and Infinity as values of samples (spec/ingest §7). */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    const quoted = quoteBareValues(line.trimStart().startsWith("{") ? `[${line}]` : line)
    if (quoted === undefined) throw noJson(error)
    try {
      return JSON.parse(quoted)
    } catch {
      throw noJson(error)
    }
  }
}

function noJson(error: unknown): Error {
  return invalid(`no JSON: ${(error as Error).message}`)
}
