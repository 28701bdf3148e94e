/**
 * One request that can be sent again and again: each pass moves its times forward and alters its
 * values, in place. Bodies for minutes at full speed do not fit into memory if each is made before
 * the clock starts, and to print them meanwhile would cost the client more than its processor.
 *
 *   what                 in pass p
 *   times                + p × the span of the corpus
 *   counters             + p × what the span adds at most, so they never fall
 *   pages of memory      another number of pages
 *   gauges               another last digit behind the point
 *   names with `.g00001` the generation + p: the old series ends, a new one begins
 *
 * A number keeps its width. Constants, aggregates of agents and gauges whose last digits are zero
 * stay as they are. Without this each series would repeat itself every hour, which a compressor
 * with a window finds.
 */

import { assert } from "../../src/base/assert.ts"
import type { BodyFormat } from "../load/bodies.ts"
import type { LoadMetric } from "../load/workload.ts"

export type ValueKind = LoadMetric["stream"] | "fixed"

/** The difference between two passes. */
export interface PassStep {
  readonly spanMs: number
  /** More than any counter grows in the span. */
  readonly counterGrowth: number
}

interface Origin {
  /** A whole request, head and body, of one of these formats. */
  readonly bytes: Buffer
  readonly format: Exclude<BodyFormat, "line">
  /** Samples in it. */
  readonly samples: number
  /** Kind of each sample's value, in the order of the body. */
  readonly kindOf: (sample: number) => ValueKind
}

interface Times {
  readonly firstMs: number
  readonly isIso: boolean
  /** Where their digits begin. */
  readonly places: Uint32Array
}

interface Numbers {
  readonly places: Uint32Array
  readonly firsts: Float64Array
}

const fields: Readonly<Record<Origin["format"], RegExp>> = {
  tidegauge: /"(timestamp|val|avg)": ?("[^"]*"|[^,}\s]+)/g,
  opentsdb: /"(timestamp|value)": ?([^,}\s]+)/g,
  import: /"(timestamps|values)":(\[[^\]]*\])/g,
}
const generations = /\.g(\d{5})"/g
/** Of whole seconds, counters and pages: all of them have this width for the next 260 years. */
const digits = 10
const half = 100_000
const generationDigits = 5
const zero = 48
const pageBytes = 4096
const pagesMost = 64

export class MovingRequest {
  readonly bytes: Buffer
  private readonly times: readonly Times[]
  private readonly counters: Numbers
  private readonly pages: Numbers
  /** Last digits of gauges. */
  private readonly lastDigits: Uint32Array
  private readonly generations: Numbers

  /** Takes `bytes` as its own. Throws if it does not find each sample's time and value. */
  constructor({ bytes, format, samples, kindOf }: Origin) {
    this.bytes = bytes
    const text = bytes.toString("latin1")
    const found = findFields(text, format)
    const counts = `${found.times.length} times and ${found.values.length} values`
    assert(
      found.times.length === samples && found.values.length === samples,
      `Expected ${samples} samples, got ${counts}`,
    )
    const withKinds = found.values.map((value, i) => ({ ...value, kind: kindOf(i) }))
    this.times = groupTimes(found.times)
    this.counters = numbersOf(withKinds.filter(({ kind }) => kind === "counter"))
    this.pages = numbersOf(withKinds.filter(({ kind }) => kind === "pages"))
    const gauges = withKinds.filter(({ kind, text: value }) => isGauge(kind) && hasDigits(value))
    this.lastDigits = Uint32Array.from(gauges, ({ place, text: value }) => place + value.length - 1)
    const named = [...text.matchAll(generations)]
    this.generations = numbersOf(
      named.map((match) => ({ place: match.index + 2, text: match[1]! })),
      generationDigits,
    )
  }

  /** The time of its last sample in a pass, as epoch milliseconds. */
  lastMs(pass: number, { spanMs }: PassStep): number {
    return Math.max(...this.times.map(({ firstMs }) => firstMs)) + pass * spanMs
  }

