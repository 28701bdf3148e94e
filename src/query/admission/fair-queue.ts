/**
 * Turns: which waiting query is next. The tenant that used the query threads least goes first,
 * within it the user that used them least, and of one user look-ups and then the query that
 * came first. If all
 * queries cost the same, tenants and users take turns one by one; who asks dear queries waits
 * while others are served, and nobody waits behind the whole queue of another.
 *
 *   tenant 1 ── used 9,000 ms ── user a ── used 9,000 ms ── query, query, …
 *   tenant 2 ── used    40 ms ─┬ user b ── used    30 ms ── query          ◄── next: b's
 *                              └ user c ── used    10 ms ── (none waits)
 *
 * What was used is forgotten by halves, so that a burst does not count for ever.
 */

import { usageHalfLifeMs, trackedUsersMax } from "../../base/limits.ts"

/** Who asks. */
export interface QueryOwner {
  /** Index of the tenant. */
  readonly tenant: number
  readonly user: string
  /** A look-up of microseconds: it goes before the other queries of its user. */
  readonly isLookUp?: boolean
}

/** Use of one tenant or user: milliseconds of query threads, halved every `usageHalfLifeMs`. */
class DecayingUse {
  private ms = 0
  private asOfMs = 0
  /** Number of the last turn: of those with equal use the one that was served longest ago wins. */
  lastTurn = 0

  at(nowMs: number): number {
    return this.ms * 2 ** ((this.asOfMs - nowMs) / usageHalfLifeMs)
  }

  add(ms: number, nowMs: number): void {
    this.ms = this.at(nowMs) + ms
    this.asOfMs = nowMs
  }
}

class User<Item> {
  readonly use = new DecayingUse()
  /** In order of arrival. */
  readonly waiting: Item[] = []
}

class Tenant<Item> {
  readonly use = new DecayingUse()
  readonly users = new Map<string, User<Item>>()
  waiting = 0
}

/** A use of less need not be remembered. */
const negligibleMs = 0.5

export class FairQueue<Item extends QueryOwner> {
  private readonly tenants = new Map<number, Tenant<Item>>()
  private turn = 0
  private userCount = 0
  private usersMax = trackedUsersMax
  /** Items that wait. */
  size = 0

  /** Puts an item behind those of its user; `first`: before them. */
  add(item: Item, first = false): void {
    const { tenant, user } = this.entryOf(item)
    if (first) user.waiting.unshift(item)
    else user.waiting.push(item)
    tenant.waiting++
    this.size++
  }

  /** False if the item does not wait. */
  remove(item: Item): boolean {
    const { tenant, user } = this.entryOf(item)
    const at = user.waiting.indexOf(item)
    if (at < 0) return false
    user.waiting.splice(at, 1)
    tenant.waiting--
    this.size--
    return true
  }

  /** Whose turn it is among the items that may go now; null if there is none. It stays waiting. */
  next(nowMs: number, mayGo: (item: Item) => boolean): Item | null {
    let best: Item | null = null
    for (const tenant of this.tenants.values()) {
      if (tenant.waiting === 0) continue
      for (const user of tenant.users.values()) {
        const { waiting } = user
        const item = waiting.find((one) => one.isLookUp && mayGo(one)) ?? waiting.find(mayGo)
        if (item === undefined) continue
        if (best === null || this.goesBefore(item, best, nowMs)) best = item
      }
    }
    return best
  }

  /** Notes that a party has its turn. */
  noteTurn(party: QueryOwner): void {
    const { tenant, user } = this.entryOf(party)
    tenant.use.lastTurn = user.use.lastTurn = ++this.turn
  }

  /** Notes what a party has used. */
  charge(party: QueryOwner, ms: number, nowMs: number): void {
    const { tenant, user } = this.entryOf(party)
    tenant.use.add(ms, nowMs)
    user.use.add(ms, nowMs)
  }

  /** What a user has used, in milliseconds. */
  usedMs(party: QueryOwner, nowMs: number): number {
    return this.entryOf(party).user.use.at(nowMs)
  }

  /** True if `heavy` has used more than `light`: as a tenant, or as a user of the same tenant. */
  hasUsedMore(heavy: QueryOwner, light: QueryOwner, nowMs: number): boolean {
    const one = this.entryOf(heavy)
    const other = this.entryOf(light)
    if (heavy.tenant !== light.tenant) return one.tenant.use.at(nowMs) > other.tenant.use.at(nowMs)
    return one.user.use.at(nowMs) > other.user.use.at(nowMs)
  }

  /**
   * The last query of the user with the most waiting ones, of one tenant, or of the tenant with
   * the most; null if nothing waits.
   */
  lastOfLongest(ofTenant: number | null): Item | null {
    let longest: Tenant<Item> | undefined
    if (ofTenant === null) {
      for (const one of this.tenants.values()) {
        if (longest === undefined || one.waiting > longest.waiting) longest = one
      }
    } else longest = this.tenants.get(ofTenant)
    let last: readonly Item[] = []
    for (const { waiting } of longest?.users.values() ?? []) {
      if (waiting.length > last.length) last = waiting
    }
    return last.at(-1) ?? null
  }

  /** Items of a tenant that wait. */
  waitingOf(tenant: number): number {
    return this.tenants.get(tenant)?.waiting ?? 0
  }

  private goesBefore(one: Item, other: Item, nowMs: number): boolean {
    const [left, right] = [this.entryOf(one), this.entryOf(other)]
    const level = one.tenant === other.tenant ? "user" : "tenant"
    const [leftUse, rightUse] = [left[level].use, right[level].use]
    const difference = leftUse.at(nowMs) - rightUse.at(nowMs)
    return difference === 0 ? leftUse.lastTurn < rightUse.lastTurn : difference < 0
  }

  private entryOf({ tenant, user }: QueryOwner): { tenant: Tenant<Item>; user: User<Item> } {
    let ofTenant = this.tenants.get(tenant)
    if (ofTenant === undefined) this.tenants.set(tenant, (ofTenant = new Tenant()))
    let ofUser = ofTenant.users.get(user)
    if (ofUser === undefined) {
      ofTenant.users.set(user, (ofUser = new User()))
      this.userCount++
    }
    return { tenant: ofTenant, user: ofUser }
  }

  /** Forgets users of whom nothing waits and little is left in use, if there are too many. */
  evictIdle(nowMs: number): void {
    if (this.userCount <= this.usersMax) return
    for (const [index, tenant] of this.tenants) {
      for (const [name, user] of tenant.users) {
        if (user.waiting.length > 0 || user.use.at(nowMs) > negligibleMs) continue
        tenant.users.delete(name)
        this.userCount--
      }
      if (tenant.users.size === 0) this.tenants.delete(index)
    }
    // If few can be forgotten, it is not tried again with every query.
    this.usersMax = Math.max(trackedUsersMax, 2 * this.userCount)
  }
}
