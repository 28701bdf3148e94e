/**
 * Imports files of InfluxDB's line protocol, with the headers of `influx_inspect export`:
 *
 *   # DDL … # DML                              between them are statements, which are left out
 *   # CONTEXT-DATABASE:telegraf
 *   cpu,host=web-1,cpu=cpu0 usage_user=1.5,usage_system=2i 1700000000000000000
 *
 * A field is a metric, `measurement_field`, or the measurement alone if the field is `value`; tags
 * are labels. Booleans count as 1 and 0; texts are no observations.
 */

import { isEpochMs } from "../../base/epoch-unit.ts"
import { invalid } from "../../base/errors.ts"
import { importLabelSetsMax } from "../../base/limits.ts"
import type { Label } from "../../ingest/labels/label-fqn.ts"
import type { ImportSeries, ImportTarget } from "./import-target.ts"
import { LabelImport, type LabelOptions } from "./label-import.ts"
import { linesOf } from "./lines.ts"
import { quotedValue, type LineProblems } from "./problems.ts"
import { RowLines, type RowReader } from "./row-lines.ts"
import { RowFields } from "./values.ts"

const influxPrecisions = ["ns", "us", "ms", "s"] as const
export type InfluxPrecision = (typeof influxPrecisions)[number]

export interface InfluxOptions extends LabelOptions {
  readonly precision: InfluxPrecision
  /** Lines of other databases are left out; null takes all. */
  readonly database: string | null
}

export async function readInflux(
  chunks: AsyncIterable<Uint8Array>,
  target: ImportTarget,
  problems: LineProblems,
  options: InfluxOptions,
): Promise<void> {
  const rows = new RowLines(new InfluxReader(target, options), problems)
  for await (const { firstLine, lines } of linesOf(chunks)) {
    for (const [i, line] of lines.entries()) rows.take(firstLine + i, line)
    await target.drain()
  }
  rows.end()
}

/** Measurement and tags of some lines, with the series of each field. */
interface Key {
  readonly measurement: string
  readonly tags: readonly Label[]
  readonly fields: Map<string, ImportSeries>
}

class InfluxReader implements RowReader {
  private readonly target: ImportTarget
  private readonly options: InfluxOptions
  private readonly labels: LabelImport
  private readonly keys = new Map<string, Key>()
  private readonly fields = new RowFields()
  private isStatement = false
  private isOtherDatabase = false
  /** The lines so far of a row with a text that goes on; null if none does. */
  private open: string[] | null = null

  constructor(target: ImportTarget, options: InfluxOptions) {
    this.target = target
    this.options = options
    this.labels = new LabelImport(target, options)
    this.isOtherDatabase = options.database !== null
  }

  get isOpen(): boolean {
    return this.open !== null
  }

  abandonRow(): void {
    this.open = null
  }

  readLine(text: string): void {
    if (this.open !== null) return this.goOn(this.open, text)
    const line = text.trimStart()
    if (line === "") return
    if (line.startsWith("#")) return this.readComment(line)
    if (this.isStatement || this.isOtherDatabase) return
    const keyEnd = unescapedIndex(line, spaceCode, 0)
    if (keyEnd <= 0)
      throw invalid(`expected measurement, fields and time, got ${quotedValue(line)}`)
    const fieldsStart = firstOther(line, spaceCode, keyEnd)
    const fieldsEnd = endOfFields(line, fieldsStart, false)
    if (fieldsEnd < 0) this.open = [line]
    else this.readRow(line, { keyEnd, fieldsStart, fieldsEnd })
  }

  /** Reads one more line of a row whose text goes on. */
  private goOn(open: string[], text: string): void {
    open.push(text)
    if (endOfFields(text, 0, true) < 0) return
    this.open = null
    this.readLine(open.join("\n"))
  }

  private readRow(
    line: string,
    at: { readonly keyEnd: number; readonly fieldsStart: number; readonly fieldsEnd: number },
  ): void {
    const time = line.slice(at.fieldsEnd).trim()
    if (time === "") throw invalid("the line has no time")
    const timeMs = this.timeMs(time)
    const key = this.keyOf(line.slice(0, at.keyEnd))
    for (const [name, value] of fieldsOf(line.slice(at.fieldsStart, at.fieldsEnd))) {
      const number = fieldValue(name, value)
      if (Number.isNaN(number)) this.target.counts.noObservation++
      else if (!this.target.add(this.seriesOf(key, name), timeMs, this.fields.plain(number)))
        this.target.hint(precisionHint(time, this.options.precision))
    }
  }

