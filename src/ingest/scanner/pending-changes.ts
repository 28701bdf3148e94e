/**
 * News: what a body says that is not known yet. It goes into a plan, as it does on the slow path,
 * and takes effect once the whole body was read and found good.
 *
 *   a post that says something new ──┐
 *   a sample of a metric never seen ─┴─► plan ─► carried out ─► the heads of those posts are kept
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { checkElementLimits } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import type { ElementPost } from "../parser/element-post.ts"
import { CataloguePlan } from "../parser/catalogue-plan.ts"
import { BodyPosition, Problems } from "../parser/problems.ts"
import type {
  ElementTemplateCache,
  ElementTemplate,
  PostedChanges,
} from "./element-template-cache.ts"

export class PendingChanges {
  /** What the body will do to the catalogue; `undefined` where it says nothing new. */
  plan: CataloguePlan | undefined
  private readonly catalogue: Catalogue
  private readonly cache: ElementTemplateCache
  private tenant = 0
  /** Of the element that is read now, once it says something new. */
  private post: ElementPost | undefined
  private readonly elements = new Set<number>()
  /** Cleaned ids of elements that this body is the first to name. */
  private readonly newElements = new Set<string>()
  /** Entries of posts that said something new: they change nothing from when that is known. */
  private readonly pending: ElementTemplate[] = []

  constructor(catalogue: Catalogue, cache: ElementTemplateCache) {
    this.catalogue = catalogue
    this.cache = cache
  }

  /** Begins a body. True where the last one named strangers, and came to nothing. */
  start(tenant: number): boolean {
    this.tenant = tenant
    this.post = undefined
    if (this.plan === undefined) return false
    const isVain = this.pending.some(({ element }) => element < 0)
    this.plan = undefined
    this.elements.clear()
    this.newElements.clear()
    for (const entry of this.pending) {
      entry.changes = undefined
      entry.changedSection = undefined
      this.cache.discardUnused(entry)
    }
    this.pending.length = 0
    return isVain
  }

  /**
   * Begins an element; false where the body must go down the slow path. It must where an element
   * comes again after news of it: what is known of it by then stands in no catalogue yet.
   */
  startElement(entry: ElementTemplate): boolean {
    const { element, changes } = entry
    this.post = undefined
    if (changes !== undefined) this.pending.push(entry)
    if (element < 0) return this.addNewElement(changes!)
    if (this.plan !== undefined && this.elements.has(element)) return false
    return changes === undefined || this.add(element, changes)
  }

  /** The provisional series of a metric that the element does not have yet; it is negative. */
  series(element: number, fqn: string): number {
    if (this.post === undefined) {
      this.add(element, { fqn: this.catalogue.elementFqn(element), patch: {}, metrics: new Map() })
    }
    return this.plan!.series(this.post!, fqn)
  }

  /** Keeps the heads of the body, once its plan was carried out. */
  commit(versionOf: (element: number) => number): void {
    for (const entry of this.pending) {
      if (entry.element < 0) {
        entry.element = this.catalogue.findElement(entry.tenant, entry.changes!.fqn)
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

  private add(element: number, news: PostedChanges): boolean {
    this.elements.add(element)
    return this.addPost(news)
  }

  /** False where a list would outgrow its limit, which the slow path tells. */
  private addPost({ fqn, patch, metrics }: PostedChanges): boolean {
    this.plan ??= new CataloguePlan(this.catalogue, this.tenant)
    this.post = this.plan.add(fqn, patch, metrics)
    const reader = new FieldReader(new Problems(), new BodyPosition(), false)
    checkElementLimits(this.post, reader, this.plan)
    return reader.problems.count === 0
  }
}
