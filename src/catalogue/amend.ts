/**
 * Amendments: what people change in the catalogue, beside what collectors post. Each changes one
 * element or metric, or throws and changes nothing.
 */

import { ServiceError, invalid } from "../base/errors.ts"
import { tagsPerEntityMax } from "../base/limits.ts"
import type { Amendment, TagAmendment } from "../model/amendment.ts"
import type { NameValue } from "../model/element.ts"
import type { Catalogue } from "./catalogue.ts"
import { mergeByName } from "./merge.ts"

export interface Amended {
  /** The element that was changed, or whose metric was. */
  readonly element: number
  /** Takes the change back, where the store refused it. */
  readonly undo: () => void
}

/** Throws `missing` where there is no such element, metric or tag. */
export function amend(catalogue: Catalogue, amendment: Amendment): Amended {
  const element = catalogue.findElement(amendment.tenant, amendment.element)
  if (element < 0 || catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element "${amendment.element}"`)
  }
  if (amendment.kind === "tags" && amendment.metric !== null) {
    return amendMetric(catalogue, { element, fqn: amendment.metric, amendment })
  }
  const before = catalogue.elementInfo(element)
  const { serviceTags, ...rest } = before
  const after =
    amendment.kind === "removeElement"
      ? { ...before, deletedMs: amendment.nowMs }
      : { ...rest, ...amendedTags(serviceTags, amendment) }
  catalogue.amendElement(element, after)
  return { element, undo: () => catalogue.amendElement(element, before) }
}

function amendMetric(
  catalogue: Catalogue,
  what: { readonly element: number; readonly fqn: string; readonly amendment: TagAmendment },
): Amended {
  const { element, fqn, amendment } = what
  const name = catalogue.findName(amendment.tenant, fqn)
  const series = name < 0 ? -1 : catalogue.findSeries(element, name)
  if (series < 0) {
    throw new ServiceError(
      "missing",
      `Cannot find metric "${fqn}" of element "${amendment.element}"`,
    )
  }
  const before = catalogue.seriesDefinition(series)
  const { serviceTags, ...rest } = before
  catalogue.amendSeries(series, { ...rest, ...amendedTags(serviceTags, amendment) })
  return { element, undo: () => catalogue.amendSeries(series, before) }
}

/** The field as it is then; none where no tag is left, as if there had never been any. */
function amendedTags(
  known: readonly NameValue[] = [],
  { set, remove }: TagAmendment,
): { readonly serviceTags?: readonly NameValue[] } {
  if (remove !== null && !known.some(({ name }) => name === remove)) {
    throw new ServiceError("missing", `Cannot find a service tag "${remove}"`)
  }
  const serviceTags = mergeByName(
    known.filter(({ name }) => name !== remove),
    set,
  )
  if (serviceTags.length > tagsPerEntityMax) {
    throw invalid(
      `serviceTag: expected at most ${tagsPerEntityMax} tags with those that are set, ` +
        `got ${serviceTags.length}`,
    )
  }
  return serviceTags.length === 0 ? {} : { serviceTags }
}