  private readComment(line: string): void {
    if (/^#\s*DDL\b/.test(line)) this.isStatement = true
    else if (/^#\s*DML\b/.test(line)) this.isStatement = false
    const [, database] = /^#\s*CONTEXT-DATABASE:\s*(.*?)\s*$/.exec(line) ?? []
    if (database === undefined) return
    this.isOtherDatabase = this.options.database !== null && database !== this.options.database
  }

  private timeMs(text: string): number {
    const { precision } = this.options
    if (/^-?\d{1,19}$/.test(text)) return epochMs(text, precision)
    throw invalid(`time ${quotedValue(text)}: expected a whole number of ${precision}`)
  }

  private keyOf(text: string): Key {
    let key = this.keys.get(text)
    if (key !== undefined) return key
    const [measurement, ...tags] = splitUnescaped(text, commaCode)
    key = { measurement: unescaped(measurement!), tags: tags.map(tagOf), fields: new Map() }
    if (this.keys.size >= importLabelSetsMax) this.keys.clear()
    this.keys.set(text, key)
    return key
  }

  private seriesOf(key: Key, field: string): ImportSeries {
    let series = key.fields.get(field)
    if (series === undefined) {
      const { measurement, tags } = key
      const name = field === "value" ? measurement : `${measurement}_${field}`
      series = this.labels.seriesOf(name, tags, "GAUGE")
      key.fields.set(field, series)
    }
    return series
  }
}

/** Epoch milliseconds of a whole number. */
function epochMs(text: string, precision: InfluxPrecision): number {
  switch (precision) {
    case "ns":
      return Number(BigInt.asIntN(64, BigInt(text)) / 1_000_000n)
    case "us":
      return Math.floor(Number(text) / 1000)
    case "ms":
      return Number(text)
    case "s":
      return Number(text) * 1000
  }
}

/** Names the precision in which a time is a plausible instant, if it is another one. */
function precisionHint(text: string, precision: InfluxPrecision): string | null {
  if (isEpochMs(epochMs(text, precision))) return null
  const other = influxPrecisions.find((one) => isEpochMs(epochMs(text, one)))
  return other === undefined ? null : `the times seem to be in ${other}: --precision ${other}`
}

const spaceCode = 32
const commaCode = 44
const equalsCode = 61
const quoteCode = 34
const backslashCode = 92

/** Index of a character that no backslash precedes; -1 if there is none. */
function unescapedIndex(text: string, code: number, from: number): number {
  for (let at = from; at < text.length; at++) {
    const found = text.charCodeAt(at)
    if (found === backslashCode) at++
    else if (found === code) return at
  }
  return -1
}

function splitUnescaped(text: string, code: number): string[] {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const to = unescapedIndex(text, code, from)
    if (to < 0) return [...parts, text.slice(from)]
    parts.push(text.slice(from, to))
    from = to + 1
  }
}

/** A backslash is itself unless a comma, an equals sign or a space follows. */
function unescaped(text: string): string {
  return text.includes("\\") ? text.replace(/\\([,= ])/g, "$1") : text
}

function tagOf(text: string): Label {
  const at = unescapedIndex(text, equalsCode, 0)
  if (at <= 0) throw invalid(`tag ${quotedValue(text)}: expected name=value`)
  return [unescaped(text.slice(0, at)), unescaped(text.slice(at + 1))]
}

/** Index of the first other character from `from` on. */
function firstOther(text: string, code: number, from: number): number {
  let at = from
  while (text.charCodeAt(at) === code) at++
  return at
}

/**
 * Index after the fields, which may have spaces in texts; -1 if a text goes on in the next line.
 * `isText`: `from` is within one.
 */
function endOfFields(line: string, from: number, isText: boolean): number {
  let isWithin = isText
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === backslashCode) at++
    else if (code === quoteCode) isWithin = !isWithin
    else if (code === spaceCode && !isWithin) return at
  }
  return isWithin ? -1 : line.length
}

/** Names and values of `name=value,…`. */
function* fieldsOf(text: string): Generator<readonly [string, string]> {
  for (let from = 0; from <= text.length;) {
    const equals = unescapedIndex(text, equalsCode, from)
    if (equals <= from) throw invalid(`field ${quotedValue(text.slice(from))}: expected name=value`)
    const end = endOfValue(text, equals + 1)
    yield [unescaped(text.slice(from, equals)), text.slice(equals + 1, end)]
    from = end + 1
  }
}

function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) !== quoteCode) {
    const comma = text.indexOf(",", from)
    return comma < 0 ? text.length : comma
  }
  const quote = unescapedIndex(text, quoteCode, from + 1)
  if (quote < 0) throw invalid(`a text is not closed: ${quotedValue(text.slice(from))}`)
  return quote + 1
}

const booleans: ReadonlyMap<string, number> = new Map([
  ...["t", "T", "true", "True", "TRUE"].map((text) => [text, 1] as const),
  ...["f", "F", "false", "False", "FALSE"].map((text) => [text, 0] as const),
])
const fieldNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const wholeNumber = /^[+-]?\d+[iu]$/

/** NaN for a text. Throws `invalid`. */
function fieldValue(name: string, text: string): number {
  if (fieldNumber.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : NaN
  }
  if (wholeNumber.test(text)) return Number(text.slice(0, -1))
  const boolean = booleans.get(text)
  if (boolean !== undefined) return boolean
  if (text.startsWith('"')) return NaN
  throw invalid(`field ${name}: ${quotedValue(text)} is no number, boolean or text`)
}
