/** Small documents by (kind, id): accounts, keys, events, and all resources of users. */

import type { TenantIndex } from "./ids.ts"

/** One document to store; null removes it. */
export interface DocumentChange {
  readonly kind: string
  readonly id: string
  readonly document: unknown
}

export interface StoredDocument {
  readonly id: string
  readonly document: unknown
}

/** Ids in `[from, to)`, compared as UTF-8 bytes; an absent bound is open. */
export interface IdRange {
  readonly from?: string
  readonly to?: string
  /** At most this many, the first ones; all if absent. */
  readonly limit?: number
  /** From the last id to the first; `limit` then keeps the last ones. */
  readonly isReversed?: boolean
}

/** Documents as services on the main thread use them: the store, through the shard. */
export interface DocumentStore {
  /** The document, or undefined. */
  get(kind: string, id: string): Promise<unknown>
  /** Resolves when the document is synced; null removes it. */
  put(kind: string, id: string, document: unknown): Promise<void>
  /** All of the changes or none, in one synced transaction. */
  putAll(changes: readonly DocumentChange[]): Promise<void>
  /** In order of id. */
  list(kind: string, range?: IdRange): Promise<StoredDocument[]>
}

/**
 * Kind of a tenant's own document. Tenants are numbered from 0 without gaps, and none is ever
 * removed.
 */
export const tenantKind = "tenant"

/** Precedes the number of the tenant; see `configurationKind`. */
export const configurationKindPrefix = "analyticConfiguration:"

/** Kind of a tenant's analytic configurations, each as the JSON that was parsed. */
export function configurationKind(tenant: TenantIndex): string {
  return `${configurationKindPrefix}${tenant}`
}
