/**
 * A filter, compiled: tests by what they are tests of. A million metrics have some thousands of
 * elements, names and definitions, so a verdict is reached once for each of these and remembered.
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { pairsColumns, textColumns, textsColumns } from "./columns.ts"
import type { Column, ElementFacts, Subject } from "./columns.ts"
import { pairsMatcher, textMatcher, textsMatcher, type Matcher } from "./filter.ts"
import { PatternCache } from "../core/pattern-cache.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { ElementIndex } from "../../model/ids.ts"

export interface CompiledFilter {
  readonly name: Matcher<number>
  readonly definition: Matcher<number>
  /** A deleted element passes no filter. */
  readonly element: Matcher<number>
  /** Run for each series; null where there is nothing to test. */
  readonly series: Matcher<number> | null
  /** Whether a group is about metrics: then an element passes by the metrics that it has. */
  readonly testsMetrics: boolean
}

type Tests = Record<Subject, Matcher<number>[]>

/** Whether a filter tests the checks of elements, which `compileFilter` then needs. */
export function testsChecks({ checkIds, checkNames }: Filter): boolean {
  return checkIds !== undefined || checkNames !== undefined
}

/** The same of their statuses. */
export function testsStatuses({ elementStatuses }: Filter): boolean {
  return elementStatuses !== undefined
}

/** `facts`: of the tenant. */
export function compileFilter(
  context: QueryContext,
  filter: Filter,
  facts: ElementFacts,
): CompiledFilter {
  const { catalogue } = context.store
  const tests = testsOf(context, filter, facts)
  const notDeleted = (element: ElementIndex) => !catalogue.isDeleted(element)
  const { name, definition, element, series } = tests
  const { budget } = context
  return {
    name: memoized(name, catalogue.nameCount, budget),
    definition: memoized(definition, catalogue.definitionCount, budget),
    element: memoized([notDeleted, ...element], catalogue.elementCount, budget),
    series: series.length === 0 ? null : (one) => series.every((test) => test(one)),
    testsMetrics: name.length + definition.length + series.length > 0,
  }
}

function testsOf(context: QueryContext, filter: Filter, facts: ElementFacts): Tests {
  const tests: Tests = { name: [], definition: [], element: [], series: [] }
  const add = <Value>(
    column: { readonly of: Subject; value: ColumnValue<Value> },
    test: Matcher<Value> | null,
  ) => {
    if (test !== null) tests[column.of].push((index) => test(column.value(context, index, facts)))
  }
  const once = new PatternCache(context.budget, { remembers: false })
  const patterns = new PatternCache(context.budget, { remembers: true })
  for (const [name, column] of entriesOf(textColumns)) {
    const group = filter[name]
    if (group !== undefined) add(column, textMatcher(group, isDistinct(name) ? once : patterns))
  }
  for (const [name, column] of entriesOf(textsColumns)) {
    const group = filter[name]
    if (group !== undefined) add<readonly string[]>(column, textsMatcher(group, patterns))
  }
  for (const [name, column] of entriesOf(pairsColumns)) {
    const group = filter[name]
    if (group !== undefined) add(column, pairsMatcher(group, patterns))
  }
  return tests
}

type ColumnValue<Value> = Column<Value>["value"]

function entriesOf<Columns extends object>(columns: Columns) {
  return Object.entries(columns) as [keyof Columns, Columns[keyof Columns]][]
}

const unknown = 0
const passes = 1
const fails = 2

/** Of these no two metrics or elements of a tenant have the same. */
function isDistinct(column: keyof typeof textColumns): boolean {
  return ["metricFqns", "metricNames", "metricIds", "elementFqns", "elementIds"].includes(column)
}

/** All tests as one, run once per index below `count`; checks the budget before. */
export function memoized(
  tests: readonly Matcher<number>[],
  count: number,
  budget: QueryBudget,
): Matcher<number> {
  if (tests.length === 0) return () => true
  const verdicts = new Uint8Array(count)
  return (index) => {
    const verdict = verdicts[index]
    if (verdict !== unknown) return verdict === passes
    budget.check()
    const isPassing = tests.every((test) => test(index))
    verdicts[index] = isPassing ? passes : fails
    return isPassing
  }
}
