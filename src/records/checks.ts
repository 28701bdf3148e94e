/** Checks: dead man's switches. Each post of one arms it anew; without one it lapses. */

import type { Clock } from "../base/clock.ts"
import { checkKey, checkKind, checkUuid, type Check } from "../model/check.ts"
import type { Documents } from "../model/document.ts"
import { elementUuid } from "../model/fqn.ts"
import type { PostInbox } from "./post-inbox.ts"

export type { Check }

export interface PostedCheck {
  readonly name: string
  readonly elementFqn: string
  readonly ttlSeconds: number
}

export interface ChecksWorld {
  readonly documents: Documents
  readonly inbox: Pick<PostInbox, "put">
  readonly clock: Clock
  readonly tenantUuid: (tenant: number) => string
  /** Hears of every check that was armed, once that is durable. */
  readonly onArmed?: (tenant: number, check: Check) => void
}

export class Checks {
  private readonly world: ChecksWorld

  constructor(world: ChecksWorld) {
    this.world = world
  }

  /** Arms a check; resolves when that is synced. */
  async post(tenant: number, { name, elementFqn, ttlSeconds }: PostedCheck): Promise<void> {
    const { clock, inbox, tenantUuid, onArmed } = this.world
    const postedMs = clock.nowMs()
    const check: Check = {
      id: checkUuid(tenantUuid(tenant), elementFqn, name),
      name,
      elementFqn,
      elementId: elementUuid(tenantUuid(tenant), elementFqn),
      ttlSeconds,
      postedMs,
      expiresMs: Math.ceil(postedMs + ttlSeconds * 1000),
    }
    await inbox.put([{ kind: checkKind(tenant), id: checkKey(check), document: check }])
    onArmed?.(tenant, check)
  }

  /** All of a tenant's, by element and name. */
  async list(tenant: number): Promise<Check[]> {
    const found = await this.world.documents.list(checkKind(tenant))
    return found.map(({ document }) => document as Check)
  }
}
