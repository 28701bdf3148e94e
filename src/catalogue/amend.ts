/**
 * Amendments: what people change in the catalogue, beside what collectors post. Each changes one
 * element or metric, or throws and changes nothing.
 */

import { ServiceError, invalid } from "../base/errors.ts"
import { entityTextBytesMax, tagsPerEntityMax } from "../base/limits.ts"
import type { Amendment, TagAmendment } from "../model/records/amendment.ts"
import type { NameValue } from "../model/element.ts"
import { definitionBytes, infoBytes } from "../model/text-bytes.ts"
import type { Catalogue } from "./catalogue.ts"
import { mergeByName } from "./merge.ts"

export interface Amended {
  /** The element that was changed, or whose metric was. */
  readonly element: number
  /** Takes the change back, where the store refused it. */
  readonly undo: () => void
}

/**
 * Throws `missing` where there is no such element, metric or tag, `invalid` where more text would
 * be kept than fits one of them, or than `textBytesMax` for the tenant.
 */
export function amend(
  catalogue: Catalogue,
  amendment: Amendment,
  textBytesMax = Infinity,
): Amended {
  const element = catalogue.findElement(amendment.tenant, amendment.element)
  if (element < 0 || catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element "${amendment.element}"`)
  }
  if (amendment.kind === "tags" && amendment.metric !== null) {
    return amendMetric(catalogue, { element, fqn: amendment.metric, amendment, textBytesMax })
  }
  const before = catalogue.elementInfo(element)
  const { serviceTags, ...rest } = before
  const after =
    amendment.kind === "removeElement"
      ? { ...before, ...forgotten, deletedMs: amendment.nowMs }
      : { ...rest, ...amendedTags(serviceTags, amendment) }
  const fqn = amendment.element
  const bytes = infoBytes(fqn, after)
  checkText(catalogue, amendment.tenant, {
    bytes,
    growth: bytes - infoBytes(fqn, before),
    textBytesMax,
  })
  catalogue.amendElement(element, after)
  return { element, undo: () => catalogue.amendElement(element, before) }
}

function amendMetric(
  catalogue: Catalogue,
  what: {
    readonly element: number
    readonly fqn: string
    readonly amendment: TagAmendment
    readonly textBytesMax: number
  },
): Amended {
  const { element, fqn, amendment, textBytesMax } = what
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
  const after = { ...rest, ...amendedTags(serviceTags, amendment) }
  const bytes = definitionBytes(after)
  const isShorter = bytes < definitionBytes(before)
  const isKnown = isShorter || catalogue.knowsDefinition(after)
  checkText(catalogue, amendment.tenant, { bytes, growth: isKnown ? 0 : bytes, textBytesMax })
  catalogue.amendSeries(series, after)
  return { element, undo: () => catalogue.amendSeries(series, before) }
}

/** What a deleted element is not kept for: whoever posts it again says it again. */
const forgotten = { location: null, tags: [], attributes: [], relations: [] }

/** Whatever does not grow is taken, however much there is. */
function checkText(
  { text }: Catalogue,
  tenant: number,
  { bytes, growth, textBytesMax }: { bytes: number; growth: number; textBytesMax: number },
): void {
  if (growth <= 0) return
  if (bytes > entityTextBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${entityTextBytesMax} bytes of text with all that is known, ` +
        `got ${bytes}`,
    )
  }
  const known = text.ownOf(tenant) + text.shared
  if (known + growth > textBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${textBytesMax} bytes of text in all (--text-bytes-limit), ` +
        `got ${growth} more than ${known} known ones`,
    )
  }
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
