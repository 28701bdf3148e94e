/**
 * Series of formats that have labels instead of names (spec/ingest §12). The first set of labels
 * that means a series declares it:
 *
 *   cpu_seconds_total {job="node", instance="web-1:9100", cpu="0", env="prod"}
 *   ─► element web-1_9100__node, tags job, instance, env
 *      metric  cpu_seconds_total.cpu-0, tags cpu, env; a counter
 *
 * Shared labels are not part of the metric's name. If a series occurs again with other shared
 * labels, these become part of it, so that no two series of a file are mixed.
 */

import { invalid } from "../../base/errors.ts"
import { metricFqn, type Label } from "../../ingest/labels/label-fqn.ts"
import { elementName, elementType, splitLabels } from "../../ingest/labels/label-split.ts"
import type { ImportSeries, ImportTarget } from "./import-target.ts"

export interface LabelOptions {
  /** Labels that identify elements; those of label-split.ts if absent. */
  readonly elementLabels?: readonly string[]
  /** The element of series without such a label; null refuses them. */
  readonly element: string | null
}

/** Part of the name of a series without shared labels, of which an earlier one has some. */
const noneShared: Label = ["shared", "none"]

export class LabelImport {
  private readonly target: ImportTarget
  private readonly options: LabelOptions
  private readonly elements = new Set<string>()
  /** Shared labels of each series, by element and metric. */
  private readonly shared = new Map<string, string>()
  /** Base names of histograms, whose `_count` and `_sum` are counters. */
  private readonly histograms = new Set<string>()

  constructor(target: ImportTarget, options: LabelOptions) {
    this.target = target
    this.options = options
  }

  /** `type`: of the metric, as the file says it; undefined if it does not. */
  seriesOf(name: string, labels: readonly Label[], type?: "COUNTER" | "GAUGE"): ImportSeries {
    const present = labels.filter(([, value]) => value !== "")
    const split = splitLabels(present, this.options.elementLabels)
    const element = split.fqn ?? this.options.element
    if (element === null) {
      throw invalid(`${name}: no label names an element; --element or --element-labels does`)
    }
    const shared = split.shared
      .map((pair) => pair.join("="))
      .sort()
      .join(",")
    let own = split.metric
    let fqn = metricFqn(name, own)
    const known = this.shared.get(`${element} ${fqn}`)
    if (known !== undefined && known !== shared) {
      own = [...split.metric, ...(shared === "" ? [noneShared] : split.shared)]
      fqn = metricFqn(name, own)
    }
    this.shared.set(`${element} ${fqn}`, shared)
    this.declareElement(element, split.element, split.shared)
    const tags = tagsOf([...split.metric, ...split.shared])
    const kind = type ?? this.typeOf(name, own)
    this.target.declare({ id: element, metrics: [{ id: fqn, type: kind, ...tags }] })
    return this.target.seriesOf(element, fqn)
  }

  private declareElement(fqn: string, labels: readonly Label[], shared: readonly Label[]): void {
    if (this.elements.has(fqn)) return
    this.elements.add(fqn)
    if (labels.length === 0) return
    const type = elementType(labels)
    const post = { id: fqn, name: elementName(labels), ...tagsOf([...labels, ...shared]) }
    this.target.declare(type === undefined ? post : { ...post, type })
  }

  /** By the conventions of Prometheus' names. */
  private typeOf(name: string, labels: readonly Label[]): "COUNTER" | "GAUGE" {
    const [, base, suffix] = /^(.*)_(total|bucket|count|sum)$/.exec(name) ?? []
    if (base === undefined) return "GAUGE"
    if (suffix === "total") return "COUNTER"
    if (suffix !== "bucket") return this.histograms.has(base) ? "COUNTER" : "GAUGE"
    if (!labels.some(([label]) => label === "le")) return "GAUGE"
    this.histograms.add(base)
    return "COUNTER"
  }
}

function tagsOf(labels: readonly Label[]) {
  if (labels.length === 0) return {}
  return { tags: labels.map(([name, value]) => ({ name, value })) }
}
