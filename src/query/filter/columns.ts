/** The columns of the catalogue that filter groups test. */

import { assert } from "../../base/assert.ts"
import { sparseStrategyOf } from "../../model/effective-settings.ts"
import type { ElementInfo, MetricDefinition, NameValue } from "../../model/element.ts"
import type { Check } from "../../model/records/check.ts"
import type { ListColumn, MapColumn } from "../../wire/filter/list-group.ts"
import { customDataSourceId, metricServiceTags } from "../../wire/metric-document.ts"
import type { ElementChecks } from "./element-checks.ts"
import type { ElementStatuses } from "./element-statuses.ts"
import type { QueryContext } from "../core/query-context.ts"

/** The subject of a column: its test runs once per subject, not once per metric. */
export const subjects = ["name", "definition", "element", "series"] as const
export type Subject = (typeof subjects)[number]

/** One text a thing, or several, as their type says. */
export interface Column<Value> {
  readonly of: Subject
  readonly value: (context: QueryContext, index: number, facts: ElementFacts) => Value
}

/** Facts that are read of all elements before a filter tests them; null if it tests none. */
export interface ElementFacts {
  readonly checks: ElementChecks | null
  readonly statuses: ElementStatuses | null
}

const metricFqn: Column<string> = {
  of: "name",
  value: ({ store }, name) => store.catalogue.name(name).fqn,
}

/** Columns with one text. */
export const textColumns = {
  metricFqns: metricFqn,
  /** A metric shows its FQN as its name (metric document). */
  metricNames: metricFqn,
  metricTypes: ofDefinition(({ type }) => type),
  metricUnits: ofDefinition(({ unit }) => unit),
  metricSparseDataStrategies: ofDefinition(sparseStrategyOf),
  elementTypes: ofElement(({ type }) => type),
  elementNames: ofElement(({ name }) => name),
  elementLocations: ofElement(({ location }) => location ?? ""),
  elementFqns: {
    of: "element",
    value: ({ store }, element) => store.catalogue.elementFqn(element),
  },
  elementIds: {
    of: "element",
    value: ({ ids }, element) => ids.elementId(element),
  },
  elementStatuses: {
    of: "element",
    value: ({ store }, element, { statuses }) => {
      // A deleted element passes no filter, and has no status.
      if (store.catalogue.isDeleted(element)) return ""
      assert(statuses !== null, "Expected the statuses of elements to be read before the tests")
      return statuses.of(element)
    },
  },
  metricIds: {
    of: "series",
    value: ({ ids }, series) => ids.computeMetricId(series),
  },
} as const satisfies Partial<Record<ListColumn, Column<string>>>

/** Everything that is ingested belongs to the Custom integration and is collected by it. */
export const customCollectorName = "Custom"
const dataSourceIds = [String(customDataSourceId)]
const collectorNames = [customCollectorName]

/** Columns with any number of texts. */
export const textsColumns = {
  /** The two names of an element, a part of which people type. */
  elementTexts: {
    of: "element",
    value: ({ store }, element) => [
      store.catalogue.elementInfo(element).name,
      store.catalogue.elementFqn(element),
    ],
  },
  datasourceIds: ofElement(() => dataSourceIds),
  collectorNames: ofElement(() => collectorNames),
  checkIds: ofChecks(({ id }) => id),
  checkNames: ofChecks(({ name }) => name),
} as const satisfies Record<
  Exclude<ListColumn, keyof typeof textColumns>,
  Column<readonly string[]>
>

/** Columns with names and values. */
export const pairsColumns = {
  elementTags: ofElement(elementTags),
  attributes: ofElement(({ attributes }) => attributes),
  metricTags: ofDefinition(metricTags),
} as const satisfies Record<MapColumn, Column<readonly NameValue[]>>

/** Posted tags of an element, and those set by users. */
export function elementTags({ tags, serviceTags }: ElementInfo): readonly NameValue[] {
  return serviceTags === undefined ? tags : [...tags, ...serviceTags]
}

/** All tags; one set by a user wins over a posted one of that name. */
export function effectiveTags({ tags, serviceTags = [] }: ElementInfo): readonly NameValue[] {
  if (serviceTags.length === 0) return tags
  const userSet = new Set(serviceTags.map(({ name }) => name))
  return [...tags.filter(({ name }) => !userSet.has(name)), ...serviceTags]
}

/** Posted tags of a metric, and its service tags. */
export function metricTags(definition: MetricDefinition): readonly NameValue[] {
  const service = Object.entries(metricServiceTags(definition))
  return [...definition.tags, ...service.map(([name, value]) => ({ name, value }))]
}

function ofElement<Value>(value: (info: ElementInfo) => Value): Column<Value> {
  return {
    of: "element",
    value: ({ store }, element) => value(store.catalogue.elementInfo(element)),
  }
}

function ofChecks(textOf: (check: Check) => string): Column<readonly string[]> {
  return {
    of: "element",
    value: ({ store }, element, { checks }) => {
      assert(checks !== null, "Expected the checks of elements to be read before they are tested")
      return checks.of(store.catalogue.elementFqn(element)).map(textOf)
    },
  }
}

function ofDefinition<Value>(value: (definition: MetricDefinition) => Value): Column<Value> {
  return {
    of: "definition",
    value: ({ store }, definition) => value(store.catalogue.definition(definition)),
  }
}
