/**
 * GET `/elements`: every element that passes its parameters, whole. GET `/elements/ids`: the ids of
 * those that had data in a window.
 */

import { elementFieldNames, type ElementField } from "../../wire/elements/element-document.ts"
import { jsonPieces, jsonText, type JsonText } from "../../wire/json.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { QueryRequest } from "../core/request.ts"
import { documentsOf, refuseTooManyMetrics } from "./element-query.ts"
import { allPairs, exactTexts } from "../filter/parameter-filter.ts"
import type { Answering } from "../metrics/metric-query.ts"
import { QueryParameters, parseJson } from "../core/parameters.ts"
import { processingStatuses } from "./processing-status.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { planElementSearch, matchedElements, type PartialMatch } from "../filter/activity-filter.ts"
import { readTagValues } from "../filter/tag-values.ts"
import { readWindowParameters, hasWindow, readDay } from "../core/window.ts"

export interface ElementListQuery extends PartialMatch {
  readonly kind: "elementList"
  /** Any of them; null asks for all. */
  readonly locations: readonly string[] | null
  /** Whether any of the element's metrics is being collected; null asks for all. */
  readonly isCollected: boolean | null
  readonly fields: readonly ElementField[]
  readonly nowMs: number
}

export interface ElementIdsQuery extends PartialMatch {
  readonly kind: "elementIds"
}

export function planElementList(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementListQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const { nowMs, tenant } = request
  const window = readWindowParameters(params)
  const span = hasWindow(window) ? readDay(window, nowMs, problems) : null
  const filter = readFilterParameters(reader, { params, tenant, problems })
  const locations = params.many("location")
  const rest = {
    locations: locations.length === 0 ? null : locations,
    isCollected: params.one("state") === undefined ? null : params.flag("state"),
    fields: readFields(params.many("fields"), problems),
    nowMs,
  }
  problems.throwIfAny()
  const planned = planElementSearch(reader, tenant, { filter, span })
  return { ...planned, question: { kind: "elementList", ...planned.question, ...rest } }
}

export function answerElementList(
  reader: QueryContext,
  asked: Answering<ElementListQuery>,
): JsonText {
  const { question } = asked.plan
  const { locations, isCollected, nowMs, fields } = question
  const { catalogue } = reader.store
  let elements = matchedElements(reader, asked.tenant, asked).toArray()
  if (locations !== null) {
    const wanted = new Set<string | null>(locations)
    elements = elements.filter((element) => wanted.has(catalogue.elementInfo(element).location))
  }
  if (isCollected !== null) {
    const processed = processingStatuses(reader, elements, nowMs)
    elements = elements.filter((_, i) => (processed[i]!.collectedPercent ?? 0) > 0 === isCollected)
  }
  if (fields.includes("metrics")) refuseTooManyMetrics(reader, elements, "fields")
  const documents = documentsOf(reader, elements, { ...question, tenant: asked.tenant })
  return jsonPieces(`{"elements":`, documents, (document) => JSON.stringify(document), "}")
}

/** Without a start the window begins at midnight UTC. */
export function planElementIds(
  reader: QueryContext,
  request: QueryRequest,
): QueryPlanOf<ElementIdsQuery> {
  const problems = new Problems()
  const window = readWindowParameters(new QueryParameters(request.params, problems))
  const span = readDay(window, request.nowMs, problems)
  problems.throwIfAny()
  const planned = planElementSearch(reader, request.tenant, { filter: {}, span })
  return { ...planned, question: { kind: "elementIds", ...planned.question } }
}

export function answerElementIds(
  reader: QueryContext,
  asked: Answering<ElementIdsQuery>,
): JsonText {
  const elements = matchedElements(reader, asked.tenant, asked).toArray()
  const print = (element: number) => jsonText(reader.ids.elementId(element))
  return jsonPieces(`{"ids":`, elements, print, "}")
}

interface FilterParameters {
  readonly params: QueryParameters
  readonly tenant: number
  readonly problems: Problems
}

function readFilterParameters(
  reader: QueryContext,
  { params, tenant, problems }: FilterParameters,
): Filter {
  const ids = [...params.many("id"), ...params.many("ids")]
  // A display name may hold a comma: the whole text is one more name that would do.
  const names = [...new Set([...params.many("name"), ...params.texts("name")])]
  const types = params.many("type")
  const tags = params.texts("tags").flatMap((text) => readTags(text, problems))
  return {
    ...(ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(reader, tenant, ids)) }),
    ...(names.length === 0 ? {} : { elementNames: exactTexts(names) }),
    ...(types.length === 0 ? {} : { elementTypes: exactTexts(types) }),
    ...(tags.length === 0 ? {} : { elementTags: allPairs(tags) }),
  }
}

/** Ids of elements that are named by id or FQN; unknown ones are left out. */
export function idsOf(reader: QueryContext, tenant: number, named: readonly string[]): string[] {
  const { ids } = reader
  return named
    .map((idOrFqn) => ids.findElement(tenant, idOrFqn))
    .filter((element) => element >= 0)
    .map((element) => ids.elementId(element))
}

/** A tag by its name, or JSON with names and values; all of them must be there. */
function readTags(
  text: string,
  problems: Problems,
): { readonly name: string; readonly value: string | null }[] {
  if (typeof parseJson(text) !== "object" || !/^[[{]/.test(text)) {
    return text
      .split(",")
      .flatMap((name) => (name.trim() ? { name: name.trim(), value: null } : []))
  }
  return [...readTagValues("tags", [text], problems)].flatMap(([name, values]) =>
    [...values].map((value) => ({ name, value })),
  )
}

/** `id` always remains. */
function readFields(asked: readonly string[], problems: Problems): ElementField[] {
  if (asked.length === 0) return elementFieldNames
  for (const name of asked) {
    if (elementFieldNames.some((field) => field === name)) continue
    const accepted = elementFieldNames.join(", ")
    problems.add(`fields: expected some of ${accepted}, got ${shown(name)}`)
  }
  const wanted = new Set<string>(["id", ...asked])
  return elementFieldNames.filter((field) => wanted.has(field))
}
