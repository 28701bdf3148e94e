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
import { Book, type Tenant } from "./account-store.ts"
import { PasswordHashes } from "./credentials.ts"
import { setUp } from "./first-start.ts"
import type { FirstStart, SetupOptions } from "./first-start.ts"
import { KeyRing } from "./api-key-service.ts"
import { Logins, passwordGate } from "./authenticator.ts"
import type { Identity, SignInWorld } from "./authenticator.ts"
import { defaultCost } from "./password.ts"
import { noRates, type Rates } from "./rate-limit.ts"
import { Tenants } from "./tenants.ts"
import { upgradeUsers } from "./user-migrations.ts"
import { Users } from "./users.ts"

export type { DocumentStore } from "../model/document.ts"
export type { KeyGrant } from "./api-keys.ts"
export type { FirstStart, Wanted } from "./first-start.ts"
export type { Identity, SignInOutcome, SignInWorld } from "./authenticator.ts"
export { features } from "./documents.ts"
export type { Feature, Role, UserProperties } from "./documents.ts"
export type { MadeKey } from "./api-key-service.ts"
export type { NewUser, User, UserChange } from "./users.ts"

export interface Accounts {
  /**
   * The identity behind an Authorization header from an address. Throws `unauthenticated`,
   * `throttled` or `overloaded`; see logins.ts.
   */
  authenticate(header: string | undefined, remoteAddress?: string): Promise<Identity>
  /** What an API key stands for, undefined for an unknown or disabled one. */
  grantOf(key: string): KeyGrant | undefined
  /** The tenant index of an API key, undefined for an unknown or disabled one. */
  tenantOfKey(key: string): number | undefined
  /** The UUID of a tenant that `authenticate` or `tenantOfKey` named. */
  tenantUuid(tenant: number): string
  /** A new key of a datasource; see key-ring.ts for what else can be done with keys. */
  createKey: KeyRing["create"]
  readonly users: Users
  readonly tenants: Tenants
  readonly keys: KeyRing
}

export interface AccountsOptions extends Omit<SetupOptions, "derive"> {
  readonly signIn: SignInWorld
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
): Promise<{ accounts: Accounts; firstStart?: FirstStart }> {
  const firstStart = await setUp({ ...options, derive: options.signIn.derive })
  const accounts = await readAccounts(options)
  return firstStart === undefined ? { accounts } : { accounts, firstStart }
}

/** The accounts of a store that was started before; nothing is created. */
export async function readAccounts(options: AccountsOptions): Promise<Accounts> {
  const { documents, random, clock, rates = noRates, cost = defaultCost, signIn } = options
  await upgradeUsers(documents)
  const book = new Book({ documents, clock, rates })
  const gate = passwordGate(signIn.threads)
  const userOf = (email: string) => {
    const user = book.users.get(email)
    return user?.active === true && book.isOpen(user.tenant) ? user : undefined
  }
  const logins = new Logins({ userOf, clock, random, world: signIn, gate })
  book.watch({
    userChanged: (email) => logins.forget(email),
    tenantChanged: (tenant) => options.onTenant?.(tenant),
  })
  await book.read()
  const hashes = new PasswordHashes({ random, cost, derive: signIn.derive, gate })
  const keys = new KeyRing({ book, random, clock })
  return {
    authenticate: (header, address) => logins.authenticate(header, address),
    grantOf: (key) => book.keys.grantOf(key),
    tenantOfKey: (key) => book.keys.grantOf(key)?.tenant,
    tenantUuid(tenant) {
      const known = book.tenants.get(tenant)
      assert(known !== undefined, `Expected a known tenant, got ${tenant}`)
      return known.uuid
    },
    createKey: (tenant, datasourceId, also) => keys.create(tenant, datasourceId, also),
    users: new Users({ book, logins, hashes, random, clock }),
    tenants: new Tenants({ book, hashes, random, clock }),
    keys,
  }
}
