/**
 * Accounts: who may send data and who may query it. A tenant owns all data; users and API keys
 * belong to one tenant. All accounts are loaded at the start and kept in memory. Documents of
 * accounts are changed by this module only, and a change takes effect immediately.
 *
 *   authenticator ─┐                        ┌─ users, tenants, API key service: plan changes
 *                  ├─► account store ◄──────┘
 *   API keys ──────┘     └─► documents, then memory
 */

import { assert } from "../base/assert.ts"
import { trustedClock, type Clock, type ClockTrust } from "../base/clock.ts"
import { firstLinkMs } from "../base/limits/accounts.ts"
import type { KeyGrant } from "./api-keys.ts"
import { AccountStore, type Tenant } from "./account-store.ts"
import { PasswordHasher } from "./credentials.ts"
import { setUpAccounts } from "./first-start.ts"
import type { FirstStartSecrets, SetupOptions } from "./first-start.ts"
import { ApiKeyService } from "./api-key-service.ts"
import { Authenticator, createHashSlots } from "./authenticator.ts"
import type { Credentials, Principal, SignInDeps } from "./authenticator.ts"
import { defaultCost } from "./password.ts"
import { noRates, type Rates } from "./rate-limit.ts"
import { KeyUses } from "./key-uses.ts"
import { Tenants } from "./tenants.ts"
import { fingerprintOf, LoginSessions, type RememberedTimes } from "./sessions/login-sessions.ts"
import { SignInLinks } from "./sessions/sign-in-links.ts"
import { migrateUsers } from "./user-migrations.ts"
import { Users } from "./users.ts"
import type { TenantIndex } from "../model/ids.ts"

export type { DocumentStore } from "../model/document.ts"
export type { KeyGrant } from "./api-keys.ts"
export type { FirstStartSecrets, AccountPresets } from "./first-start.ts"
export type { Principal, SignInOutcome, SignInDeps } from "./authenticator.ts"
export { features } from "./documents.ts"
export type { Feature, Role, UserProperties } from "./documents.ts"
export type { LoginSession } from "./sessions/login-sessions.ts"
export type { ApiKeyChange, ApiKeyRecord, CreatedKey } from "./api-key-service.ts"
export type { NewUser, User, UserChange } from "./users.ts"

export interface Accounts {
  /**
   * The principal of an Authorization header sent from an address. Throws `unauthenticated`,
   * `throttled` or `overloaded`; see authenticator.ts.
   */
  authenticate(header: string | undefined, remoteAddress?: string): Promise<Principal>
  /** The principal of an e-mail and its password; throws as `authenticate` does. */
  signIn(email: string, password: string, remoteAddress?: string): Promise<Principal>
  /**
   * What a caller's right to read rests on: equal for as long as password, role and session are as
   * they were; null if the session has ended or the user may not sign in.
   */
  standing(principal: Principal, sessionId: string | null): string | null
  /** Calls back after a user, an account or a login session has changed. */
  onStandingChange(callback: () => void): void
  /** The grant of an API key, undefined for an unknown or disabled one. */
  grantOf(key: string): KeyGrant | undefined
  /** Changes the rates of keys whose documents have none. */
  setRates(rates: Rates): void
  /** The tenant index of an API key, undefined for an unknown or disabled one. */
  tenantOfKey(key: string): number | undefined
  /** The UUID of a tenant that `authenticate` or `tenantOfKey` returned. */
  tenantUuid(tenant: TenantIndex): string
  /** Creates a key of a datasource; `keys` has the other operations. */
  createKey: ApiKeyService["create"]
  readonly users: Users
  readonly tenants: Tenants
  readonly keys: ApiKeyService
  readonly keyUses: KeyUses
  /** Of browsers. */
  readonly sessions: LoginSessions
  readonly links: SignInLinks
}

/** Without "Stay signed in" of the settings: two weeks idle, a month in all. */
const defaultRememberedTimes: RememberedTimes = {
  idleMs: 14 * 86_400_000,
  maxMs: 30 * 86_400_000,
}

