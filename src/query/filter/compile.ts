/**
 * A filter, compiled: tests by what they are tests of. A million metrics have some thousands of
 * elements, names and definitions, so a verdict is reached once for each of these and remembered.
 */

import type { QueryBudget } from "../../base/query-budget.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import { pairsColumns, textColumns, textsColumns, type Subject } from "./columns.ts"
import { ElementChecks } from "./element-checks.ts"
import { pairsTest, textTest, textsTest, type Test } from "./filter.ts"
import { Patterns } from "../core/patterns.ts"
import type { Reader } from "../core/query-context.ts"

export interface CompiledFilter {
  readonly name: Test<number>
  readonly definition: Test<number>
  /** A deleted element passes no filter. */
  readonly element: Test<number>
  /** Run for each series; null where there is nothing to test. */
  readonly series: Test<number> | null
  /** Whether a group is about metrics: then an element passes by the metrics that it has. */
  readonly testsMetrics: boolean
}

type Tests = Record<Subject, Test<number>[]>

export function compileFilter(reader: Reader, tenant: number, filter: Filter): CompiledFilter {
  const { catalogue } = reader.store
  const tests = testsOf(reader, filter, new ElementChecks(reader, tenant))
  const notDeleted = (element: number) => !catalogue.isDeleted(element)
  const { name, definition, element, series } = tests
  const { budget } = reader
  return {
    name: remembered(name, catalogue.nameCount, budget),
    definition: remembered(definition, catalogue.definitionCount, budget),
    element: remembered([notDeleted, ...element], catalogue.elementCount, budget),
    series: series.length === 0 ? null : (one) => series.every((test) => test(one)),
    testsMetrics: name.length + definition.length + series.length > 0,
  }
}

function testsOf(reader: Reader, filter: Filter, checks: ElementChecks): Tests {
  const tests: Tests = { name: [], definition: [], element: [], series: [] }
  const add = <Value>(
    column: { readonly of: Subject; value: ColumnValue<Value> },
    test: Test<Value> | null,
  ) => {
    if (test !== null) tests[column.of].push((index) => test(column.value(reader, index, checks)))
  }
  const once = new Patterns(reader.budget, { remembers: false })
  const patterns = new Patterns(reader.budget, { remembers: true })
  for (const [name, column] of entriesOf(textColumns)) {
    const group = filter[name]
    if (group !== undefined) add(column, textTest(group, isDistinct(name) ? once : patterns))
  }
  for (const [name, column] of entriesOf(textsColumns)) {
    const group = filter[name]
    if (group !== undefined) add<readonly string[]>(column, textsTest(group, patterns))
  }
  for (const [name, column] of entriesOf(pairsColumns)) {
    const group = filter[name]
    if (group !== undefined) add(column, pairsTest(group, patterns))
  }
  return tests
}

type ColumnValue<Value> = (reader: Reader, index: number, checks: ElementChecks) => Value

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

/** All tests as one, run once an index below `count`; looks at the budget before. */
export function remembered(
  tests: readonly Test<number>[],
  count: number,
  budget: QueryBudget,
): Test<number> {
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
