/** GET `/metrics/fqns`: names of metrics that match any of the conditions (spec/queries §6). */

import type { SeriesIndex, TenantIndex } from "../../model/ids.ts"
import type { ElementInfo, NameValue } from "../../model/element.ts"
import { jsonPieces, jsonText } from "../../wire/json.ts"
import type { Problems } from "../../wire/problems.ts"
import { defineQuery } from "../core/define-query.ts"
import { IndexSet } from "../core/index-set.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { QueryInput } from "../core/request.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { elementTags, metricTags } from "../filter/columns.ts"
import { memoized } from "../filter/compile.ts"
import { forEachSeriesOf, namesOfTenant } from "../filter/search.ts"
import { readTagValues, type TagValues } from "../filter/tag-values.ts"

export const metricNames = defineQuery({
  kind: "fqns",
  parse: ({ params }, problems) => readMetricNames(params, problems),
  plan: (_, query) => withoutSamples(query),
  answer(context, { plan, tenant }) {
    const { catalogue } = context.store
    const names = hasConditions(plan.query)
      ? matchingNames(context, tenant, plan.query)
      : new Set(namesOfTenant(context, tenant))
    const isListed = notDeleted(context)
    const fqns = [...names]
      .filter((name) => hasSeries(context, name, isListed))
      .map((name) => catalogue.name(name).fqn)
    return jsonPieces(`{"fqns":`, fqns.sort(), jsonText, "}")
  },
})

/** Reads the conditions of a request. */
export function readMetricNames(given: QueryInput["params"], problems: Problems): MetricNamesQuery {
  const params = new QueryParameters(given, problems)
  const tagValues = (name: string) => readTagValues(name, params.texts(name), problems)
  // A display name may contain a comma, so the whole text is one more accepted name.
  const names = (name: string) => new Set([...params.many(name), ...params.texts(name)])
  return {
    elements: [...params.many("elementId"), ...params.many("elementFqn")],
    elementNames: names("elementName"),
    elementTypes: names("elementType"),
    metricFqns: params.many("metricFqn"),
    elementAttributes: tagValues("elementAttribute"),
    elementTags: tagValues("elementTag"),
    metricTags: tagValues("metricTag"),
  }
}

export interface MetricNamesQuery {
  /** UUIDs or FQNs. */
  readonly elements: readonly string[]
  readonly elementNames: ReadonlySet<string>
  readonly elementTypes: ReadonlySet<string>
  readonly metricFqns: readonly string[]
  readonly elementAttributes: TagValues
  readonly elementTags: TagValues
  readonly metricTags: TagValues
}

function hasConditions(query: MetricNamesQuery): boolean {
  const { elements, metricFqns, metricTags } = query
  return elements.length + metricFqns.length + metricTags.size > 0 || needsElements(query)
}

/** Whether a condition can only be tested by scanning all elements. */
function needsElements(query: MetricNamesQuery): boolean {
  const { elementNames, elementTypes, elementAttributes, elementTags } = query
  return [elementNames, elementTypes, elementAttributes, elementTags].some(({ size }) => size > 0)
}

function matchingNames(
  context: QueryContext,
  tenant: TenantIndex,
  query: MetricNamesQuery,
): Set<number> {
  const { catalogue } = context.store
  const names = new Set<number>()
  for (const fqn of query.metricFqns) names.add(context.ids.findName(tenant, fqn))
  for (const element of matchingElements(context, tenant, query)) {
    for (const series of catalogue.elementSeries(element)) names.add(catalogue.seriesName(series))
  }
  names.delete(-1)
  if (query.metricTags.size === 0) return names
  const matches = taggedTest(context, query.metricTags)
  for (const name of namesOfTenant(context, tenant)) {
    if (!names.has(name) && hasSeries(context, name, matches)) names.add(name)
  }
  return names
}

/** The series that match any of the conditions; null if there are none, so that all do. */
export function matchingSeries(
  context: QueryContext,
  tenant: TenantIndex,
  query: MetricNamesQuery,
): IndexSet | null {
  if (!hasConditions(query)) return null
  const { catalogue } = context.store
  const found = new IndexSet(catalogue.seriesCount)
  const add = (series: SeriesIndex) => found.add(series)
  for (const fqn of query.metricFqns) {
    const name = context.ids.findName(tenant, fqn)
    if (name >= 0) forEachSeriesOf(context, name, add)
  }
  for (const element of matchingElements(context, tenant, query)) {
    for (const series of catalogue.elementSeries(element)) found.add(series)
  }
  if (query.metricTags.size === 0) return found
  const isTagged = taggedTest(context, query.metricTags)
  for (const name of namesOfTenant(context, tenant)) {
    forEachSeriesOf(context, name, (series) => {
      context.budget.step()
      if (isTagged(series)) found.add(series)
    })
  }
  return found
}

function* matchingElements(
  context: QueryContext,
  tenant: TenantIndex,
  query: MetricNamesQuery,
): Generator<number> {
  for (const id of query.elements) {
    const element = context.ids.findElement(tenant, id)
    if (element >= 0) yield element
  }
  if (!needsElements(query)) return
  const { catalogue } = context.store
  for (let element = 0; element < catalogue.elementCount; element++) {
    context.budget.step()
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    if (matchesElement(catalogue.elementInfo(element), query)) yield element
  }
}

function matchesElement(info: ElementInfo, query: MetricNamesQuery): boolean {
  return (
    query.elementTypes.has(info.type) ||
    query.elementNames.has(info.name) ||
    hasAny(elementTags(info), query.elementTags) ||
    hasAny(info.attributes, query.elementAttributes)
  )
}

function hasSeries(
  { store, budget }: QueryContext,
  name: number,
  matches: (series: SeriesIndex) => boolean,
): boolean {
  budget.step()
  return store.catalogue
    .partitionsOfName(name)
    .some((each) => store.catalogue.partitionSeries(each).some((one) => one >= 0 && matches(one)))
}

function notDeleted({ store }: QueryContext): (series: SeriesIndex) => boolean {
  const { catalogue } = store
  return (series) => !catalogue.isDeleted(catalogue.seriesElement(series))
}

function taggedTest(context: QueryContext, wanted: TagValues): (series: SeriesIndex) => boolean {
  const { catalogue } = context.store
  const isListed = notDeleted(context)
  const isTagged = memoized(
    [(definition) => hasAny(metricTags(catalogue.definition(definition)), wanted)],
    catalogue.definitionCount,
    context.budget,
  )
  return (series) => isTagged(catalogue.seriesDefinitionIndex(series)) && isListed(series)
}

function hasAny(pairs: readonly NameValue[], wanted: TagValues): boolean {
  return wanted.size > 0 && pairs.some(({ name, value }) => wanted.get(name)?.has(value))
}
