/**
 * Edits of the catalogue by users, as opposed to posts of collectors. Each edit changes one element
 * or metric, or throws and changes nothing.
 */

import { ServiceError, invalid } from "../base/errors.ts"
import { entityTextBytesMax, tagsPerEntityMax } from "../base/limits.ts"
import type { CatalogueEdit, TagEdit } from "../model/records/catalogue-edit.ts"
import type { ElementIndex, TenantIndex } from "../model/ids.ts"
import type { ElementInfo, NameValue } from "../model/element.ts"
import { definitionTextBytes, elementTextBytes, presentTextGrowth } from "../model/text-bytes.ts"
import type { Catalogue } from "./catalogue.ts"
import { mergeByName } from "./merge.ts"

export interface AppliedEdit {
  /** The element that was changed, or whose metric was. */
  readonly element: ElementIndex
  /** Reverts the edit, if the store refuses it. */
  readonly undo: () => void
}

/**
 * Throws `missing` if there is no such element, metric or tag, and `invalid` if an element or
 * metric would have too much text, or the tenant more than `textBytesMax`.
 */
export function applyEdit(
  catalogue: Catalogue,
  edit: CatalogueEdit,
  textBytesMax = Infinity,
): AppliedEdit {
  const element = catalogue.findElement(edit.tenant, edit.element)
  if (element < 0 || catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element "${edit.element}"`)
  }
  if (edit.kind === "tags" && edit.metric !== null) {
    return editMetric(catalogue, { element, fqn: edit.metric, edit, textBytesMax })
  }
  const before = catalogue.elementInfo(element)
  const after = editedInfo(before, edit)
  const fqn = edit.element
  checkText(catalogue, edit.tenant, {
    bytes: elementTextBytes(fqn, after),
    growth: presentTextGrowth(fqn, after, before),
    textBytesMax,
  })
  catalogue.replaceElementInfo(element, after)
  return { element, undo: () => catalogue.replaceElementInfo(element, before) }
}

function editMetric(
  catalogue: Catalogue,
  target: {
    readonly element: ElementIndex
    readonly fqn: string
    readonly edit: TagEdit
    readonly textBytesMax: number
  },
): AppliedEdit {
  const { element, fqn, edit, textBytesMax } = target
  const series = catalogue.findSeries(element, catalogue.findName(edit.tenant, fqn))
  if (series < 0) {
    throw new ServiceError("missing", `Cannot find metric "${fqn}" of element "${edit.element}"`)
  }
  const before = catalogue.seriesDefinition(series)
  const { serviceTags, ...rest } = before
  const after = { ...rest, ...editedTags(serviceTags, edit) }
  const bytes = definitionTextBytes(after)
  const isShorter = bytes < definitionTextBytes(before)
  const isKnown = isShorter || catalogue.knowsDefinition(after)
  checkText(catalogue, edit.tenant, { bytes, growth: isKnown ? 0 : bytes, textBytesMax })
  catalogue.replaceDefinition(series, after)
  return { element, undo: () => catalogue.replaceDefinition(series, before) }
}

function editedInfo(before: ElementInfo, edit: CatalogueEdit): ElementInfo {
  const { serviceTags, ...rest } = before
  switch (edit.kind) {
    case "removeElement":
      return { ...before, ...clearedInfo, deletedMs: edit.nowMs }
    case "tags":
      return { ...rest, ...editedTags(serviceTags, edit) }
    case "elementTags":
      return { ...rest, ...mergedTags(serviceTags, edit.set, edit.remove) }
  }
}

/** Removed from a deleted element: a post that recreates it sends them again. */
const clearedInfo = { location: null, tags: [], attributes: [], relations: [] }

/** A change that does not grow is always accepted. */
function checkText(
  { textBytes }: Catalogue,
  tenant: TenantIndex,
  { bytes, growth, textBytesMax }: { bytes: number; growth: number; textBytesMax: number },
): void {
  if (growth <= 0) return
  if (bytes > entityTextBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${entityTextBytesMax} bytes of text with all that is known, ` +
        `got ${bytes}`,
    )
  }
  const known = textBytes.tenantBytes(tenant) + textBytes.sharedBytes
  if (known + growth > textBytesMax) {
    throw invalid(
      `serviceTag: expected at most ${textBytesMax} bytes of text in all (--text-bytes-limit), ` +
        `got ${growth} more than ${known} known ones`,
    )
  }
}

/** The field after the edit; absent if no tag is left. */
function editedTags(
  known: readonly NameValue[] = [],
  { set, remove }: TagEdit,
): { readonly serviceTags?: readonly NameValue[] } {
  if (remove !== null && !known.some(({ name }) => name === remove)) {
    throw new ServiceError("missing", `Cannot find a service tag "${remove}"`)
  }
  return mergedTags(known, set, remove === null ? [] : [remove])
}

/** The field without `remove`, then with `set`; absent if no tag is left. */
function mergedTags(
  known: readonly NameValue[] = [],
  set: readonly NameValue[],
  remove: readonly string[],
): { readonly serviceTags?: readonly NameValue[] } {
  const serviceTags = mergeByName(
    known.filter(({ name }) => !remove.includes(name)),
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
