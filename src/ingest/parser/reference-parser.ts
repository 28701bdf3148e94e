/**
 * The reference parser: decode, JSON.parse, check by hand, then update the catalogue. It defines
 * which bodies are accepted and words all refusals; the scanner may only accept what this parser
 * accepts, with the same result.
 */

import { elementsPerRequestMax, jsonDepthMax } from "../../base/limits.ts"
import { LeftOutCounter, leftOutSentence } from "../left-out.ts"
import type { LeftOutSample } from "../left-out.ts"
import { isCollectdBody } from "../labels/collectd.ts"
import { readCollectdBody } from "../labels/value-lists.ts"
import type { IngestRequest } from "../request.ts"
import { pushFields } from "../value.ts"
import { quoteBareValues } from "./bare-values.ts"
import { applyPlan, checkElementLimits } from "./apply-plan.ts"
import { decodeBody } from "./decode.ts"
import { isNestedDeeper } from "./depth.ts"
import { readElementPatch, readList, readPostedMetrics } from "./element.ts"
import { isObject, type JsonObject } from "../../base/json-value.ts"
import { FieldReader, replaceLoneSurrogates } from "./fields.ts"
import { outcomeOf } from "./outcome.ts"
import type { IngestOutcome, ParseDeps, RefusalDetail } from "./outcome.ts"
import type { ElementPost } from "./element-post.ts"
import { CataloguePlan } from "./catalogue-plan.ts"
import { BodyPosition, BodyProblems, quoted } from "./problems.ts"
import { reasonOf, SampleReader, sentText } from "./sample.ts"

export function parseBody(body: Uint8Array, deps: ParseDeps): IngestOutcome {
  const parsed = decodeJson(body, deps.request)
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
  return deps.request.isCollectd === true && isCollectdBody(parsed.value)
    ? readCollectdBody(parsed.value, body.length, deps)
    : readElements(parsed.value, parsed.replacesSurrogates, deps)
}

interface ParsedBody {
  readonly value: unknown
  /** True if texts may contain lone surrogates. */
  readonly replacesSurrogates: boolean
}

/** Bound on the JSON parser's message about an invalid body. */
const parserWordsMax = 300

function decodeJson(body: Uint8Array, request: IngestRequest): ParsedBody | { problem: string } {
  const text = decodeBody(body, request.charset)
  if (text === undefined)
    return { problem: `Could not read JSON: the bytes are not ${request.charset}` }
  const isWide = request.charset === "utf-16" || hasWideMark(body)
  if (isNestedDeeper(isWide ? Buffer.from(text) : body, jsonDepthMax)) {
    return { problem: `Could not read JSON: it nests deeper than ${jsonDepthMax} levels` }
  }
  const replacesSurrogates = isWide || text.includes("\\u")
  try {
    return { value: parseJson(text), replacesSurrogates }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    // The message repeats a piece of the body, which may begin or end with a lone surrogate.
    return {
      problem: `Could not read JSON: ${replaceLoneSurrogates(words.slice(0, parserWordsMax))}`,
    }
  }
}

/** As JSON.parse, but accepts bare NaN and Infinity as values of samples. */
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

function readElements(
  elements: unknown[],
  replacesSurrogates: boolean,
  deps: ParseDeps,
): IngestOutcome {
  const { catalogue, request, columns } = deps
  const firstSample = columns.count
  const reader = new FieldReader(new BodyProblems(), new BodyPosition(), replacesSurrogates)
  const plan = new CataloguePlan(catalogue, request.tenant)
  const leftOut = new LeftOutCounter()
  leftOut.start(request.reportsLeftOut)
  const sampleReader = new SampleReader(reader, deps.period)
  const samples = { reader, plan, samples: sampleReader, leftOut, ...deps }
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index]
    reader.position.startElement(index, isObject(element) ? element["id"] : undefined)
    if (!isObject(element)) {
      reader.refuse(`${quoted(element)} is no element`)
      continue
    }
    const post = readPost(element, reader, plan)
    readSamples(element, post, samples)
  }
  if (reader.problems.count > 0) return refusal("Input Validation Failed", reader.problems.list())

  const applied = applyPlan(plan, deps, firstSample)
  return outcomeOf(applied, elements.length, columns.count - firstSample, leftOut.report())
}

function readPost(
  element: JsonObject,
  reader: FieldReader,
  plan: CataloguePlan,
): ElementPost | undefined {
  const fqn = reader.fqn(element["id"], "id")
  const patch = readElementPatch(reader, element)
  const metrics = readPostedMetrics(reader, element["metrics"])
  if (fqn === undefined) return undefined
  const post = plan.add(fqn, patch, metrics)
  checkElementLimits(post, reader, plan)
  return post
}

interface SampleDeps extends ParseDeps {
  readonly reader: FieldReader
  readonly plan: CataloguePlan
  readonly samples: SampleReader
  readonly leftOut: LeftOutCounter
}

function readSamples(element: JsonObject, post: ElementPost | undefined, deps: SampleDeps): void {
  const { reader, request, columns, plan, samples } = deps
  const { elementIndex } = reader.position
  const list = readList(reader, element["samples"], "samples")
  for (let i = 0; i < list.length; i++) {
    const sample = list[i]
    if (!isObject(sample)) {
      reader.position.startSample(i, undefined)
      reader.refuse(`${quoted(sample)} is no sample`)
      continue
    }
    reader.position.startSample(i, sample["metricId"])
    const fqn = reader.fqn(sample["metricId"], "metricId")
    const timeMs = request.injectTimestamp
      ? request.nowMs
      : samples.readTimestamp(sample["timestamp"])
    const verdict = samples.readValues(sample)
    // After a refusal nothing is stored: the rest is only checked for further problems.
    if (verdict === "refused" || reader.problems.count > 0) continue
    if (verdict === "leftOut") {
      leaveOut({ elementIndex, element: post!.fqn, metric: fqn!, sampleIndex: i }, deps)
      continue
    }
    const series = plan.series(post!, fqn!)
    if (!pushFields(columns, series, timeMs, samples.fields)) {
      reader.refuse("the aggregates have no finite mean")
    }
  }
  reader.position.endSample()
}

/** Counts the last sample; its metric does not get into the plan. */
function leaveOut(
  position: Omit<LeftOutSample, "field" | "sent">,
  { samples, leftOut }: SampleDeps,
): void {
  const { field, value } = samples.unusable
  leftOut.add(reasonOf(value), () => leftOutSentence({ ...position, field, sent: sentText(value) }))
}

function refusal(detail: RefusalDetail, errors: string[]): IngestOutcome {
  return { ok: false, detail, errors }
}
