/**
 * A fair queue: decides which waiting query has the next turn. The tenant with the least use of the
 * query threads goes first, within it the user with the least use, and of one user look-ups before
 * other queries, each in order of arrival. If all queries cost the same, tenants and users
 * alternate; a user of expensive queries waits while others are served, and no user waits behind
 * the whole queue of another.
 *
 *   tenant 1 ── used 9,000 ms ── user a ── used 9,000 ms ── query, query, …
 *   tenant 2 ── used    40 ms ─┬ user b ── used    30 ms ── query          ◄── next: b's
 *                              └ user c ── used    10 ms ── (none waits)
 *
 * Use decays with a half-life, so that a burst does not count forever.
 */

import { usageHalfLifeMs, trackedUsersMax } from "../../base/limits/queries.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** The user whom a query is charged to. */
export interface QueryOwner {
  /** Index of the tenant. */
  readonly tenant: TenantIndex
  readonly user: string
  /** A look-up takes microseconds, so it goes before the other queries of its user. */
  readonly isLookUp?: boolean
}

/** Use of one tenant or user: milliseconds of query threads, halved every `usageHalfLifeMs`. */
class DecayingUse {
  private ms = 0
  private asOfMs = 0
  /** Number of the last turn: of equal use, the one served longest ago goes first. */
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

/** A use below this is dropped. */
const negligibleMs = 0.5

export class FairQueue<Item extends QueryOwner> {
  private readonly tenants = new Map<number, Tenant<Item>>()
  private turn = 0
  private userCount = 0
  private usersMax = trackedUsersMax
  /** Number of waiting items. */
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

  /** The next item among those that may go; null if there is none. It stays queued. */
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

  /** Records that an owner has its turn. */
  noteTurn(party: QueryOwner): void {
    const { tenant, user } = this.entryOf(party)
    tenant.use.lastTurn = user.use.lastTurn = ++this.turn
  }

  /** Adds to the use of an owner. */
  charge(party: QueryOwner, ms: number, nowMs: number): void {
    const { tenant, user } = this.entryOf(party)
    tenant.use.add(ms, nowMs)
    user.use.add(ms, nowMs)
  }

  /** The use of a user, in milliseconds. */
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
   * The last item of the user with the most waiting items, within one tenant, or within the tenant
   * with the most; null if nothing waits.
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
  waitingOf(tenant: TenantIndex): number {
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

  /** Drops users without waiting items and with negligible use, if there are too many users. */
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
    // If few can be dropped, this is not repeated for every query.
    this.usersMax = Math.max(trackedUsersMax, 2 * this.userCount)
  }
}
