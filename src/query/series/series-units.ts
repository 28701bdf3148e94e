/**
 * Units of a query (spec/series §4): what becomes one line, which is a series or a group of series
 * that share a text; a series with two of them is in two groups. They are held unit by unit:
 *
 *   members   │ 4 7 9 │ 2 │ 5 8 │      starts   0 3 4 6
 */

import { assert } from "../../base/assert.ts"
import { elementTags, metricTags } from "../filter/columns.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SeriesIndex } from "../../model/ids.ts"
import { isCounter } from "../../model/effective-settings.ts"
import type { MetricDefinition, NameValue } from "../../model/element.ts"
import type { SeriesGrouping } from "../../wire/series/series-query-body.ts"
import type { SeriesSubject } from "../../wire/series/series-query-result.ts"

export class SeriesUnits {
  readonly count: number
  /** False if each unit is one series. */
  readonly isGrouped: boolean
  private readonly members: Int32Array
  private readonly starts: Int32Array
  private readonly labels: readonly string[] | null

  private constructor(
    members: Int32Array,
    starts: Int32Array,
    { labels }: { readonly labels: readonly string[] | null },
  ) {
    this.members = members
    this.starts = starts
    this.count = starts.length - 1
    this.labels = labels
    this.isGrouped = labels !== null
  }

  /** Groups in order of their texts; series in their order. */
  static of(context: QueryContext, series: Int32Array, grouping: SeriesGrouping): SeriesUnits {
    if (grouping.by === "series") {
      const starts = Int32Array.from({ length: series.length + 1 }, (_, i) => i)
      return new SeriesUnits(series, starts, { labels: null })
    }
    const byLabel = new Map<string, number[]>()
    for (const one of series) {
      context.budget.step()
      for (const label of labelsOf(context, one, grouping)) {
        const group = byLabel.get(label)
        if (group === undefined) byLabel.set(label, [one])
        else group.push(one)
      }
    }
    const labels = [...byLabel.keys()].sort()
    const members = Int32Array.from(labels.flatMap((label) => byLabel.get(label)!))
    const starts = new Int32Array(labels.length + 1)
    labels.forEach((label, i) => (starts[i + 1] = starts[i]! + byLabel.get(label)!.length))
    return new SeriesUnits(members, starts, { labels })
  }

  seriesOf(unit: number): Int32Array {
    return this.members.subarray(this.starts[unit]!, this.starts[unit + 1]!)
  }

  /** Of units that are one series each: these series, and back from each to its unit. */
  singles(wanted: Iterable<number>): {
    readonly series: Int32Array
    readonly unitOf: (series: SeriesIndex) => number
  } {
    assert(!this.isGrouped, "Expected units of one series each")
    const units = new Map<SeriesIndex, number>()
    for (const unit of wanted) units.set(this.seriesOf(unit)[0]!, unit)
    return { series: Int32Array.from(units.keys()), unitOf: (series) => units.get(series)! }
  }

  labelOf(unit: number): string | null {
    return this.labels?.[unit] ?? null
  }
}

/** Several if a tag has a posted value and another one that a user set: filters find both. */
function labelsOf(
  { store }: QueryContext,
  series: SeriesIndex,
  { by, name }: SeriesGrouping,
): readonly string[] {
  const { catalogue } = store
  const element = catalogue.seriesElement(series)
  const info = catalogue.elementInfo(element)
  switch (by) {
    case "element":
      return [catalogue.elementFqn(element)]
    case "metric":
      return [catalogue.name(catalogue.seriesName(series)).fqn]
    case "type":
      return [info.type]
    case "location":
      return [info.location ?? ""]
    case "tag": {
      const values = elementTags(info).filter((tag) => tag.name === name)
      return values.length === 0 ? [""] : [...new Set(values.map(({ value }) => value))]
    }
    case "attribute":
      return [valueOf(info.attributes, name)]
    default:
      return [""]
  }
}

/** Empty without a pair of that name. */
function valueOf(pairs: readonly NameValue[], name: string): string {
  return pairs.find((pair) => pair.name === name)?.value ?? ""
}

/** A tag of a package or a user corrects what the collector sent. */
function unitOf(definition: MetricDefinition): string {
  return valueOf(metricTags(definition), "unit") || definition.unit
}

/** The subject of a line: the series, or the facts that all series of the group share. */
export function subjectOf(context: QueryContext, units: SeriesUnits, unit: number): SeriesSubject {
  const series = units.seriesOf(unit)
  const group = units.labelOf(unit)
  let shared = subjectOfSeries(context, series[0]!, group)
  for (const one of series.subarray(1)) {
    context.budget.step()
    shared = sharedOf(context, shared, one)
  }
  return shared
}

function subjectOfSeries(
  { store, ids }: QueryContext,
  series: SeriesIndex,
  group: string | null,
): SeriesSubject {
  const { catalogue } = store
  const element = catalogue.seriesElement(series)
  const { name, type } = catalogue.elementInfo(element)
  const definition = catalogue.seriesDefinition(series)
  return {
    elementId: ids.elementId(element),
    elementFqn: catalogue.elementFqn(element),
    elementName: name,
    elementType: type,
    metricId: ids.metricId(series),
    metricFqn: catalogue.name(catalogue.seriesName(series)).fqn,
    unit: unitOf(definition),
    group,
    isCounter: isCounter(definition),
  }
}

function sharedOf(context: QueryContext, subject: SeriesSubject, series: SeriesIndex) {
  const { catalogue } = context.store
  const element = catalogue.seriesElement(series)
  const definition = catalogue.seriesDefinition(series)
  const isSameElement = catalogue.elementFqn(element) === subject.elementFqn
  const { type } = catalogue.elementInfo(element)
  const { fqn } = catalogue.name(catalogue.seriesName(series))
  const unit = unitOf(definition)
  return {
    elementId: isSameElement ? subject.elementId : null,
    elementFqn: isSameElement ? subject.elementFqn : null,
    elementName: isSameElement ? subject.elementName : null,
    elementType: type === subject.elementType ? type : null,
    metricId: null,
    metricFqn: fqn === subject.metricFqn ? fqn : null,
    unit: unit === subject.unit ? unit : null,
    group: subject.group,
    isCounter: subject.isCounter && isCounter(definition),
  }
}
