/** Checks: dead man's switches. Each post of a check arms it for its time to live. */

import type { Clock } from "../../base/clock.ts"
import { invalid } from "../../base/errors.ts"
import { checksMax } from "../../base/limits.ts"
import { checkKey, checkKind, checkUuid, type Check } from "../../model/records/check.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentStore } from "../../model/document.ts"
import { elementUuid } from "../../model/fqn.ts"
import { shown } from "../../wire/problems.ts"
import type { GroupCommitQueue } from "./group-commit-queue.ts"

export type { Check }

export interface PostedCheck {
  readonly name: string
  readonly elementFqn: string
  readonly ttlSeconds: number
}

interface ChecksDeps {
  readonly documents: DocumentStore
  readonly commitQueue: Pick<GroupCommitQueue, "put">
  readonly clock: Clock
  readonly tenantUuid: (tenant: TenantIndex) => string
  /** Called with every posted check once it is durable. */
  readonly onArmed?: (tenant: TenantIndex, check: Check) => void
}

export class Checks {
  private readonly deps: ChecksDeps
  /** Keys of each tenant's checks, loaded with its first post. */
  private readonly known = new Map<number, Promise<Set<string>>>()

  constructor(deps: ChecksDeps) {
    this.deps = deps
  }

  /** Arms a check; resolves when it is synced. Throws `invalid` for a new check over the limit. */
  async post(tenant: TenantIndex, { name, elementFqn, ttlSeconds }: PostedCheck): Promise<void> {
    const { clock, commitQueue, tenantUuid, onArmed } = this.deps
    await this.admit(tenant, checkKey({ elementFqn, name }))
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
    await commitQueue.put([{ kind: checkKind(tenant), id: checkKey(check), document: check }])
    onArmed?.(tenant, check)
  }

  /** Counts a new key. A check whose commit fails stays counted until the next start. */
  private async admit(tenant: TenantIndex, key: string): Promise<void> {
    const known = await this.knownOf(tenant)
    if (known.has(key)) return
    if (known.size >= checksMax) {
      throw invalid(
        `name: expected one of the ${known.size} checks that are known, since an account has at ` +
          `most ${checksMax}, got ${shown(key)}`,
      )
    }
    known.add(key)
  }

  private knownOf(tenant: TenantIndex): Promise<Set<string>> {
    let known = this.known.get(tenant)
    if (known === undefined) {
      known = this.list(tenant).then((checks) => new Set(checks.map(checkKey)))
      this.known.set(tenant, known)
      known.catch(() => this.known.delete(tenant))
    }
    return known
  }

  /** All checks of a tenant, by element and name. */
  async list(tenant: TenantIndex): Promise<Check[]> {
    const found = await this.deps.documents.list(checkKind(tenant))
    return found.map(({ document }) => document as Check)
  }
}
