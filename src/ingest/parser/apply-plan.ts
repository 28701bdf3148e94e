/**
 * The end of a body that brings anything new: what it may not outgrow, and the change of the
 * catalogue. Both paths end here, so that both refuse the same, in the same words.
 */

import { entityTextBytesMax, tagsPerEntityMax } from "../../base/limits.ts"
import { definitionBytes, infoBytes } from "../../model/text-bytes.ts"
import { crowdRefusal } from "./sample-limit-error.ts"
import type { FieldReader } from "./fields.ts"
import type { IngestOutcome, Reading } from "./outcome.ts"
import type { Plan } from "./plan.ts"
import type { Post } from "./post.ts"

/**
 * Refuses lists and texts that would outgrow their limit by being merged, request after request,
 * with what is known: a collector that invents a tag a minute must not make an element that nobody
 * can store.
 */
export function checkGrowth(post: Post, reader: FieldReader, plan: Plan): void {
  const info = plan.amendedInfo(post)
  if (info !== undefined) {
    for (const field of ["tags", "attributes", "relations"] as const) {
      const count = info[field].length
      if (count > tagsPerEntityMax) reader.tooMany(`${field}, known ones included,`, count)
    }
    const known = plan.knownInfo(post)
    checkText(reader, "the element", {
      bytes: infoBytes(post.fqn, info),
      known: known === undefined ? 0 : infoBytes(post.fqn, known),
    })
  }
  for (const [fqn, patch] of post.metrics) {
    const definition = plan.amendedDefinition(post, fqn, patch)
    if (definition === undefined) continue
    const { length } = definition.tags
    if (length > tagsPerEntityMax)
      reader.tooMany(`tags of metric ${fqn}, known ones included,`, length)
    const known = plan.knownDefinition(post.element, fqn)
    checkText(reader, `metric ${fqn}`, {
      bytes: definitionBytes(definition),
      known: known === undefined ? 0 : definitionBytes(known),
    })
  }
}

/** What was stored before there was a limit may shrink, or stay as long as it is. */
function checkText(
  reader: FieldReader,
  of: string,
  { bytes, known }: { readonly bytes: number; readonly known: number },
): void {
  if (bytes <= Math.max(entityTextBytesMax, known)) return
  reader.refuse(
    `tags, attributes and all other text of ${of}, known ones included, have ${bytes} bytes, ` +
      `at most ${entityTextBytesMax} fit`,
  )
}

/**
 * Applies the plan of a valid body whose samples are those from `firstSample` on; or gives the
 * refusal, and changes nothing, where the catalogue would outgrow its limits.
 */
export function carryOut(
  plan: Plan,
  reading: Reading,
  firstSample: number,
): IngestOutcome | undefined {
  const tooMuch = growthRefusal(plan, reading) ?? crowdRefusal(reading, firstSample)
  if (tooMuch === undefined) apply(plan, reading, firstSample)
  return tooMuch
}

/** Refuses what would outgrow the limits. Far from them, the most that it could be is enough. */
function growthRefusal(plan: Plan, reading: Reading): IngestOutcome | undefined {
  const { cardinality, request } = reading
  const { tenant, nowMs } = request
  if (cardinality.refusal(tenant, plan.growthMost(), nowMs) === undefined) return undefined
  const refused = cardinality.refusal(tenant, plan.growth(), nowMs)
  if (refused === undefined) return undefined
  const { detail, problem, ...retry } = refused
  return { ok: false, detail, errors: [problem], ...retry }
}

function apply(plan: Plan, reading: Reading, firstSample: number): void {
  const { catalogue, cardinality, request, columns, onChange } = reading
  const { seriesCount, elementCount, definitionCount } = catalogue
  plan.apply({ nowMs: request.nowMs, columns, firstSample, onChange })
  const growth = {
    series: catalogue.seriesCount - seriesCount,
    elements: catalogue.elementCount - elementCount,
    definitions: catalogue.definitionCount - definitionCount,
    text: 0,
  }
  cardinality.added(request.tenant, growth, request.nowMs)
}
