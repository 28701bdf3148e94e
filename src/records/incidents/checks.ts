/** Checks: dead man's switches. Each post of a check arms it for its time to live. */

import type { Clock } from "../../base/clock.ts"
import { invalid } from "../../base/errors.ts"
import { checksMax } from "../../base/limits.ts"
import { checkKey, checkKind, checkUuid, type Check } from "../../model/records/check.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentStore } from "../../model/document.ts"
import { elementUuid } from "../../model/fqn.ts"
import { shown } from "../../wire/problems.ts"
import { CheckTable, type TenantChecks } from "./check-table.ts"
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
  /** Shared with the check monitor, if there is one. */
  readonly table?: CheckTable
}

export class Checks {
  private readonly deps: ChecksDeps
  private readonly table: CheckTable

  constructor(deps: ChecksDeps) {
    this.deps = deps
    this.table = deps.table ?? new CheckTable(deps)
  }

  /** Arms a check; resolves when it is synced. Throws `invalid` for a new check over the limit. */
  async post(tenant: TenantIndex, { name, elementFqn, ttlSeconds }: PostedCheck): Promise<void> {
    const { clock, commitQueue, tenantUuid } = this.deps
    const known = await this.table.of(tenant)
    const key = checkKey({ elementFqn, name })
    admit(known, key)
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
    try {
      await commitQueue.put([{ kind: checkKind(tenant), id: key, document: check }])
      this.table.arm(tenant, known, check)
    } finally {
      known.waiting.delete(key)
    }
  }

  /** All checks of a tenant, by element and name. */
  async list(tenant: TenantIndex): Promise<Check[]> {
    const found = await this.deps.documents.list(checkKind(tenant))
    return found.map(({ document }) => document as Check)
  }
}

/** Counts a new key until its check is in the table. */
function admit({ checks, waiting }: TenantChecks, key: string): void {
  if (checks.has(key) || waiting.has(key)) return
  const count = checks.size + waiting.size
  if (count >= checksMax) {
    throw invalid(
      `name: expected one of the ${count} checks that are known, since an account has at ` +
        `most ${checksMax}, got ${shown(key)}`,
    )
  }
  waiting.add(key)
}