interface AccountsOptions extends Omit<SetupOptions, "derive"> {
  readonly signIn: SignInDeps
  /** Rates of keys whose documents have none; no limit if absent. */
  readonly rates?: Rates
  /** Times of sessions whose user chose to stay signed in. */
  readonly remembered?: RememberedTimes
  /** Time of sign-ins: of people, also if the service's own clock is simulated. */
  readonly signInClock?: Clock
  /** Asked before something is deleted for its age; always true if absent, in tests. */
  readonly trustsClock?: ClockTrust
  /** Called with every tenant at the start, and with each tenant created or changed later. */
  readonly onTenant?: (tenant: Tenant) => void
}

/**
 * Opens the accounts, and creates them at the first start; `firstStart` then has the secrets in
 * plaintext, for the only time. Throws `invalid` for an unusable preset.
 */
export async function openAccounts(
  options: AccountsOptions,
): Promise<{ accounts: Accounts; firstStart?: FirstStartSecrets }> {
  const { derive } = options.signIn
  const { firstStart, credentials } = await setUpAccounts({ ...options, derive })
  const accounts = await loadAccounts(options, credentials)
  if (firstStart === undefined) return { accounts }
  const isNamed = options.presets.adminPassword != null
  const signInLink = isNamed
    ? null
    : await accounts.links.create(firstStart.adminEmail, firstLinkMs)
  return { accounts, firstStart: { ...firstStart, signInLink } }
}

/**
 * Loads the accounts of a store that was started before; creates none. A sign-in with
 * `credentials`, which are known to be right, waits for no hash.
 */
export async function loadAccounts(
  options: AccountsOptions,
  credentials?: Credentials,
): Promise<Accounts> {
  const { documents, random, clock, rates = noRates, cost = defaultCost, signIn } = options
  const { trustsClock = trustedClock } = options
  await migrateUsers(documents)
  const store = new AccountStore({ documents, clock, rates })
  const hashSlots = createHashSlots(signIn.threads)
  const userOf = (email: string) => {
    const user = store.users.get(email)
    return user?.active === true && store.isActive(user.tenant) ? user : undefined
  }
  const authenticator = new Authenticator({ userOf, clock, random, deps: signIn, hashSlots })
  const watchers: (() => void)[] = []
  const standingChanged = (): void => watchers.forEach((callback) => callback())
  store.observe({
    userChanged: (email) => {
      authenticator.invalidate(email)
      standingChanged()
    },
    tenantChanged: (tenant) => {
      options.onTenant?.(tenant)
      standingChanged()
    },
  })
  await store.load()
  if (credentials !== undefined) authenticator.cacheCredentials(credentials)
  const hasher = new PasswordHasher({ random, cost, derive: signIn.derive, hashSlots })
  const keys = new ApiKeyService({ store, random, clock, trustsClock })
  const keyUses = new KeyUses({ documents, clock })
  const knownKeys = new Set([...store.keys.documents()].map(([id]) => id))
  await keyUses.load((id) => knownKeys.has(id))
  const signedIn = { documents, clock: options.signInClock ?? clock, random, trustsClock }
  const { remembered = defaultRememberedTimes } = options
  const sessions = new LoginSessions({ ...signedIn, remembered, userOf, onEnd: standingChanged })
  await sessions.load()
  store.observe({
    // It is refused anyway: what stays in the store if this fails is removed at the next start.
    userChanged: (email) => void sessions.endStale(email).catch(() => {}),
  })
  return {
    authenticate: (header, address) => authenticator.authenticate(header, address),
    signIn: (email, password, address) =>
      authenticator.signIn({ email: email.toLowerCase(), password }, address),
    standing: ({ user, tenant }, sessionId) => {
      if (sessionId !== null) return sessions.isOpen(sessionId) ? sessionId : null
      const known = userOf(user)
      return known === undefined || known.tenant !== tenant ? null : fingerprintOf(known)
    },
    onStandingChange: (callback) => void watchers.push(callback),
    grantOf: (key) => store.keys.grantOf(key),
    setRates: (rates) => store.keys.setRates(rates),
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
    keyUses,
    sessions,
    links: new SignInLinks(signedIn),
  }
}
