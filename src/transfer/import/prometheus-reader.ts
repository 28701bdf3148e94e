/**
 * Imports the text of `promtool tsdb dump` and OpenMetrics:
 *
 *   {__name__="up", instance="web-1:9100", job="node"} 1 1700000000000     milliseconds
 *   up{instance="web-1:9100",job="node"} 1 1700000000.000                  OpenMetrics: seconds
 *
 * Values that are not finite, stale marks among them, are left out.
 */

import { isEpochMs } from "../../base/epoch-unit.ts"
import { invalid } from "../../base/errors.ts"
import { importLabelSetsMax } from "../../base/limits.ts"
import type { Label } from "../../ingest/labels/label-fqn.ts"
import type { ImportSeries, ImportTarget } from "./import-target.ts"
import { LabelImport, type LabelOptions } from "./label-import.ts"
import { isBlank, linesOf } from "./lines.ts"
import { quotedValue, type LineProblems } from "./problems.ts"
import { numberOf, RowFields } from "./values.ts"

export interface PrometheusOptions extends LabelOptions {
  /** Milliseconds of a unit of time: 1 in a dump, 1000 in OpenMetrics. */
  readonly timeUnitMs: 1 | 1000
}

export async function readPrometheus(
  chunks: AsyncIterable<Uint8Array>,
  target: ImportTarget,
  problems: LineProblems,
  options: PrometheusOptions,
): Promise<void> {
  const reader = new PrometheusReader(target, options)
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) problems.guard(firstLine + i, () => reader.read(line))
    await target.drain()
  }
}

class PrometheusReader {
  private readonly target: ImportTarget
  private readonly options: PrometheusOptions
  private readonly labels: LabelImport
  private readonly types = new Map<string, "COUNTER" | "GAUGE">()
  /** By the text before the value. */
  private readonly known = new Map<string, ImportSeries>()
  private readonly fields = new RowFields()
  private lastKey = ""
  private lastSeries: ImportSeries | null = null

  constructor(target: ImportTarget, options: PrometheusOptions) {
    this.target = target
    this.options = options
    this.labels = new LabelImport(target, options)
  }

  read(line: string): void {
    if (isBlank(line)) return
    if (line.startsWith("#")) return this.readComment(line)
    const keyEnd = seriesEnd(line)
    const rest = line.slice(keyEnd).trim()
    // A native histogram, `{count:3, sum:7, …}`.
    if (rest.startsWith("{")) return void this.target.counts.noObservation++
    const series = this.seriesOf(line.slice(0, keyEnd))
    const space = rest.indexOf(" ")
    if (space < 0) throw invalid(`expected a value and a time, got ${quotedValue(rest)}`)
    const value = numberOf(rest.slice(0, space), "value")
    const time = rest.slice(space + 1).trimStart()
    // An exemplar may follow.
    const end = time.indexOf(" ")
    const timeMs = this.timeMs(end < 0 ? time : time.slice(0, end))
    if (Number.isNaN(value)) this.target.counts.noObservation++
    else if (!this.target.add(series, timeMs, this.fields.plain(value))) this.hint(timeMs)
  }

  private timeMs(text: string): number {
    const time = numberOf(text, "time")
    if (!Number.isNaN(time)) return Math.round(time * this.options.timeUnitMs)
    throw invalid(`time ${quotedValue(text)} is not a number`)
  }

  private hint(timeMs: number): void {
    const isDump = this.options.timeUnitMs === 1
    if (isDump && isEpochMs(timeMs * 1000)) {
      this.target.hint(
        "the times seem to be in seconds, as OpenMetrics has them: --format openmetrics",
      )
    } else if (!isDump && isEpochMs(timeMs / 1000)) {
      this.target.hint(
        "the times seem to be in milliseconds, as dumps have them: --format prometheus",
      )
    }
  }

  private seriesOf(key: string): ImportSeries {
    if (key === this.lastKey && this.lastSeries !== null) return this.lastSeries
    let series = this.known.get(key)
    if (series === undefined) {
      const { name, labels } = parseSeries(key)
      series = this.labels.seriesOf(name, labels, this.types.get(name))
      if (this.known.size >= importLabelSetsMax) this.known.clear()
      this.known.set(key, series)
    }
    this.lastKey = key
    this.lastSeries = series
    return series
  }

  /** `# TYPE name counter`; a family of OpenMetrics counters lacks the suffix `_total`. */
  private readComment(line: string): void {
    const [, name, type] = /^# TYPE (\S+) (\w+)\s*$/.exec(line) ?? []
    if (name === undefined) return
    if (type === "counter") {
      for (const one of [name, `${name}_total`]) this.types.set(one, "COUNTER")
    } else if (type === "histogram" || type === "summary") {
      for (const part of ["bucket", "count", "sum"]) this.types.set(`${name}_${part}`, "COUNTER")
    } else this.types.set(name, "GAUGE")
  }
}

/** Index after the series: after its labels, or after its name. */
function seriesEnd(line: string): number {
  const open = line.indexOf("{")
  const space = line.indexOf(" ")
  if (open < 0 || (space >= 0 && space < open)) {
    if (space > 0) return space
    throw invalid(`expected a series, a value and a time, got ${quotedValue(line)}`)
  }
  for (let at = open + 1; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === 125 /* } */) return at + 1
    if (code === 34 /* " */) at = closingQuote(line, at + 1)
  }
  throw invalid(`the labels have no closing brace: ${quotedValue(line)}`)
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92 /* \ */) at++
    else if (code === 34 /* " */) return at
  }
  throw invalid(`a quote is not closed: ${quotedValue(text)}`)
}

/** Name and labels of `name{label="value", …}`; the name may be the label `__name__` or quoted. */
export function parseSeries(key: string): { readonly name: string; readonly labels: Label[] } {
  const open = key.indexOf("{")
  let name = open < 0 ? key : key.slice(0, open).trim()
  const labels: Label[] = []
  const label = /\s*(?:([^\s=,{}"]+)|("(?:[^"\\]|\\.)*"))\s*(?:=\s*("(?:[^"\\]|\\.)*")\s*)?(,|\}$)/y
  label.lastIndex = open + 1
  while (open >= 0 && label.lastIndex < key.length) {
    if (key.slice(label.lastIndex).trim() === "}") break
    const found = label.exec(key)
    if (found === null) throw invalid(`cannot read the labels ${quotedValue(key)}`)
    const [, plain, quoted, value] = found
    const labelName = plain ?? unescaped(quoted!)
    if (value !== undefined && labelName !== "__name__") labels.push([labelName, unescaped(value)])
    else name = value === undefined ? labelName : unescaped(value)
  }
  if (name === "") throw invalid(`the series has no name: ${quotedValue(key)}`)
  return { name, labels }
}

function unescaped(quoted: string): string {
  const text = quoted.slice(1, -1)
  if (!text.includes("\\")) return text
  return text.replace(/\\(.)/gs, (_, one: string) => (one === "n" ? "\n" : one))
}
