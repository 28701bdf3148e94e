/**
 * Pending changes: the unknown facts in a body. They go into a plan, as in the reference parser,
 * and take effect once the whole body was read and is valid.
 *
 *   a post with changes ──────────┐
 *   a sample of an unknown metric ┴─► plan ─► applied ─► the templates of those posts are cached
 */

import { assert } from "../../base/assert.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import { checkElementLimits } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import type { ElementPost } from "../parser/element-post.ts"
import { CataloguePlan } from "../parser/catalogue-plan.ts"
import { noPostedMetrics } from "../parser/posted-metrics.ts"
import { BodyPosition, BodyProblems } from "../parser/problems.ts"
import type {
  ElementTemplateCache,
  ElementTemplate,
  PostedChanges,
} from "./element-template-cache.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"

export class PendingChanges {
  /** The changes of the body to the catalogue; `undefined` if there are none. */
  plan: CataloguePlan | undefined
  private readonly catalogue: Catalogue
  private readonly cache: ElementTemplateCache
  private tenant = 0
  /** The current element's post, once it has changes. */
  private post: ElementPost | undefined
  private readonly elements = new Set<number>()
  /** Cleaned ids of elements that appear for the first time. */
  private readonly newElements = new Set<string>()
  /** Templates of posts with changes: valid once those changes are committed. */
  private readonly pending: ElementTemplate[] = []

  constructor(catalogue: Catalogue, cache: ElementTemplateCache) {
    this.catalogue = catalogue
    this.cache = cache
  }

  /** Starts a body. Returns true if the last one had new elements and was not committed. */
  start(tenant: TenantIndex): boolean {
    this.tenant = tenant
    this.post = undefined
    if (this.plan === undefined) return false
    const isUncommitted = this.pending.some(({ element }) => element < 0)
    this.plan = undefined
    this.elements.clear()
    this.newElements.clear()
    for (const entry of this.pending) {
      entry.changes = undefined
      entry.changedSection = undefined
      this.cache.discardUnused(entry)
    }
    this.pending.length = 0
    return isUncommitted
  }

  /**
   * Starts an element; false if the reference parser has to read the body. It has to if an element
   * occurs again after changes of it, which are not in the catalogue yet.
   */
  startElement(entry: ElementTemplate): boolean {
    const { element, changes } = entry
    assert(entry.tenant === this.tenant, "Expected a template of the tenant that posts")
    assert(element >= 0 || changes !== undefined, "Expected changes of an element that is new")
    this.post = undefined
    if (changes !== undefined) this.pending.push(entry)
    if (element < 0) return this.addNewElement(changes!)
    if (this.hasChanged(element)) return false
    return changes === undefined || this.add(element, changes)
  }

  /** True if the body that is being read has changes of this known element. */
  hasChanged(element: ElementIndex): boolean {
    return this.plan !== undefined && this.elements.has(element)
  }

  /** The provisional series, a negative number, of a metric that is new to the element. */
  series(element: ElementIndex, fqn: string): number {
    if (this.post === undefined) {
      this.add(element, {
        fqn: this.catalogue.elementFqn(element),
        patch: {},
        metrics: noPostedMetrics,
      })
    }
    return this.plan!.series(this.post!, fqn)
  }

  /** Caches the templates of the body after its plan was applied. */
  commit(versionOf: (element: ElementIndex) => number): void {
    for (const entry of this.pending) {
      if (entry.element < 0) {
        entry.element = this.catalogue.findElement(entry.tenant, entry.changes!.fqn)
        assert(entry.element >= 0, "Expected the element of a plan that was applied")
        entry.series = new Int32Array(0)
      }
      entry.changes = undefined
      entry.info = this.catalogue.elementInfo(entry.element)
      entry.version = versionOf(entry.element)
      if (entry.changedSection === undefined) this.cache.add(entry)
      else this.cache.replaceSection(entry)
    }
    this.pending.length = 0
  }

  private addNewElement(changes: PostedChanges): boolean {
    if (this.newElements.has(changes.fqn)) return false
    this.newElements.add(changes.fqn)
    return this.addPost(changes)
  }

  private add(element: ElementIndex, changes: PostedChanges): boolean {
    this.elements.add(element)
    return this.addPost(changes)
  }

  /** False if a list would exceed its limit, which the reference parser reports. */
  private addPost({ fqn, patch, metrics }: PostedChanges): boolean {
    this.plan ??= new CataloguePlan(this.catalogue, this.tenant)
    this.post = this.plan.add(fqn, patch, metrics)
    const reader = new FieldReader(new BodyProblems(), new BodyPosition(), false)
    checkElementLimits(this.post, reader, this.plan)
    return reader.problems.count === 0
  }
}
