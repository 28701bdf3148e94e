/**
 * Catalogue plan: the changes of one body to the catalogue, collected while it is checked and
 * applied once all of it is valid. Until then, samples of new series have a provisional number:
 *
 *   series ≥ 0    known to the catalogue
 *   series < 0    -1 - ordinal in `provisional`; `apply` replaces it by the created series
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { mergeDefinition, mergeInfo, newInfo } from "../../catalogue/merge.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../model/ids.ts"
import type {
  ElementInfo,
  ElementPatch,
  MetricDefinition,
  MetricPatch,
} from "../../model/element.ts"
import { defaultDefinition } from "../../model/element.ts"
import type { SampleBatchBuilder } from "../../model/sample-batch.ts"
import { elementTextBytes, elementTextGrowth } from "../../model/text-bytes.ts"
import type { CatalogueGrowth } from "../cardinality.ts"
import { isDefinitionUnchanged, isInfoUnchanged } from "../is-unchanged.ts"
import type { ElementPost } from "./element-post.ts"
import { PostedMetrics } from "./posted-metrics.ts"
import { textGrowth, textGrowthUpperBound } from "./text-growth.ts"

interface MergedInfo {
  readonly info: ElementInfo
  readonly textBytes: number
}

export class CataloguePlan {
  private readonly catalogue: Catalogue
  private readonly tenant: TenantIndex
  private posts: ElementPost[] = []
  private readonly provisional: string[] = []
  private readonly provisionalByElement = new Map<string, Map<string, number>>()
  /** By fqn: the info after the posts so far, of those that `mergedInfo` merged. */
  private readonly merged = new Map<string, MergedInfo>()
  /** Known definitions merged with posted tags, by element and metric fqn. */
  private readonly taggedDefinitions = new Map<string, MetricDefinition>()
  /** During `apply`: changed definitions by series, stored after all posts were processed. */
  private readonly changedDefinitions = new Map<number, MetricDefinition>()
  private declaredCount = 0
  /** Posts of elements that are new or deleted, and what restoring the latter adds. */
  private newPosts = 0
  private restoredSeries = 0
  private restoredText = 0

  constructor(catalogue: Catalogue, tenant: TenantIndex) {
    this.catalogue = catalogue
    this.tenant = tenant
  }

  get elementCount(): number {
    return this.posts.length
  }

  add(fqn: string, patch: ElementPatch, metrics: PostedMetrics): ElementPost {
    const element = this.catalogue.findElement(this.tenant, fqn)
    const firstProvisional = this.provisional.length
    const post: ElementPost = {
      fqn,
      element,
      patch,
      metrics,
      provisional: undefined,
      firstProvisional,
    }
    this.posts.push(post)
    this.declaredCount += metrics.patches.size
    if (!this.isPresent(element)) this.notePostOfAbsent(fqn, element)
    return post
  }

  private isPresent(element: ElementIndex): boolean {
    return element >= 0 && !this.catalogue.isDeleted(element)
  }

  private notePostOfAbsent(fqn: string, element: ElementIndex): void {
    this.newPosts++
    if (element < 0) return
    this.restoredSeries += this.catalogue.elementSeries(element).length
    this.restoredText += elementTextBytes(fqn, this.catalogue.elementInfo(element))
  }

  /**
   * The element's info after the post; undefined if the post does not change it, or if the element
   * is new and has no lists, in which case its text cannot be too long.
   */
  mergedInfo(post: ElementPost): MergedInfo | undefined {
    const { fqn, element, patch } = post
    const hasLists = patch.tags ?? patch.attributes ?? patch.relations
    if (hasLists === undefined && element < 0) return undefined
    const earlier = this.merged.get(fqn)
    const known = earlier?.info ?? this.knownInfo(post)
    if (known !== undefined && isInfoUnchanged(known, patch)) return undefined
    const info = known === undefined ? newInfo(fqn, patch, 0) : mergeInfo(known, patch)
    const growth = elementTextGrowth(fqn, earlier?.info, info)
    const merged = { info, textBytes: (earlier?.textBytes ?? 0) + growth }
    this.merged.set(fqn, merged)
    return merged
  }

  /** The element's info in the catalogue. */
  knownInfo({ element }: ElementPost): ElementInfo | undefined {
    return element < 0 ? undefined : this.catalogue.elementInfo(element)
  }

  /** A metric's definition after a post with tags; undefined if nothing changes. */
  mergedDefinition(
    post: ElementPost,
    fqn: string,
    patch: MetricPatch,
  ): MetricDefinition | undefined {
    if (patch.tags === undefined) return undefined
    const key = `${post.fqn}\0${fqn}`
    const known = this.taggedDefinitions.get(key) ?? this.knownDefinition(post.element, fqn)
    if (known !== undefined && isDefinitionUnchanged(known, patch)) return undefined
    const definition = mergeDefinition(known ?? defaultDefinition, patch)
    this.taggedDefinitions.set(key, definition)
    return definition
  }

  /** The series of a metric of the post's element; provisional if it is new. */
  series(post: ElementPost, fqn: string): number {
    const known = this.knownSeries(post.element, fqn)
    if (known >= 0) return known
    post.provisional ??= this.provisionalOf(post.fqn)
    const ordinal = post.provisional.get(fqn)
    if (ordinal !== undefined) return -1 - ordinal
    post.provisional.set(fqn, this.provisional.length)
    return -this.provisional.push(fqn)
  }

  private provisionalOf(element: string): Map<string, number> {
    let unborn = this.provisionalByElement.get(element)
    if (unborn === undefined) this.provisionalByElement.set(element, (unborn = new Map()))
    return unborn
  }

  /** Index of a known series, or -1. */
  knownSeries(element: ElementIndex, fqn: string): number {
    if (element < 0) return -1
    return this.catalogue.findSeries(element, this.catalogue.findName(this.tenant, fqn))
  }

  /** The definition of a known metric, or `undefined`. */
  knownDefinition(element: ElementIndex, fqn: string): MetricDefinition | undefined {
    const series = this.knownSeries(element, fqn)
    return series < 0 ? undefined : this.catalogue.seriesDefinition(series)
  }

  /** Leaves out elements that are new or deleted, and new metrics of the others. */
  keepKnown(): void {
    const known = this.posts.filter(({ element }) => this.isPresent(element))
    this.clear()
    for (const { fqn, element, patch, metrics } of known) {
      const old = [...metrics.patches].filter(([one]) => this.knownSeries(element, one) >= 0)
      this.add(fqn, patch, new PostedMetrics(new Map(old)))
    }
  }

  /** Leaves out all changes. */
  clear(): void {
    this.posts = []
    this.provisional.length = 0
    this.provisionalByElement.clear()
    this.declaredCount = 0
    this.newPosts = 0
    this.restoredSeries = 0
    this.restoredText = 0
  }

  /** An upper bound of `growth`, found without look-ups. */
  growthUpperBound(): CatalogueGrowth {
    const { declaredCount: declared, newPosts: elements } = this
    const series = this.provisional.length + declared + this.restoredSeries
    // A known definition that changes is stored again as a whole.
    const storedBytes = declared * this.catalogue.textBytes.longestDefinitionBytes
    const postedBytes = textGrowthUpperBound(this.posts, this.provisional)
    const text = storedBytes + postedBytes + this.restoredText
    return { series, elements, definitions: declared, text }
  }

  /**
   * The additions of the plan to the catalogue. Definitions of new series are not counted, since
   * there are at most as many as series; changed ones of known series are.
   */
  growth(): CatalogueGrowth {
    const elements = new Set<string>()
    const declared = new Set<string>()
    let restored = 0
    let definitions = 0
    for (const post of this.posts) {
      if (!this.isPresent(post.element) && !elements.has(post.fqn)) {
        elements.add(post.fqn)
        if (post.element >= 0) restored += this.catalogue.elementSeries(post.element).length
      }
      const unborn = this.provisionalByElement.get(post.fqn)
      for (const [fqn, patch] of post.metrics.patches) {
        const known = this.knownDefinition(post.element, fqn)
        if (known !== undefined) definitions += this.isNewDefinition(known, patch) ? 1 : 0
        else if (unborn?.has(fqn) !== true) declared.add(`${post.fqn}\0${fqn}`)
      }
    }
    const text = textGrowth({
      ...this.textSources(),
      posts: this.posts,
      provisional: this.provisional,
    })
    return {
      series: this.provisional.length + declared.size + restored,
      elements: elements.size,
      definitions,
      text,
    }
  }

  private textSources() {
    const { catalogue, tenant } = this
    return {
      catalogue,
      tenant,
      knownDefinition: (element: ElementIndex, fqn: string) => this.knownDefinition(element, fqn),
    }
  }

  private isNewDefinition(known: MetricDefinition, patch: MetricPatch): boolean {
    if (isDefinitionUnchanged(known, patch)) return false
    return !this.catalogue.knowsDefinition(mergeDefinition(known, patch))
  }

  /**
   * Updates the catalogue and replaces the provisional series of the samples from `firstSample` on.
   * `onChange` is called with every known element that has changed.
   */
  apply(options: {
    readonly nowMs: number
    readonly columns: SampleBatchBuilder
    readonly firstSample: number
    readonly onChange: (element: ElementIndex) => void
  }): void {
    // Series of each ordinal in `provisional`, -1 until it is known.
    const created = new Int32Array(this.provisional.length).fill(-1)
    for (let at = 0; at < this.posts.length; at++) {
      const post = this.posts[at]!
      const element = this.applyElement(post, options)
      for (const [fqn, patch] of post.metrics.patches) {
        const series = this.applyMetric(element, fqn, patch)
        const ordinal = post.provisional?.get(fqn)
        if (ordinal !== undefined) created[ordinal] = series
      }
      const end = this.posts[at + 1]?.firstProvisional ?? this.provisional.length
      for (let ordinal = post.firstProvisional; ordinal < end; ordinal++) {
        if (created[ordinal] === -1) created[ordinal] = this.applyUndeclared(element, ordinal)
      }
    }
    for (const [series, definition] of this.changedDefinitions)
      this.applyDefinition(series, definition, options)
    if (created.length > 0) resolveSeries(options.columns, options.firstSample, created)
  }

  private applyElement(post: ElementPost, options: { nowMs: number; onChange: OnChange }): number {
    const { catalogue } = this
    const known = catalogue.findElement(this.tenant, post.fqn)
    const before = known < 0 ? undefined : catalogue.elementInfo(known)
    if (before !== undefined && isInfoUnchanged(before, post.patch)) return known
    const patch = patchWithTime(post.patch, options.nowMs)
    const element = catalogue.upsertElement(this.tenant, post.fqn, patch)
    if (before !== undefined && catalogue.elementInfo(element) !== before) options.onChange(element)
    return element
  }

  /**
   * A known metric gets its definition at the end: otherwise two thousand posts in one body that
   * each add a tag to it would store two thousand definitions, which are never deleted.
   */
  private applyMetric(element: ElementIndex, fqn: string, patch: MetricPatch): SeriesIndex {
    const { catalogue } = this
    const known = this.knownSeries(element, fqn)
    if (known < 0) return catalogue.insertSeries(element, fqn, patch)
    const definition = this.changedDefinitions.get(known) ?? catalogue.seriesDefinition(known)
    if (!isDefinitionUnchanged(definition, patch)) {
      this.changedDefinitions.set(known, mergeDefinition(definition, patch))
    }
    return known
  }

  /** Of a metric that the post sends samples of and does not declare. */
  private applyUndeclared(element: ElementIndex, ordinal: number): SeriesIndex {
    const fqn = this.provisional[ordinal]!
    const known = this.knownSeries(element, fqn)
    return known < 0 ? this.catalogue.insertSeries(element, fqn, {}) : known
  }

  private applyDefinition(
    series: SeriesIndex,
    definition: MetricDefinition,
    options: { onChange: OnChange },
  ): void {
    const { catalogue } = this
    const element = catalogue.seriesElement(series)
    const before = catalogue.seriesDefinitionIndex(series)
    const { name, ...rest } = definition
    const patch = name === null ? rest : { ...rest, name }
    catalogue.upsertSeries(element, catalogue.name(catalogue.seriesName(series)).fqn, patch)
    if (catalogue.seriesDefinitionIndex(series) !== before) options.onChange(element)
  }
}

type OnChange = (element: ElementIndex) => void

/** Copies field by field: spreading took 480 of the 1,200 bytes of a small new element. */
function patchWithTime(patch: ElementPatch, nowMs: number): ElementPatch & { nowMs: number } {
  const { name, type, location, tags, attributes, relations } = patch
  const timed = { name, type, location, tags, attributes, relations, nowMs }
  return timed satisfies Record<keyof ElementPatch, unknown> as ElementPatch & { nowMs: number }
}

function resolveSeries(
  columns: SampleBatchBuilder,
  firstSample: number,
  created: Int32Array,
): void {
  const { series, count } = columns
  for (let i = firstSample; i < count; i++) {
    if (series[i]! < 0) series[i] = created[-1 - series[i]!]!
  }
}
