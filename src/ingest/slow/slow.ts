/**
 * The slow path: text, JSON.parse, a check by hand, then the catalogue. It accepts whatever is
 * accepted at all, and it alone words refusals; the scanner may only take what this path would
 * take, with the same result.
 */

import { elementsPerRequestMax, jsonDepthMax, tagsPerEntityMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SampleColumns } from "../../model/sample-columns.ts"
import type { Cardinality } from "../cardinality.ts"
import type { AcceptedPeriod, IngestRequest } from "../request.ts"
import { pushFields } from "../value.ts"
import { decodeBody } from "./decode.ts"
import { isDeeperThan } from "./depth.ts"
import { readElementPatch, readList, readMetrics } from "./element.ts"
import type { JsonObject } from "./fields.ts"
import { FieldReader, isObject, repaired } from "./fields.ts"
import type { Post } from "./plan.ts"
import { Plan } from "./plan.ts"
import { Place, Problems, quoted } from "./problems.ts"
import { SampleReader } from "./sample.ts"

export type IngestOutcome =
  | { readonly ok: true; readonly elements: number; readonly samples: number }
  | {
      readonly ok: false
      readonly detail: RefusalDetail
      /** At most `errorStringsMax` sentences, at least one. */
      readonly errors: string[]
      /** Where the body was good and only came too soon. */
      readonly retryAfterSeconds?: number
    }

type RefusalDetail =
  "Error Parsing JSON Request" | "Input Validation Failed" | "Series Limit Exceeded"

/** What a body is read with and into. */
export interface SlowReading {
  readonly catalogue: Catalogue
  readonly cardinality: Cardinality
  readonly request: IngestRequest
  readonly period: AcceptedPeriod
  /** Where the caller has begun a request; after a refusal the caller rolls it back. */
  readonly columns: SampleColumns
  /** Hears of every element that was known and is now known differently. */
  readonly onChange: (element: number) => void
}

export function readSlowly(body: Uint8Array, reading: SlowReading): IngestOutcome {
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
  return readElements(parsed.value, parsed.repairs, reading)
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
  try {
    const repairs = isWide || text.includes("\\u")
    return { value: JSON.parse(text), repairs }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    // The parser repeats a piece of the body, which may begin or end with half a surrogate pair.
    return { problem: `Could not read JSON: ${repaired(words.slice(0, parserWordsMax))}` }
  }
}

function hasWideMark(body: Uint8Array): boolean {
  return body[0] === 0xff || body[0] === 0xfe
}

function readElements(elements: unknown[], repairs: boolean, reading: SlowReading): IngestOutcome {
  const { catalogue, request, columns } = reading
  const firstSample = columns.count
  const reader = new FieldReader(new Problems(), new Place(), repairs)
  const plan = new Plan(catalogue, request.tenant)
  const samples = new SampleReader(reader, reading.period)
  for (const [index, element] of elements.entries()) {
    reader.place.startElement(index, isObject(element) ? element["id"] : undefined)
    if (!isObject(element)) {
      reader.refuse(`${quoted(element)} is no element`)
      continue
    }
    const post = readPost(element, reader, plan)
    readSamples(element, post, { ...reading, reader, plan, samples })
  }
  if (reader.problems.count > 0) return refusal("Input Validation Failed", reader.problems.list())

  const tooMuch = growthRefusal(plan, reading)
  if (tooMuch !== undefined) return tooMuch

  apply(plan, reading, firstSample)
  return { ok: true, elements: elements.length, samples: columns.count - firstSample }
}

/** Refuses what would outgrow the limits. Far from them, the most that it could be is enough. */
function growthRefusal(plan: Plan, reading: SlowReading): IngestOutcome | undefined {
  const { cardinality, request } = reading
  const { tenant, nowMs } = request
  if (cardinality.refusal(tenant, plan.growthMost(), nowMs) === undefined) return undefined
  const refused = cardinality.refusal(tenant, plan.growth(), nowMs)
  if (refused === undefined) return undefined
  const { problem, ...retry } = refused
  return { ok: false, detail: "Series Limit Exceeded", errors: [problem], ...retry }
}

function apply(plan: Plan, reading: SlowReading, firstSample: number): void {
  const { catalogue, cardinality, request, columns, onChange } = reading
  const { seriesCount, elementCount, definitionCount } = catalogue
  plan.apply({ nowMs: request.nowMs, columns, firstSample, onChange })
  const growth = {
    series: catalogue.seriesCount - seriesCount,
    elements: catalogue.elementCount - elementCount,
    definitions: catalogue.definitionCount - definitionCount,
  }
  cardinality.added(request.tenant, growth, request.nowMs)
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

interface SamplesReading extends SlowReading {
  readonly reader: FieldReader
  readonly plan: Plan
  readonly samples: SampleReader
}

function readSamples(element: JsonObject, post: Post | undefined, reading: SamplesReading): void {
  const { reader, request, columns, plan, samples } = reading
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
    // Once anything is refused nothing will be kept: the rest is only read for its problems.
    if (!samples.readValues(sample) || reader.problems.count > 0) continue
    const series = plan.series(post!, fqn!)
    if (!pushFields(columns, series, timeMs, samples.fields)) {
      reader.refuse("the aggregates have no finite mean")
    }
  }
  reader.place.leaveSample()
}

/**
 * Refuses lists that would outgrow their limit by being merged, request after request, with what is
 * known: a collector that invents a tag a minute must not make an element that nobody can store.
 */
function checkGrowth(post: Post, reader: FieldReader, plan: Plan): void {
  const info = plan.amendedInfo(post)
  if (info !== undefined) {
    for (const field of ["tags", "attributes", "relations"] as const) {
      const count = info[field].length
      if (count > tagsPerEntityMax) reader.tooMany(`${field}, known ones included,`, count)
    }
  }
  for (const [fqn, patch] of post.metrics) {
    const count = plan.amendedDefinition(post, fqn, patch)?.tags.length ?? 0
    if (count > tagsPerEntityMax)
      reader.tooMany(`tags of metric ${fqn}, known ones included,`, count)
  }
}

function refusal(detail: RefusalDetail, errors: string[]): IngestOutcome {
  return { ok: false, detail, errors }
}
