/**
 * Finds the metrics and elements that pass all groups of a filter, from the narrowest side that the
 * groups allow:
 *
 *   metric ids given exactly  → these series
 *   elements named exactly    → the series of these elements
 *   names given exactly       → the partitions of these names
 *   otherwise                 → the partitions of every name that passes
 */

import type { Filter } from "../../wire/filter/list-group.ts"
import { compileFilter, testsChecks, testsStatuses, type CompiledFilter } from "./compile.ts"
import { readElementChecks } from "./element-checks.ts"
import { readElementStatuses, type ElementStatuses } from "./element-statuses.ts"
import { groupTexts } from "./filter.ts"
import { IndexSet } from "../core/index-set.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SeriesIndex, TenantIndex } from "../../model/ids.ts"

/** Series of a tenant that pass. */
export async function findSeries(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
): Promise<IndexSet> {
  return seriesThatPass(context, tenant, filter, await compiled(context, tenant, filter))
}

function seriesThatPass(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
  { name, definition, element, series }: CompiledFilter,
): IndexSet {
  const { catalogue } = context.store
  const found = new IndexSet(catalogue.seriesCount)
  // Within a partition the name is known to pass.
  const takeOfName = (one: number): void => {
    context.budget.step()
    if (!element(catalogue.seriesElement(one))) return
    if (!definition(catalogue.seriesDefinitionIndex(one))) return
    if (series === null || series(one)) found.add(one)
  }
  const narrow = exactSeries(context, tenant, filter)
  if (narrow !== null) {
    for (const one of narrow) if (name(catalogue.seriesName(one))) takeOfName(one)
    return found
  }
  for (const candidate of candidateNames(context, tenant, filter)) {
    if (name(candidate)) forEachSeriesOf(context, candidate, takeOfName)
  }
  return found
}

/**
 * Elements of a tenant that pass; by their metrics if a group is about metrics. `statuses`: of all
 * elements of the tenant, if the caller has read them.
 */
export async function findElements(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
  statuses: ElementStatuses | null = null,
): Promise<IndexSet> {
  const { catalogue } = context.store
  const tests = await compiled(context, tenant, filter, statuses)
  const { element, testsMetrics } = tests
  const found = new IndexSet(catalogue.elementCount)
  if (testsMetrics) {
    const series = seriesThatPass(context, tenant, filter, tests)
    series.forEach((one) => found.add(catalogue.seriesElement(one)))
    return found
  }
  const take = (index: number) => {
    context.budget.step()
    if (catalogue.elementTenant(index) === tenant && element(index)) found.add(index)
  }
  const named = exactElements(context, tenant, filter)
  if (named !== null) named.forEach(take)
  else for (let index = 0; index < catalogue.elementCount; index++) take(index)
  return found
}

async function compiled(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
  known: ElementStatuses | null = null,
): Promise<CompiledFilter> {
  const checks = testsChecks(filter) ? await readElementChecks(context, tenant) : null
  const statuses = testsStatuses(filter)
    ? (known ?? (await readElementStatuses(context, tenant, null)))
    : null
  return compileFilter(context, filter, { checks, statuses })
}

/** Every metric name of a tenant, in order of appearance. */
export function* namesOfTenant(
  { store, budget }: QueryContext,
  tenant: TenantIndex,
): Generator<number> {
  for (let name = 0; name < store.catalogue.nameCount; name++) {
    budget.step()
    if (store.catalogue.name(name).tenant === tenant) yield name
  }
}

/** Every series of a metric name, those of deleted elements too. */
export function forEachSeriesOf(
  { store }: QueryContext,
  name: number,
  visit: (series: SeriesIndex) => void,
): void {
  for (const partition of store.catalogue.partitionsOfName(name)) {
    for (const series of store.catalogue.partitionSeries(partition)) if (series >= 0) visit(series)
  }
}

/** The series that the filter, by naming ids or elements exactly, can let pass; else null. */
function exactSeries(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
): Iterable<number> | null {
  const ids = filter.metricIds === undefined ? null : groupTexts(filter.metricIds)
  if (ids !== null) {
    return ids.map((id) => context.ids.findMetricById(tenant, id)).filter((series) => series >= 0)
  }
  const elements = exactElements(context, tenant, filter)
  return elements === null ? null : seriesOfElements(context, elements)
}

function* seriesOfElements({ store }: QueryContext, elements: Iterable<number>): Generator<number> {
  for (const element of elements) yield* store.catalogue.elementSeries(element)
}

/** Elements that the filter names exactly; null if it names none. */
function exactElements(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
): Set<number> | null {
  for (const column of ["elementFqns", "elementIds"] as const) {
    const texts = filter[column] === undefined ? null : groupTexts(filter[column])
    if (texts === null) continue
    const elements = texts.map((text) => context.ids.findElement(tenant, text))
    return new Set(elements.filter((element) => element >= 0))
  }
  return null
}

function candidateNames(
  context: QueryContext,
  tenant: TenantIndex,
  filter: Filter,
): Iterable<number> {
  const { catalogue } = context.store
  for (const column of ["metricFqns", "metricNames"] as const) {
    const texts = filter[column] === undefined ? null : groupTexts(filter[column])
    if (texts === null) continue
    return texts.map((text) => catalogue.findName(tenant, text)).filter((name) => name >= 0)
  }
  return namesOfTenant(context, tenant)
}
