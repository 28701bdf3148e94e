/**
 * The end of a body that brings anything new: what it may not outgrow, and the change of the
 * catalogue. Both paths end here, so that both refuse the same, in the same words.
 */

import { tagsPerEntityMax } from "../../base/limits.ts"
import { crowdRefusal } from "./crowd-refusal.ts"
import type { FieldReader } from "./fields.ts"
import type { IngestOutcome, Reading } from "./outcome.ts"
import type { Plan, Post } from "./plan.ts"

/**
 * Refuses lists that would outgrow their limit by being merged, request after request, with what is
 * known: a collector that invents a tag a minute must not make an element that nobody can store.
 */
export function checkGrowth(post: Post, reader: FieldReader, plan: Plan): void {
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
  const { problem, ...retry } = refused
  return { ok: false, detail: "Series Limit Exceeded", errors: [problem], ...retry }
}

function apply(plan: Plan, reading: Reading, firstSample: number): void {
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
