/**
 * The last step of a body with changes: the limits it must keep, and the change of the catalogue.
 * The scanner and the reference parser share it, so both refuse the same bodies with the same
 * texts.
 */

import { entityTextBytesMax, tagsPerEntityMax } from "../../base/limits.ts"
import type { ElementIndex } from "../../model/ids.ts"
import { definitionTextBytes, elementTextBytes } from "../../model/text-bytes.ts"
import { sampleLimitRefusal } from "./sample-limit-error.ts"
import type { FieldReader } from "./fields.ts"
import type { Applied, ParseDeps, Refusal } from "./outcome.ts"
import type { CataloguePlan } from "./catalogue-plan.ts"
import type { ElementPost } from "./element-post.ts"

/**
 * Refuses lists and texts that would exceed their limits after being merged with what is known: a
 * collector that invents a tag a minute must not produce an element too large to store.
 */
export function checkElementLimits(
  post: ElementPost,
  reader: FieldReader,
  plan: CataloguePlan,
): void {
  const merged = plan.mergedInfo(post)
  if (merged !== undefined) {
    const { info, textBytes } = merged
    for (const field of ["tags", "attributes", "relations"] as const) {
      const count = info[field].length
      if (count > tagsPerEntityMax) reader.refuseCount(`${field}, known ones included,`, count)
    }
    const known = plan.knownInfo(post)
    checkText(reader, "the element", {
      bytes: textBytes,
      known: () => (known === undefined ? 0 : elementTextBytes(post.fqn, known)),
    })
  }
  if (post.metrics.hasTags) checkTags(post, reader, plan)
}

function checkTags(post: ElementPost, reader: FieldReader, plan: CataloguePlan): void {
  for (const [fqn, patch] of post.metrics.patches) {
    const definition = plan.mergedDefinition(post, fqn, patch)
    if (definition === undefined) continue
    const { length } = definition.tags
    if (length > tagsPerEntityMax)
      reader.refuseCount(`tags of metric ${fqn}, known ones included,`, length)
    const known = plan.knownDefinition(post.element, fqn)
    checkText(reader, `metric ${fqn}`, {
      bytes: definitionTextBytes(definition),
      known: () => (known === undefined ? 0 : definitionTextBytes(known)),
    })
  }
}

/** Text stored before the limit existed may shrink, or keep its length. */
function checkText(
  reader: FieldReader,
  of: string,
  { bytes, known }: { readonly bytes: number; readonly known: () => number },
): void {
  if (bytes <= entityTextBytesMax || bytes <= known()) return
  reader.refuse(
    `tags, attributes and all other text of ${of}, known ones included, have ${bytes} bytes, ` +
      `at most ${entityTextBytesMax} fit`,
  )
}

const allStored: Applied = { isStored: true }

/**
 * Applies the plan of a valid body whose samples start at `firstSample`. Over a cardinality limit,
 * only what is known already is stored; over the sample limit, nothing.
 */
export function applyPlan(plan: CataloguePlan, deps: ParseDeps, firstSample: number): Applied {
  const refused = reduceToLimits(plan, deps, firstSample)
  const checked = checkSamples(deps, firstSample)
  if (!checked.isStored) return checked
  const hasChanged = apply(plan, deps, firstSample)
  if (refused === undefined) return allStored
  return { refused, isStored: hasChanged || deps.columns.count > firstSample }
}

/** The last step of a body without changes. */
export function checkSamples(deps: ParseDeps, firstSample: number): Applied {
  const refused = sampleLimitRefusal(deps, firstSample)
  return refused === undefined ? allStored : { refused, isStored: false }
}

/**
 * Removes from a plan over the limits what is new, with its samples; and if changes of what is
 * known are too much as well, all changes. Returns why, or `undefined` if everything fits.
 */
function reduceToLimits(
  plan: CataloguePlan,
  deps: ParseDeps,
  firstSample: number,
): Refusal | undefined {
  const refused = growthRefusal(plan, deps)
  if (refused === undefined) return undefined
  plan.keepKnown()
  const { catalogue, columns } = deps
  columns.retain(firstSample, (series) => {
    return series >= 0 && !catalogue.isDeleted(catalogue.seriesElement(series))
  })
  if (growthRefusal(plan, deps) !== undefined) plan.clear()
  return refused
}

/** Refuses growth over the limits. Far from them, the upper bound is enough to decide. */
function growthRefusal(plan: CataloguePlan, deps: ParseDeps): Refusal | undefined {
  const { cardinality, request } = deps
  const { tenant, nowMs } = request
  if (cardinality.refusal(tenant, plan.growthUpperBound(), nowMs) === undefined) return undefined
  const refused = cardinality.refusal(tenant, plan.growth(), nowMs)
  if (refused === undefined) return undefined
  const { detail, problem, ...retry } = refused
  return { detail, errors: [problem], ...retry }
}

/** True if a known element has changed. */
function apply(plan: CataloguePlan, deps: ParseDeps, firstSample: number): boolean {
  const { catalogue, cardinality, request, columns } = deps
  const { tenant } = request
  const { present, definitionCount } = catalogue
  const before = { series: present.seriesOf(tenant), elements: present.elementsOf(tenant) }
  let hasChanged = false
  const onChange = (element: ElementIndex): void => {
    hasChanged = true
    deps.onChange(element)
  }
  plan.apply({ nowMs: request.nowMs, columns, firstSample, onChange })
  const growth = {
    series: present.seriesOf(tenant) - before.series,
    elements: present.elementsOf(tenant) - before.elements,
    definitions: catalogue.definitionCount - definitionCount,
    text: 0,
  }
  cardinality.recordGrowth(tenant, growth, request.nowMs)
  return hasChanged
}