  /** Its bytes in a pass, the same ones each time: they must not be on their way any more. */
  move(pass: number, { spanMs, counterGrowth }: PassStep): Buffer {
    const { bytes } = this
    for (const { firstMs, isIso, places } of this.times) {
      const timeMs = firstMs + pass * spanMs
      const text = isIso ? new Date(timeMs).toISOString() : String(Math.floor(timeMs / 1000))
      const print = Buffer.from(text, "latin1")
      for (const place of places)
        for (let i = 0; i < print.length; i++) bytes[place + i] = print[i]!
    }
    each(this.counters, (place, first) => {
      printNumber(bytes, place, first + pass * counterGrowth)
    })
    each(this.pages, (place, first) => {
      printNumber(bytes, place, first + pageBytes * (mixed(pass, place) % pagesMost))
    })
    for (const place of this.lastDigits) bytes[place] = zero + 1 + (mixed(pass, place) % 9)
    each(this.generations, (place, first) => {
      printDigits(bytes, place, first + pass, generationDigits)
    })
    return bytes
  }
}

interface Found {
  readonly place: number
  readonly text: string
}

function findFields(text: string, format: Origin["format"]) {
  const times: Found[] = []
  const values: Found[] = []
  for (const match of text.matchAll(fields[format])) {
    const raw = match[2]!
    const found = match[1]!.startsWith("timestamp") ? times : values
    const place = match.index + match[0].length - raw.length
    if (raw.startsWith("[")) found.push(...partsOf(raw, place))
    else if (raw.startsWith('"')) found.push({ place: place + 1, text: raw.slice(1, -1) })
    else found.push({ place, text: raw })
  }
  return { times, values }
}

/** The numbers of `[1,2.5,3]`. */
function partsOf(list: string, place: number): Found[] {
  let at = place + 1
  return list
    .slice(1, -1)
    .split(",")
    .map((text) => {
      const found = { place: at, text }
      at += text.length + 1
      return found
    })
}

function groupTimes(found: readonly Found[]): Times[] {
  const places = new Map<string, number[]>()
  for (const { place, text } of found) {
    const same = places.get(text)
    if (same === undefined) places.set(text, [place])
    else same.push(place)
  }
  return [...places].map(([text, list]) => {
    const isIso = text.includes("T")
    const isSeconds = text.length === digits
    const firstMs = isIso ? Date.parse(text) : Number(text) * (isSeconds ? 1000 : 1)
    assert(firstMs % 1000 === 0, `Expected a whole second, got ${text}`)
    return { firstMs, isIso, places: Uint32Array.from(list) }
  })
}

function numbersOf(found: readonly Found[], width = digits): Numbers {
  for (const { text } of found) {
    assert(/^\d+$/.test(text) && text.length === width, `Expected ${width} digits, got ${text}`)
  }
  return {
    places: Uint32Array.from(found, ({ place }) => place),
    firsts: Float64Array.from(found, ({ text }) => Number(text)),
  }
}

function each({ places, firsts }: Numbers, visit: (place: number, first: number) => void): void {
  for (let i = 0; i < places.length; i++) visit(places[i]!, firsts[i]!)
}

function isGauge(kind: ValueKind): boolean {
  return kind === "gauge" || kind === "noise" || kind === "latency" || kind === "tail"
}

/** Two or more behind the point: of `50.1` another last digit would be another level. */
function hasDigits(text: string): boolean {
  return /\.\d{2,}$/.test(text)
}

/** A whole number of ten digits, by halves of 32 bits. */
function printNumber(bytes: Buffer, place: number, value: number): void {
  const high = Math.floor(value / half)
  printDigits(bytes, place, high, digits / 2)
  printDigits(bytes, place + digits / 2, value - high * half, digits / 2)
}

function printDigits(bytes: Buffer, place: number, value: number, width: number): void {
  let rest = value | 0
  for (let i = width - 1; i >= 0; i--) {
    const next = (rest / 10) | 0
    bytes[place + i] = zero + rest - next * 10
    rest = next
  }
  assert(rest === 0, `Expected at most ${width} digits, got ${value}`)
}

/** The same for the same pass and place; not negative. */
function mixed(pass: number, place: number): number {
  const of = Math.imul(place ^ Math.imul(pass + 1, 0x9e3779b1), 0x85ebca6b)
  return (of ^ (of >>> 15)) >>> 4
}
