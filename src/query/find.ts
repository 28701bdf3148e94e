/**
 * Finds the metrics that pass all groups of a filter, from the narrowest side the groups allow:
 *
 *   elements named exactly  → the series of these elements
 *   names given exactly     → the blocks of these names
 *   otherwise               → the blocks of every name that passes
 */

import type { Filter, ListColumn, ListGroup } from "../wire/list-group.ts"
import type { Subject } from "./columns.ts"
import { columns } from "./columns.ts"
import { groupTest, groupTexts } from "./filter.ts"
import type { Reader } from "./reader.ts"

/** Series of a tenant that pass, ascending: in order of appearance. */
export function findSeries(reader: Reader, tenant: number, filter: Filter): Int32Array {
  const tests = compile(reader, filter)
  const { catalogue } = reader.store
  const found: number[] = []
  const take = (series: number) => {
    if (series >= 0 && tests.passes(series)) found.push(series)
  }
  const elements = namedElements(reader, tenant, filter)
  if (elements !== null) {
    for (const element of elements) catalogue.elementSeries(element).forEach(take)
  } else {
    for (const name of candidateNames(reader, tenant, filter)) {
      if (!tests.name(name)) continue
      for (const block of catalogue.blocksOfName(name)) catalogue.blockSeries(block).forEach(take)
    }
  }
  return new Int32Array(found).sort()
}

/** Elements that the filter names exactly; null where it does not. */
function namedElements(reader: Reader, tenant: number, filter: Filter): Set<number> | null {
  for (const column of ["elementFqns", "elementIds"] as const) {
    const texts = filter[column] === undefined ? null : groupTexts(filter[column])
    if (texts === null) continue
    const elements = texts.map((text) => reader.identity.findElement(tenant, text))
    return new Set(elements.filter((element) => element >= 0))
  }
  return null
}

function candidateNames(reader: Reader, tenant: number, filter: Filter): Iterable<number> {
  const { catalogue } = reader.store
  for (const column of ["metricFqns", "metricNames"] as const) {
    const texts = filter[column] === undefined ? null : groupTexts(filter[column])
    if (texts === null) continue
    return texts.map((text) => catalogue.findName(tenant, text)).filter((name) => name >= 0)
  }
  return namesOfTenant(reader, tenant)
}

/** Every metric name of a tenant, in order of appearance. */
export function* namesOfTenant({ store }: Reader, tenant: number): Generator<number> {
  for (let name = 0; name < store.catalogue.nameCount; name++) {
    if (store.catalogue.name(name).tenant === tenant) yield name
  }
}

interface CompiledFilter {
  /** Whether the groups over metric names let this one pass. */
  readonly name: (name: number) => boolean
  /** Whether all groups let this series pass. */
  readonly passes: (series: number) => boolean
}

type IndexTest = (index: number) => boolean

function compile(reader: Reader, filter: Filter): CompiledFilter {
  const { catalogue } = reader.store
  const tests: Record<Subject, IndexTest[]> = { name: [], definition: [], element: [], series: [] }
  for (const [column, group] of Object.entries(filter) as [ListColumn, ListGroup][]) {
    const { of, text } = columns[column]
    const test = groupTest(group)
    if (test !== null) tests[of].push((index) => test(text(reader, index)))
  }
  const name = remembered(tests.name)
  const definition = remembered(tests.definition)
  const element = remembered(tests.element)
  return {
    name,
    passes: (series) =>
      name(catalogue.seriesName(series)) &&
      definition(catalogue.seriesDefinitionIndex(series)) &&
      element(catalogue.seriesElement(series)) &&
      tests.series.every((test) => test(series)),
  }
}

/** All tests as one, run once an index: a million metrics have far fewer elements and names. */
export function remembered(tests: readonly IndexTest[]): IndexTest {
  if (tests.length === 0) return () => true
  const verdicts = new Map<number, boolean>()
  return (index) => {
    let verdict = verdicts.get(index)
    if (verdict === undefined) {
      verdict = tests.every((test) => test(index))
      verdicts.set(index, verdict)
    }
    return verdict
  }
}
