/**
 * GET `/elements`: every element that passes its parameters, whole. GET `/elements/ids`: the ids of
 * those that had data in a window.
 */

import { elementFieldNames, type ElementField } from "../../wire/elements/element-document.ts"
import { jsonPieces, jsonText, type JsonText } from "../../wire/json.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { AskRequest } from "../core/request.ts"
import { documentsOf, refuseTooManyMetrics } from "./element-query.ts"
import { allPairs, exactTexts } from "../filter/parameter-filter.ts"
import type { Answering } from "../metrics/metric-query.ts"
import { Parameters, parseJson } from "../core/parameters.ts"
import { processingOf } from "./processing-status.ts"
import type { Planned, Reader } from "../core/query-context.ts"
import { planElements, soughtElements, type Sought } from "../filter/activity-filter.ts"
import { readTagValues } from "../filter/tag-values.ts"
import { askedWindow, isAsked, readDay } from "../core/window.ts"

export interface ElementListQuestion extends Sought {
  readonly kind: "elementList"
  /** Any of them; null asks for all. */
  readonly locations: readonly string[] | null
  /** Whether any of the element's metrics is being collected; null asks for all. */
  readonly isCollected: boolean | null
  readonly fields: readonly ElementField[]
  readonly nowMs: number
}

export interface ElementIdsQuestion extends Sought {
  readonly kind: "elementIds"
}

export function planElementList(reader: Reader, request: AskRequest): Planned<ElementListQuestion> {
  const problems = new Problems()
  const params = new Parameters(request.params, problems)
  const { nowMs, tenant } = request
  const window = askedWindow(params)
  const span = isAsked(window) ? readDay(window, nowMs, problems) : null
  const filter = readFilterParameters(reader, { params, tenant, problems })
  const locations = params.many("location")
  const rest = {
    locations: locations.length === 0 ? null : locations,
    isCollected: params.one("state") === undefined ? null : params.flag("state"),
    fields: readFields(params.many("fields"), problems),
    nowMs,
  }
  problems.throwIfAny()
  const planned = planElements(reader, tenant, { filter, span })
  return { ...planned, question: { kind: "elementList", ...planned.question, ...rest } }
}

export function answerElementList(reader: Reader, asked: Answering<ElementListQuestion>): JsonText {
  const { question } = asked.plan
  const { locations, isCollected, nowMs, fields } = question
  const { catalogue } = reader.store
  let elements = soughtElements(reader, asked.tenant, asked).toArray()
  if (locations !== null) {
    const wanted = new Set<string | null>(locations)
    elements = elements.filter((element) => wanted.has(catalogue.elementInfo(element).location))
  }
  if (isCollected !== null) {
    const processed = processingOf(reader, elements, nowMs)
    elements = elements.filter((_, i) => (processed[i]!.collectedPercent ?? 0) > 0 === isCollected)
  }
  if (fields.includes("metrics")) refuseTooManyMetrics(reader, elements, "fields")
  const documents = documentsOf(reader, elements, { ...question, tenant: asked.tenant })
  return jsonPieces(`{"elements":`, documents, (document) => JSON.stringify(document), "}")
}

/** Without a start the window begins at midnight UTC. */
export function planElementIds(reader: Reader, request: AskRequest): Planned<ElementIdsQuestion> {
  const problems = new Problems()
  const window = askedWindow(new Parameters(request.params, problems))
  const span = readDay(window, request.nowMs, problems)
  problems.throwIfAny()
  const planned = planElements(reader, request.tenant, { filter: {}, span })
  return { ...planned, question: { kind: "elementIds", ...planned.question } }
}

export function answerElementIds(reader: Reader, asked: Answering<ElementIdsQuestion>): JsonText {
  const elements = soughtElements(reader, asked.tenant, asked).toArray()
  const print = (element: number) => jsonText(reader.identity.elementId(element))
  return jsonPieces(`{"ids":`, elements, print, "}")
}

interface FilterParameters {
  readonly params: Parameters
  readonly tenant: number
  readonly problems: Problems
}

function readFilterParameters(
  reader: Reader,
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
export function idsOf(reader: Reader, tenant: number, named: readonly string[]): string[] {
  const { identity } = reader
  return named
    .map((idOrFqn) => identity.findElement(tenant, idOrFqn))
    .filter((element) => element >= 0)
    .map((element) => identity.elementId(element))
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
