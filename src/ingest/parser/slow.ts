/**
 * The slow path: text, JSON.parse, a check by hand, then the catalogue. It accepts whatever is
 * accepted at all, and it alone words refusals; the scanner may only take what this path would
 * take, with the same result.
 */

import { elementsPerRequestMax, jsonDepthMax } from "../../base/limits.ts"
import { LeftOut, leftOutSentence } from "../left-out.ts"
import type { LeftOutSample } from "../left-out.ts"
import { areValueLists } from "../labels/collectd.ts"
import { readValueLists } from "../labels/value-lists.ts"
import type { IngestRequest } from "../request.ts"
import { pushFields } from "../value.ts"
import { quoteBareValues } from "./bare-values.ts"
import { carryOut, checkGrowth } from "./apply-plan.ts"
import { decodeBody } from "./decode.ts"
import { isDeeperThan } from "./depth.ts"
import { readElementPatch, readList, readMetrics } from "./element.ts"
import type { JsonObject } from "./fields.ts"
import { FieldReader, isObject, repaired } from "./fields.ts"
import { accepted } from "./outcome.ts"
import type { IngestOutcome, Reading, RefusalDetail } from "./outcome.ts"
import type { Post } from "./post.ts"
import { Plan } from "./plan.ts"
import { Place, Problems, quoted } from "./problems.ts"
import { reasonOf, SampleReader, sentText } from "./sample.ts"

export function readSlowly(body: Uint8Array, reading: Reading): IngestOutcome {
  const parsed = parseBody(body, reading.request)
  if ("problem" in parsed) return refusal("Error Parsing JSON Request", [parsed.problem])
  if (!Array.isArray(parsed.value)) {
    return refusal("Input Validation Failed", [
      `The body is no array of elements: ${quoted(parsed.value)}`,
    ])
  }
  const { length } = parsed.value
  if (length > elementsPerRequestMax) {
    return refusal("Input Validation Failed", [
      `The body has ${length} elements, at most ${elementsPerRequestMax} fit`,
    ])
  }
  return reading.request.isCollectd === true && areValueLists(parsed.value)
    ? readValueLists(parsed.value, reading)
    : readElements(parsed.value, parsed.repairs, reading)
}

interface ParsedBody {
  readonly value: unknown
  /** True where texts may hold half a surrogate pair. */
  readonly repairs: boolean
}

/** Characters of the parser's own words about a body that is no JSON. */
const parserWordsMax = 300

function parseBody(body: Uint8Array, request: IngestRequest): ParsedBody | { problem: string } {
  const text = decodeBody(body, request.charset)
  if (text === undefined)
    return { problem: `Could not read JSON: the bytes are not ${request.charset}` }
  const isWide = request.charset === "utf-16" || hasWideMark(body)
  if (isDeeperThan(isWide ? Buffer.from(text) : body, jsonDepthMax)) {
    return { problem: `Could not read JSON: it nests deeper than ${jsonDepthMax} levels` }
  }
  const repairs = isWide || text.includes("\\u")
  try {
    return { value: parseJson(text), repairs }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    // The parser repeats a piece of the body, which may begin or end with half a surrogate pair.
    return { problem: `Could not read JSON: ${repaired(words.slice(0, parserWordsMax))}` }
  }
}

/** As JSON.parse, which throws; bare NaN and Infinity are read as values of samples. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const quotedText = quoteBareValues(text)
    if (quotedText === undefined) throw error
    return JSON.parse(quotedText)
  }
}

function hasWideMark(body: Uint8Array): boolean {
  return body[0] === 0xff || body[0] === 0xfe
}

function readElements(elements: unknown[], repairs: boolean, reading: Reading): IngestOutcome {
  const { catalogue, request, columns } = reading
  const firstSample = columns.count
  const reader = new FieldReader(new Problems(), new Place(), repairs)
  const plan = new Plan(catalogue, request.tenant)
  const leftOut = new LeftOut()
  leftOut.start(request.tellsLeftOut)
  const sampleReader = new SampleReader(reader, reading.period)
  const samples = { ...reading, reader, plan, samples: sampleReader, leftOut }
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index]
    reader.place.startElement(index, isObject(element) ? element["id"] : undefined)
    if (!isObject(element)) {
      reader.refuse(`${quoted(element)} is no element`)
      continue
    }
    const post = readPost(element, reader, plan)
    readSamples(element, post, samples)
  }
  if (reader.problems.count > 0) return refusal("Input Validation Failed", reader.problems.list())

  const tooMuch = carryOut(plan, reading, firstSample)
  if (tooMuch !== undefined) return tooMuch
  return accepted(elements.length, columns.count - firstSample, leftOut.report())
}

function readPost(element: JsonObject, reader: FieldReader, plan: Plan): Post | undefined {
  const fqn = reader.fqn(element["id"], "id")
  const patch = readElementPatch(reader, element)
  const metrics = readMetrics(reader, element["metrics"])
  if (fqn === undefined) return undefined
  const post = plan.add(fqn, patch, metrics)
  checkGrowth(post, reader, plan)
  return post
}

interface SamplesReading extends Reading {
  readonly reader: FieldReader
  readonly plan: Plan
  readonly samples: SampleReader
  readonly leftOut: LeftOut
}

function readSamples(element: JsonObject, post: Post | undefined, reading: SamplesReading): void {
  const { reader, request, columns, plan, samples } = reading
  const { elementIndex } = reader.place
  const list = readList(reader, element["samples"], "samples")
  for (let i = 0; i < list.length; i++) {
    const sample = list[i]
    if (!isObject(sample)) {
      reader.place.startSample(i, undefined)
      reader.refuse(`${quoted(sample)} is no sample`)
      continue
    }
    reader.place.startSample(i, sample["metricId"])
    const fqn = reader.fqn(sample["metricId"], "metricId")
    const timeMs = request.injectTimestamp
      ? request.nowMs
      : samples.readTimestamp(sample["timestamp"])
    const verdict = samples.readValues(sample)
    // Once anything is refused nothing will be kept: the rest is only read for its problems.
    if (verdict === "refused" || reader.problems.count > 0) continue
    if (verdict === "leftOut") {
      leaveOut({ elementIndex, element: post!.fqn, metric: fqn!, sampleIndex: i }, reading)
      continue
    }
    const series = plan.series(post!, fqn!)
    if (!pushFields(columns, series, timeMs, samples.fields)) {
      reader.refuse("the aggregates have no finite mean")
    }
  }
  reader.place.leaveSample()
}

/** Counts the sample that was read last; it names no metric to the plan. */
function leaveOut(
  place: Omit<LeftOutSample, "field" | "sent">,
  { samples, leftOut }: SamplesReading,
): void {
  const { field, value } = samples.odd
  leftOut.add(reasonOf(value), () => leftOutSentence({ ...place, field, sent: sentText(value) }))
}

function refusal(detail: RefusalDetail, errors: string[]): IngestOutcome {
  return { ok: false, detail, errors }
}
