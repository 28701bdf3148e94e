/**
 * News: what a body says that is not known yet. It goes into a plan, as it does on the slow path,
 * and takes effect once the whole body was read and found good.
 *
 *   a post that says something new ──┐
 *   a sample of a metric never seen ─┴─► plan ─► carried out ─► the heads of those posts are kept
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { checkGrowth } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import type { Post } from "../parser/post.ts"
import { Plan } from "../parser/plan.ts"
import { Place, Problems } from "../parser/problems.ts"
import type { HeadCache, HeadEntry, Said } from "./element-template-cache.ts"

export class News {
  /** What the body will do to the catalogue; `undefined` where it says nothing new. */
  plan: Plan | undefined
  private readonly catalogue: Catalogue
  private readonly cache: HeadCache
  private tenant = 0
  /** Of the element that is read now, once it says something new. */
  private post: Post | undefined
  private readonly elements = new Set<number>()
  /** Cleaned ids of elements that this body is the first to name. */
  private readonly strangers = new Set<string>()
  /** Entries of posts that said something new: they change nothing from when that is known. */
  private readonly waiting: HeadEntry[] = []

  constructor(catalogue: Catalogue, cache: HeadCache) {
    this.catalogue = catalogue
    this.cache = cache
  }

  /** Begins a body. True where the last one named strangers, and came to nothing. */
  start(tenant: number): boolean {
    this.tenant = tenant
    this.post = undefined
    if (this.plan === undefined) return false
    const isVain = this.waiting.some(({ element }) => element < 0)
    this.plan = undefined
    this.elements.clear()
    this.strangers.clear()
    for (const entry of this.waiting) {
      entry.news = undefined
      entry.amended = undefined
      this.cache.abandon(entry)
    }
    this.waiting.length = 0
    return isVain
  }

  /**
   * Begins an element; false where the body must go down the slow path. It must where an element
   * comes again after news of it: what is known of it by then stands in no catalogue yet.
   */
  startElement(entry: HeadEntry): boolean {
    const { element, news } = entry
    this.post = undefined
    if (news !== undefined) this.waiting.push(entry)
    if (element < 0) return this.addStranger(news!)
    if (this.plan !== undefined && this.elements.has(element)) return false
    return news === undefined || this.add(element, news)
  }

  /** The provisional series of a metric that the element does not have yet; it is negative. */
  series(element: number, fqn: string): number {
    if (this.post === undefined) {
      this.add(element, { fqn: this.catalogue.elementFqn(element), patch: {}, metrics: new Map() })
    }
    return this.plan!.series(this.post!, fqn)
  }

  /** Keeps the heads of the body, once its plan was carried out. */
  keep(stampOf: (element: number) => number): void {
    for (const entry of this.waiting) {
      if (entry.element < 0) {
        entry.element = this.catalogue.findElement(entry.tenant, entry.news!.fqn)
        entry.series = new Int32Array(0)
      }
      entry.news = undefined
      entry.info = this.catalogue.elementInfo(entry.element)
      entry.stamp = stampOf(entry.element)
      if (entry.amended === undefined) this.cache.add(entry)
      else this.cache.amend(entry)
    }
    this.waiting.length = 0
  }

  private addStranger(news: Said): boolean {
    if (this.strangers.has(news.fqn)) return false
    this.strangers.add(news.fqn)
    return this.addPost(news)
  }

  private add(element: number, news: Said): boolean {
    this.elements.add(element)
    return this.addPost(news)
  }

  /** False where a list would outgrow its limit, which the slow path tells. */
  private addPost({ fqn, patch, metrics }: Said): boolean {
    this.plan ??= new Plan(this.catalogue, this.tenant)
    this.post = this.plan.add(fqn, patch, metrics)
    const reader = new FieldReader(new Problems(), new Place(), false)
    checkGrowth(this.post, reader, this.plan)
    return reader.problems.count === 0
  }
}
