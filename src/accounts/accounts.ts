/**
 * Accounts: who may send and who may ask. A tenant owns everything; users and API keys belong to
 * one. Everything is read once at the start and kept in memory; documents change through this room
 * only.
 */

import { assert } from "../base/assert.ts"
import { ApiKeys } from "./api-keys.ts"
import { apiKeyKind, tenantKind, userKind } from "./documents.ts"
import type { ApiKeyDocument, TenantDocument, UserDocument } from "./documents.ts"
import { setUp } from "./first-start.ts"
import type { FirstStart, SetupOptions } from "./first-start.ts"
import { Logins } from "./logins.ts"
import type { Identity } from "./logins.ts"
import { decoyHash } from "./password.ts"

export type { Documents } from "../model/document.ts"
export type { FirstStart, Wanted } from "./first-start.ts"
export type { Identity } from "./logins.ts"

export interface Accounts {
  /**
   * The identity behind an Authorization header. Throws `unauthenticated`, or `throttled` under a
   * flood.
   */
  authenticate(header: string | undefined): Promise<Identity>
  /** The tenant index of an API key, undefined for an unknown or disabled one. */
  tenantOfKey(key: string): number | undefined
  /** The UUID of a tenant that `authenticate` or `tenantOfKey` named. */
  tenantUuid(tenant: number): string
}

/**
 * Opens the accounts, creating them at the first start; `firstStart` then holds the secrets in
 * clear, for the only time. Throws `invalid` where a wanted value is of no use.
 */
export async function openAccounts(
  options: SetupOptions,
): Promise<{ accounts: Accounts; firstStart?: FirstStart }> {
  const firstStart = await setUp(options)
  const accounts = await readAccounts(options)
  return firstStart === undefined ? { accounts } : { accounts, firstStart }
}

async function readAccounts(options: SetupOptions): Promise<Accounts> {
  const { documents, random, clock } = options
  const uuids = new Map<number, string>()
  for (const { id, document } of await documents.list(tenantKind)) {
    uuids.set((document as TenantDocument).index, id)
  }
  const users = new Map<string, UserDocument>()
  for (const { id, document } of await documents.list(userKind)) {
    users.set(id, document as UserDocument)
  }
  const keys = new ApiKeys()
  for (const { id, document } of await documents.list(apiKeyKind)) {
    keys.add(id, document as ApiKeyDocument)
  }
  const decoy = decoyHash(random, options.cost)
  const logins = new Logins({ userOf: (email) => users.get(email), decoy, clock, random })
  return {
    authenticate: (header) => logins.authenticate(header),
    tenantOfKey: (key) => keys.tenantOfKey(key),
    tenantUuid(tenant) {
      const uuid = uuids.get(tenant)
      assert(uuid !== undefined, `Expected a known tenant, got ${tenant}`)
      return uuid
    },
  }
}
