/**
 * Disk quota: refuses posts of a tenant whose samples and rollups fill its share of the store.
 * Queries, events, checks, the closing of its cycles and other tenants are not affected.
 */

import type { MaintenanceStore } from "../store/maintenance-store.ts"
import type { TenantIndex } from "../model/ids.ts"

/**
 * Retention runs once an hour, and the compaction at midnight makes a day smaller: a client retries
 * within a quarter of an hour after space was freed or the quota was raised.
 */
const quotaRetrySeconds = 900

export interface DiskQuotaRefusal {
  readonly detail: string
  readonly errors: readonly string[]
  readonly retryAfterSeconds: number
}

/**
 * Returns why a post of `tenant` is refused, or undefined. A quota of 0 bytes means no limit.
 * Samples count once they are flushed, so unflushed ones can exceed the quota.
 */
export function diskQuotaRefusal(
  store: Pick<MaintenanceStore, "tenantBytes">,
  tenant: TenantIndex,
  quotaBytes = 0,
): DiskQuotaRefusal | undefined {
  if (quotaBytes === 0) return undefined
  const bytes = store.tenantBytes(tenant)
  if (bytes < quotaBytes) return undefined
  const problem =
    `The account's samples and rollups take ${bytes} bytes of the store, its disk quota is ` +
    `${quotaBytes} bytes (--disk-quota); posts are taken again after retention has made room`
  const retryAfterSeconds = quotaRetrySeconds
  return { detail: "Disk Quota Exceeded", errors: [problem], retryAfterSeconds }
}
