/**
 * What a body will do to the catalogue, gathered while it is checked and applied once all of it is
 * valid. Samples of series that do not exist yet stand in the columns under a provisional number:
 *
 *   series ≥ 0    known to the catalogue
 *   series < 0    -1 - ordinal in `unborn`, replaced by the real one when the plan is applied
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { mergeInfo, newInfo } from "../../catalogue/merge.ts"
import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
} from "../../model/element.ts"
import type { SampleColumns } from "../../model/sample-columns.ts"
import { definitionHolds, infoHolds } from "../holds.ts"

/** One element of the body. Two posts of one element are applied one after the other. */
export interface Post {
  readonly fqn: string
  /** Index in the catalogue, or -1 where the element is new. */
  readonly element: number
  readonly patch: ElementPatch
  readonly metrics: ReadonlyMap<string, MetricPatch>
  /** Ordinals of the element's unborn series by metric fqn; shared by all posts of the element. */
  readonly unborn: Map<string, number>
  /** First ordinal that this post may have added to. */
  readonly firstUnborn: number
}

export class Plan {
  private readonly catalogue: Catalogue
  private readonly tenant: number
  private readonly posts: Post[] = []
  private readonly unborn: string[] = []
  private readonly unbornByElement = new Map<string, Map<string, number>>()
  private readonly infos = new Map<string, ElementInfo>()

  constructor(catalogue: Catalogue, tenant: number) {
    this.catalogue = catalogue
    this.tenant = tenant
  }

  get elementCount(): number {
    return this.posts.length
  }

  add(fqn: string, patch: ElementPatch, metrics: ReadonlyMap<string, MetricPatch>): Post {
    let unborn = this.unbornByElement.get(fqn)
    if (unborn === undefined) this.unbornByElement.set(fqn, (unborn = new Map()))
    const element = this.catalogue.findElement(this.tenant, fqn)
    const post = { fqn, element, patch, metrics, unborn, firstUnborn: this.unborn.length }
    this.posts.push(post)
    return post
  }

  /** What will be known of the post's element, where the post says anything new. */
  amendedInfo({ fqn, element, patch }: Post): ElementInfo | undefined {
    const known =
      this.infos.get(fqn) ?? (element < 0 ? undefined : this.catalogue.elementInfo(element))
    if (known !== undefined && infoHolds(known, patch)) return undefined
    const info = known === undefined ? newInfo(fqn, patch, 0) : mergeInfo(known, patch)
    this.infos.set(fqn, info)
    return info
  }

  /** The series of a metric of the post's element, perhaps provisional. */
  series(post: Post, fqn: string): number {
    const known = this.knownSeries(post.element, fqn)
    if (known >= 0) return known
    const ordinal = post.unborn.get(fqn)
    if (ordinal !== undefined) return -1 - ordinal
    post.unborn.set(fqn, this.unborn.length)
    return -this.unborn.push(fqn)
  }

  /** Index of a series that exists, or -1. */
  knownSeries(element: number, fqn: string): number {
    if (element < 0) return -1
    const name = this.catalogue.findName(this.tenant, fqn)
    return name < 0 ? -1 : this.catalogue.findSeries(element, name)
  }

  /** What is known of a metric; `undefined` where nothing is. */
  knownDefinition(element: number, fqn: string): MetricDefinition | undefined {
    const series = this.knownSeries(element, fqn)
    return series < 0 ? undefined : this.catalogue.seriesDefinition(series)
  }

  /**
   * Brings the catalogue up to date and gives the samples from `firstSample` on their real series.
   * `onChange` hears of every element that was known and is now known differently.
   */
  apply(moment: {
    readonly nowMs: number
    readonly columns: SampleColumns
    readonly firstSample: number
    readonly onChange: (element: number) => void
  }): void {
    const born: number[] = []
    for (const [at, post] of this.posts.entries()) {
      const element = this.applyElement(post, moment)
      for (const [fqn, patch] of post.metrics) this.applyMetric(element, fqn, patch, moment)
      const end = this.posts[at + 1]?.firstUnborn ?? this.unborn.length
      for (let ordinal = post.firstUnborn; ordinal < end; ordinal++) {
        born.push(this.catalogue.upsertSeries(element, this.unborn[ordinal]!))
      }
    }
    if (born.length > 0) settle(moment.columns, moment.firstSample, born)
  }

  private applyElement(post: Post, moment: { nowMs: number; onChange: OnChange }): number {
    const { catalogue } = this
    const known = catalogue.findElement(this.tenant, post.fqn)
    const before = known < 0 ? undefined : catalogue.elementInfo(known)
    if (before !== undefined && infoHolds(before, post.patch)) return known
    const say = { ...post.patch, nowMs: moment.nowMs }
    const element = catalogue.upsertElement(this.tenant, post.fqn, say)
    if (before !== undefined && catalogue.elementInfo(element) !== before) moment.onChange(element)
    return element
  }

  private applyMetric(
    element: number,
    fqn: string,
    patch: MetricPatch,
    moment: { onChange: OnChange },
  ): void {
    const { catalogue } = this
    const known = this.knownSeries(element, fqn)
    if (known >= 0 && definitionHolds(catalogue.seriesDefinition(known), patch)) return
    const before = known < 0 ? -1 : catalogue.seriesDefinitionIndex(known)
    catalogue.upsertSeries(element, fqn, patch)
    if (known >= 0 && catalogue.seriesDefinitionIndex(known) !== before) moment.onChange(element)
  }
}

type OnChange = (element: number) => void

function settle(columns: SampleColumns, firstSample: number, born: readonly number[]): void {
  const { series, count } = columns
  for (let i = firstSample; i < count; i++) {
    if (series[i]! < 0) series[i] = born[-1 - series[i]!]!
  }
}
