/**
 * Accounts: who may send and who may ask. A tenant owns everything; users and API keys belong to
 * one. Everything is read once at the start and kept in memory; documents change through this room
 * only, and take effect at once.
 *
 *   logins ─┐                 ┌─ users, tenants, key ring: decide on changes
 *           ├─► book ◄────────┘
 *   keys ───┘     └─► documents, then memory
 */

import { assert } from "../base/assert.ts"
import type { KeyGrant } from "./api-keys.ts"
import { AccountStore, type Tenant } from "./account-store.ts"
import { PasswordHasher } from "./credentials.ts"
import { setUpAccounts } from "./first-start.ts"
import type { FirstStartSecrets, SetupOptions } from "./first-start.ts"
import { ApiKeyService } from "./api-key-service.ts"
import { Authenticator, createHashSlots } from "./authenticator.ts"
import type { Principal, SignInDeps } from "./authenticator.ts"
import { defaultCost } from "./password.ts"
import { noRates, type Rates } from "./rate-limit.ts"
import { Tenants } from "./tenants.ts"
import { migrateUsers } from "./user-migrations.ts"
import { Users } from "./users.ts"

export type { DocumentStore } from "../model/document.ts"
export type { KeyGrant } from "./api-keys.ts"
export type { FirstStartSecrets, AccountPresets } from "./first-start.ts"
export type { Principal, SignInOutcome, SignInDeps } from "./authenticator.ts"
export { features } from "./documents.ts"
export type { Feature, Role, UserProperties } from "./documents.ts"
export type { CreatedKey } from "./api-key-service.ts"
export type { NewUser, User, UserChange } from "./users.ts"

export interface Accounts {
  /**
   * The identity behind an Authorization header from an address. Throws `unauthenticated`,
   * `throttled` or `overloaded`; see logins.ts.
   */
  authenticate(header: string | undefined, remoteAddress?: string): Promise<Principal>
  /** What an API key stands for, undefined for an unknown or disabled one. */
  grantOf(key: string): KeyGrant | undefined
  /** The tenant index of an API key, undefined for an unknown or disabled one. */
  tenantOfKey(key: string): number | undefined
  /** The UUID of a tenant that `authenticate` or `tenantOfKey` named. */
  tenantUuid(tenant: number): string
  /** A new key of a datasource; see key-ring.ts for what else can be done with keys. */
  createKey: ApiKeyService["create"]
  readonly users: Users
  readonly tenants: Tenants
  readonly keys: ApiKeyService
}

export interface AccountsOptions extends Omit<SetupOptions, "derive"> {
  readonly signIn: SignInDeps
  /** Rates of keys whose documents name none; absent: no limit. */
  readonly rates?: Rates
  /** Told of every tenant at the start, and of each that is made or changed later. */
  readonly onTenant?: (tenant: Tenant) => void
}

/**
 * Opens the accounts, creating them at the first start; `firstStart` then holds the secrets in
 * clear, for the only time. Throws `invalid` where a wanted value is of no use.
 */
export async function openAccounts(
  options: AccountsOptions,
): Promise<{ accounts: Accounts; firstStart?: FirstStartSecrets }> {
  const firstStart = await setUpAccounts({ ...options, derive: options.signIn.derive })
  const accounts = await loadAccounts(options)
  return firstStart === undefined ? { accounts } : { accounts, firstStart }
}

/** The accounts of a store that was started before; nothing is created. */
export async function loadAccounts(options: AccountsOptions): Promise<Accounts> {
  const { documents, random, clock, rates = noRates, cost = defaultCost, signIn } = options
  await migrateUsers(documents)
  const store = new AccountStore({ documents, clock, rates })
  const hashSlots = createHashSlots(signIn.threads)
  const userOf = (email: string) => {
    const user = store.users.get(email)
    return user?.active === true && store.isActive(user.tenant) ? user : undefined
  }
  const authenticator = new Authenticator({ userOf, clock, random, deps: signIn, hashSlots })
  store.observe({
    userChanged: (email) => authenticator.invalidate(email),
    tenantChanged: (tenant) => options.onTenant?.(tenant),
  })
  await store.load()
  const hasher = new PasswordHasher({ random, cost, derive: signIn.derive, hashSlots })
  const keys = new ApiKeyService({ store, random, clock })
  return {
    authenticate: (header, address) => authenticator.authenticate(header, address),
    grantOf: (key) => store.keys.grantOf(key),
    tenantOfKey: (key) => store.keys.grantOf(key)?.tenant,
    tenantUuid(tenant) {
      const known = store.tenants.get(tenant)
      assert(known !== undefined, `Expected a known tenant, got ${tenant}`)
      return known.uuid
    },
    createKey: (tenant, datasourceId, also) => keys.create(tenant, datasourceId, also),
    users: new Users({ store, authenticator, hasher, random, clock }),
    tenants: new Tenants({ store, hasher, random, clock }),
    keys,
  }
}
