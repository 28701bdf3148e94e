/** The bounds of current queries, waiting and running: of a user, of a tenant, of the server. */

import { ServiceError } from "../../base/errors.ts"
import { queriesMax, queriesPerTenantMax, queriesPerUserMax } from "../../base/limits/queries.ts"
import type { AdmittedQuery } from "./admitted-query.ts"
import type { FairQueue, QueryOwner } from "./fair-queue.ts"
import { KeyedCounts } from "./keyed-counts.ts"

export type RefusedBy = "user" | "tenant" | "server" | "memory"

export class QueryBounds {
  /** Since the start of the process. */
  readonly refused: Record<RefusedBy, number> = { user: 0, tenant: 0, server: 0, memory: 0 }
  private readonly turns: Pick<FairQueue<AdmittedQuery>, "lastOfLongest" | "remove">
  private readonly perTenant = new KeyedCounts<number>()
  private readonly perUser = new KeyedCounts<string>()
  private total = 0

  /** `turns`: the queries that wait. */
  constructor(turns: Pick<FairQueue<AdmittedQuery>, "lastOfLongest" | "remove">) {
    this.turns = turns
  }

  /** Makes room for a query of `party`, by refusing one of others. Throws `throttled`. */
  makeRoom(party: QueryOwner): void {
    if (this.perUser.of(keyOf(party)) >= queriesPerUserMax) {
      throw this.refusal("user", queriesPerUserMax)
    }
    if (this.perTenant.of(party.tenant) >= queriesPerTenantMax) {
      this.evictFor("tenant", party, queriesPerTenantMax)
    }
    if (this.total >= queriesMax) this.evictFor("server", party, queriesMax)
  }

  enter(party: QueryOwner): void {
    this.count(party, 1)
  }

  leave(party: QueryOwner): void {
    this.count(party, -1)
  }

  private count(party: QueryOwner, difference: number): void {
    this.perTenant.add(party.tenant, difference)
    this.perUser.add(keyOf(party), difference)
    this.total += difference
  }

  /**
   * Refuses the last query of the user, or of the tenant, with the most waiting queries, so that a
   * flood harms its sender only. Throws `throttled` if that is the sender of the new query.
   */
  private evictFor(by: "tenant" | "server", party: QueryOwner, max: number): void {
    const last = this.turns.lastOfLongest(by === "tenant" ? party.tenant : null)
    const refusal = this.refusal(by, max)
    if (last === null || this.countOf(by, last) <= this.countOf(by, party) + 1) throw refusal
    this.turns.remove(last)
    last.isSettled = true
    last.abandon(refusal)
  }

  private countOf(by: "tenant" | "server", party: QueryOwner): number {
    return by === "tenant" ? this.perUser.of(keyOf(party)) : this.perTenant.of(party.tenant)
  }

  private refusal(by: Exclude<RefusedBy, "memory">, max: number): ServiceError {
    this.refused[by]++
    const whose = by === "server" ? "the server" : `this ${by}`
    return new ServiceError("throttled", `More than ${max} queries of ${whose} wait already`, {
      retryAfterSeconds: 1,
    })
  }
}

function keyOf({ tenant, user }: QueryOwner): string {
  return `${tenant} ${user}`
}
