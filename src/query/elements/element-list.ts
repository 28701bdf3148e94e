/** GET `/elements`: every element that passes the parameters, as whole documents. */

import { parsedJson } from "../../base/json-value.ts"
import { elementFieldNames, type ElementField } from "../../wire/elements/element-document.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { jsonPieces } from "../../wire/json.ts"
import { shown, type Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { idsOf } from "../core/resolve-path.ts"
import { hasWindow, readDay, readWindowParameters } from "../core/window.ts"
import { matchedElements, planElementSearch } from "../filter/activity-filter.ts"
import { allPairs, exactTexts } from "../filter/parameter-filter.ts"
import { readTagValues } from "../filter/tag-values.ts"
import { elementDocuments, checkMetricCount } from "./element-search.ts"
import { processingStatuses } from "./processing-status.ts"
import type { TenantIndex } from "../../model/ids.ts"

export const elementList = defineQuery({
  kind: "elementList",
  parse({ params: given, nowMs }, problems) {
    const params = new QueryParameters(given, problems)
    const window = readWindowParameters(params)
    const span = hasWindow(window) ? readDay(window, nowMs, problems) : null
    const named = readNamedElements(params, problems)
    const locations = params.many("location")
    return {
      span,
      named,
      /** An element passes in any of these; null accepts all. */
      locations: locations.length === 0 ? null : locations,
      /** Whether any metric of the element is being collected; null accepts both. */
      isCollected: params.one("state") === undefined ? null : params.flag("state"),
      fields: readFields(params.many("fields"), problems),
      nowMs,
    }
  },
  async plan(context, { named, span, ...rest }, { tenant }) {
    const filter = filterOf(context, tenant, named)
    const plan = await planElementSearch(context, tenant, { filter, span })
    return { ...plan, query: { ...plan.query, ...rest } }
  },
  async answer(context, planned) {
    const { locations, isCollected, nowMs, fields, span } = planned.plan.query
    const { catalogue } = context.store
    let elements = (await matchedElements(context, planned)).toArray()
    if (locations !== null) {
      const accepted = new Set<string | null>(locations)
      elements = elements.filter((element) => accepted.has(catalogue.elementInfo(element).location))
    }
    if (isCollected !== null) {
      const statuses = await processingStatuses(context, elements, nowMs)
      elements = elements.filter((_, i) => (statuses[i]!.collectedPercent ?? 0) > 0 === isCollected)
    }
    if (fields.includes("metrics")) checkMetricCount(context, elements, "fields")
    const { tenant } = planned
    const documents = await elementDocuments(context, elements, { fields, nowMs, span, tenant })
    return jsonPieces(`{"elements":`, documents, (document) => JSON.stringify(document), "}")
  },
})

/** Parameters that name elements; an element has one of each, and all tags. */
interface NamedElements {
  /** UUIDs or FQNs. */
  readonly ids: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly tags: readonly { readonly name: string; readonly value: string | null }[]
}

function readNamedElements(params: QueryParameters, problems: Problems): NamedElements {
  return {
    ids: [...params.many("id"), ...params.many("ids")],
    // A display name may contain a comma, so the whole text is one more accepted name.
    names: [...new Set([...params.many("name"), ...params.texts("name")])],
    types: params.many("type"),
    tags: params.texts("tags").flatMap((text) => readTags(text, problems)),
  }
}

function filterOf(
  context: QueryContext,
  tenant: TenantIndex,
  { ids, names, types, tags }: NamedElements,
): Filter {
  return {
    ...(ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(context, tenant, ids)) }),
    ...(names.length === 0 ? {} : { elementNames: exactTexts(names) }),
    ...(types.length === 0 ? {} : { elementTypes: exactTexts(types) }),
    ...(tags.length === 0 ? {} : { elementTags: allPairs(tags) }),
  }
}

/** A tag by its name, or JSON with names and values; an element must have all of them. */
function readTags(
  text: string,
  problems: Problems,
): { readonly name: string; readonly value: string | null }[] {
  if (typeof parsedJson(text) !== "object" || !/^[[{]/.test(text)) {
    return text
      .split(",")
      .flatMap((name) => (name.trim() ? { name: name.trim(), value: null } : []))
  }
  return [...readTagValues("tags", [text], problems)].flatMap(([name, values]) =>
    [...values].map((value) => ({ name, value })),
  )
}

/** The fields to print, in document order; `id` is always one of them. */
function readFields(names: readonly string[], problems: Problems): ElementField[] {
  if (names.length === 0) return elementFieldNames
  for (const name of names) {
    if (elementFieldNames.some((field) => field === name)) continue
    const accepted = elementFieldNames.join(", ")
    problems.add(`fields: expected some of ${accepted}, got ${shown(name)}`)
  }
  const chosen = new Set<string>(["id", ...names])
  return elementFieldNames.filter((field) => chosen.has(field))
}
