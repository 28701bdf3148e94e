/** GET `/metrics/fqns`: names of metrics, of whatever matches any condition (spec/queries §6). */

import type { ElementInfo, NameValue } from "../../model/element.ts"
import { jsonPieces, jsonText, type JsonText } from "../../wire/json.ts"
import type { QueryRequest } from "../core/request.ts"
import { elementTags, metricTags } from "../filter/columns.ts"
import { memoized } from "../filter/compile.ts"
import { namesOfTenant } from "../filter/search.ts"
import { QueryParameters } from "../core/parameters.ts"
import { Problems } from "../../wire/problems.ts"
import type { QueryPlanOf, QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-context.ts"
import { readTagValues } from "../filter/tag-values.ts"
import type { TagValues } from "../filter/tag-values.ts"

export interface MetricNamesQuery {
  readonly kind: "fqns"
  /** UUIDs or FQNs. */
  readonly elements: readonly string[]
  readonly elementNames: ReadonlySet<string>
  readonly elementTypes: ReadonlySet<string>
  readonly metricFqns: readonly string[]
  readonly elementAttributes: TagValues
  readonly elementTags: TagValues
  readonly metricTags: TagValues
}

export function planFqns(request: QueryRequest): QueryPlanOf<MetricNamesQuery> {
  const problems = new Problems()
  const params = new QueryParameters(request.params, problems)
  const tagValues = (name: string) => readTagValues(name, params.texts(name), problems)
  // A display name may hold a comma: the whole text is one more name that would do.
  const names = (name: string) => new Set([...params.many(name), ...params.texts(name)])
  const question: MetricNamesQuery = {
    kind: "fqns",
    elements: [...params.many("elementId"), ...params.many("elementFqn")],
    elementNames: names("elementName"),
    elementTypes: names("elementType"),
    metricFqns: params.many("metricFqn"),
    elementAttributes: tagValues("elementAttribute"),
    elementTags: tagValues("elementTag"),
    metricTags: tagValues("metricTag"),
  }
  problems.throwIfAny()
  return withoutSamples(question)
}

export function answerFqns(
  reader: QueryContext,
  tenant: number,
  question: MetricNamesQuery,
): JsonText {
  const { catalogue } = reader.store
  const names = hasConditions(question)
    ? matchingNames(reader, tenant, question)
    : new Set(namesOfTenant(reader, tenant))
  const isListed = notDeleted(reader)
  const fqns = [...names]
    .filter((name) => hasSeries(reader, name, isListed))
    .map((name) => catalogue.name(name).fqn)
  return jsonPieces(`{"fqns":`, fqns.sort(), jsonText, "}")
}

function hasConditions(question: MetricNamesQuery): boolean {
  const { elements, metricFqns, metricTags } = question
  return elements.length + metricFqns.length + metricTags.size > 0 || needsElements(question)
}

/** Whether a condition is about something that elements cannot be looked up by. */
function needsElements(question: MetricNamesQuery): boolean {
  const { elementNames, elementTypes, elementAttributes, elementTags } = question
  return [elementNames, elementTypes, elementAttributes, elementTags].some(({ size }) => size > 0)
}

function matchingNames(
  reader: QueryContext,
  tenant: number,
  question: MetricNamesQuery,
): Set<number> {
  const { catalogue } = reader.store
  const names = new Set<number>()
  for (const fqn of question.metricFqns) names.add(reader.ids.findName(tenant, fqn))
  for (const element of matchingElements(reader, tenant, question)) {
    for (const series of catalogue.elementSeries(element)) names.add(catalogue.seriesName(series))
  }
  names.delete(-1)
  if (question.metricTags.size === 0) return names
  const matches = taggedTest(reader, question.metricTags)
  for (const name of namesOfTenant(reader, tenant)) {
    if (!names.has(name) && hasSeries(reader, name, matches)) names.add(name)
  }
  return names
}

function* matchingElements(
  reader: QueryContext,
  tenant: number,
  question: MetricNamesQuery,
): Generator<number> {
  for (const id of question.elements) {
    const element = reader.ids.findElement(tenant, id)
    if (element >= 0) yield element
  }
  if (!needsElements(question)) return
  const { catalogue } = reader.store
  for (let element = 0; element < catalogue.elementCount; element++) {
    reader.budget.step()
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    if (matchesElement(catalogue.elementInfo(element), question)) yield element
  }
}

function matchesElement(info: ElementInfo, question: MetricNamesQuery): boolean {
  return (
    question.elementTypes.has(info.type) ||
    question.elementNames.has(info.name) ||
    hasAny(elementTags(info), question.elementTags) ||
    hasAny(info.attributes, question.elementAttributes)
  )
}

function hasSeries(
  { store, budget }: QueryContext,
  name: number,
  matches: (series: number) => boolean,
): boolean {
  budget.step()
  return store.catalogue
    .blocksOfName(name)
    .some((block) => store.catalogue.blockSeries(block).some((one) => one >= 0 && matches(one)))
}

function notDeleted({ store }: QueryContext): (series: number) => boolean {
  const { catalogue } = store
  return (series) => !catalogue.isDeleted(catalogue.seriesElement(series))
}

function taggedTest(reader: QueryContext, wanted: TagValues): (series: number) => boolean {
  const { catalogue } = reader.store
  const isListed = notDeleted(reader)
  const isTagged = memoized(
    [(definition) => hasAny(metricTags(catalogue.definition(definition)), wanted)],
    catalogue.definitionCount,
    reader.budget,
  )
  return (series) => isTagged(catalogue.seriesDefinitionIndex(series)) && isListed(series)
}

function hasAny(pairs: readonly NameValue[], wanted: TagValues): boolean {
  return wanted.size > 0 && pairs.some(({ name, value }) => wanted.get(name)?.has(value))
}
