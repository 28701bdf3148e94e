/**
 * Disk quota: posts of a tenant whose samples and rollups take as much of the store as it may have
 * are refused. Queries, events, checks and other tenants go on, and so do the closings of its
 * cycles.
 */

import type { WriteStore } from "../store/store.ts"

/**
 * Retention runs once an hour and seals at midnight make a day smaller; a sender comes back within
 * a quarter of an hour after room was made or the quota was raised.
 */
export const quotaRetrySeconds = 900

export interface DiskQuotaRefusal {
  readonly detail: string
  readonly errors: readonly string[]
  readonly retryAfterSeconds: number
}

/**
 * Why a post of `tenant` is not taken, or undefined. `quotaBytes`: 0 is no limit. Samples count
 * once they are folded, so what is posted until then can exceed the quota.
 */
export function diskQuotaRefusal(
  store: Pick<WriteStore, "bytesOf">,
  tenant: number,
  quotaBytes = 0,
): DiskQuotaRefusal | undefined {
  if (quotaBytes === 0) return undefined
  const bytes = store.bytesOf(tenant)
  if (bytes < quotaBytes) return undefined
  const problem =
    `The account's samples and rollups take ${bytes} bytes of the store, its disk quota is ` +
    `${quotaBytes} bytes (--disk-quota); posts are taken again after retention has made room`
  const retryAfterSeconds = quotaRetrySeconds
  return { detail: "Disk Quota Exceeded", errors: [problem], retryAfterSeconds }
}
