/**
 * GET `/metrics/tree`: one level of the dotted names (spec/search §2). Counts are of the metrics
 * that pass, so that the tree of one element counts its own.
 *
 *   prefix "cpu"     cpu.total, cpu.core.0, cpu.core.1  →  total (a leaf), core (2 children)
 */

import { treeNodesMax } from "../../base/limits/search.ts"
import type { SeriesIndex, TenantIndex } from "../../model/ids.ts"
import type { MetricTree } from "../../wire/search/search-answer.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { forEachSeriesOf, namesOfTenant } from "../filter/search.ts"
import { matchingSeries, readMetricNames, type MetricNamesQuery } from "./metric-names.ts"

export const metricTree = defineQuery({
  kind: "metricTree",
  parse(input, problems) {
    const prefix = new QueryParameters(input.params, problems).one("prefix") ?? ""
    return { prefix: prefix.replace(/\.+$/, ""), names: readMetricNames(input.params, problems) }
  },
  plan: (_, query) => withoutSamples(query),
  answer(context, { plan, tenant }) {
    const { prefix, names } = plan.query
    const listed = new ListedSeries(context, tenant, names)
    const counter = new NodeCounter(context, listed)
    const nodes = [...segmentsOf(context, tenant, prefix)]
      .map(([segment, below]) => counter.node(prefix, segment, below))
      .filter(({ metrics }) => metrics > 0)
      .sort((one, other) => other.metrics - one.metrics || (one.segment < other.segment ? -1 : 1))
    const tree: MetricTree = {
      prefix,
      nodes: nodes.slice(0, treeNodesMax),
      truncated: nodes.length > treeNodesMax,
    }
    return JSON.stringify(tree)
  },
})

type TreeNode = MetricTree["nodes"][number]

/** Names below a prefix by their next segment. */
function segmentsOf(
  context: QueryContext,
  tenant: TenantIndex,
  prefix: string,
): Map<string, number[]> {
  const start = prefix === "" ? "" : `${prefix}.`
  const segments = new Map<string, number[]>()
  for (const name of namesOfTenant(context, tenant)) {
    const { fqn } = context.store.catalogue.name(name)
    if (!fqn.startsWith(start) || fqn.length === start.length) continue
    const dot = fqn.indexOf(".", start.length)
    const segment = fqn.slice(start.length, dot < 0 ? undefined : dot)
    const known = segments.get(segment)
    if (known === undefined) segments.set(segment, [name])
    else known.push(name)
  }
  return segments
}

/** The series of names that a request lists: those of elements that exist and pass. */
class ListedSeries {
  private readonly context: QueryContext
  /** By name; null if all series pass. */
  private readonly passing: ReadonlyMap<number, readonly SeriesIndex[]> | null

  constructor(context: QueryContext, tenant: TenantIndex, names: MetricNamesQuery) {
    this.context = context
    const found = matchingSeries(context, tenant, names)
    if (found === null) {
      this.passing = null
      return
    }
    const byName = new Map<number, SeriesIndex[]>()
    found.forEach((series) => {
      const name = context.store.catalogue.seriesName(series)
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [series])
      else known.push(series)
    })
    this.passing = byName
  }

  forEach(name: number, visit: (series: SeriesIndex) => void): void {
    const { context, passing } = this
    const { catalogue } = context.store
    const visitListed = (series: SeriesIndex): void => {
      context.budget.step()
      if (!catalogue.isDeleted(catalogue.seriesElement(series))) visit(series)
    }
    if (passing === null) forEachSeriesOf(context, name, visitListed)
    else passing.get(name)?.forEach(visitListed)
  }
}

/** Counts the metrics and the distinct elements of nodes, one node after the other. */
class NodeCounter {
  private readonly context: QueryContext
  private readonly listed: ListedSeries
  /** By element: the number of the node that counted it last. A set took four times as long. */
  private readonly countedBy: Int32Array
  private nodes = 0

  constructor(context: QueryContext, listed: ListedSeries) {
    this.context = context
    this.listed = listed
    this.countedBy = new Int32Array(context.store.catalogue.elementCount)
  }

  node(prefix: string, segment: string, names: readonly number[]): TreeNode {
    const { countedBy } = this
    const { catalogue } = this.context.store
    const number = ++this.nodes
    const fqn = prefix === "" ? segment : `${prefix}.${segment}`
    const units = new Set<string>()
    let [metrics, elements, children, isLeaf] = [0, 0, 0, false]
    for (const name of names) {
      const before = metrics
      this.listed.forEach(name, (series) => {
        metrics++
        const element = catalogue.seriesElement(series)
        if (countedBy[element] !== number) elements++
        countedBy[element] = number
        if (units.size < 2) units.add(catalogue.seriesDefinition(series).unit)
      })
      if (metrics === before) continue
      if (catalogue.name(name).fqn === fqn) isLeaf = true
      else children++
    }
    const [unit = null] = units
    return { segment, fqn, isLeaf, children, metrics, elements, unit: units.size > 1 ? null : unit }
  }
}
