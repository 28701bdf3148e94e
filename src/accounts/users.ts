/** Users of tenants and their roles. A tenant always has an active administrator. */

import { invalid, ServiceError } from "../base/errors.ts"
import { userBytesMax, usersPerTenantMax } from "../base/limits/accounts.ts"
import type { Clock } from "../base/clock.ts"
import type { Random } from "../base/random.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange } from "../model/document.ts"
import type { AccountStore, Tenant } from "./account-store.ts"
import { features, documentVersion, tenantKind, userKind } from "./documents.ts"
import type { Feature, Role, UserDocument, UserProperties } from "./documents.ts"
import type { Credentials, Principal, Authenticator } from "./authenticator.ts"
import { validateEmail, validatePassword, type PasswordHasher } from "./credentials.ts"
import { userDefaults } from "./user-migrations.ts"

/** A user with its e-mail and its tenant. */
export interface User extends UserDocument {
  readonly email: string
  readonly owner: Tenant
}

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly role: Role
  readonly active?: boolean
  readonly properties?: UserProperties
  readonly customElementTypeIcons?: UserProperties
}

export type UserChange = Partial<NewUser>

export interface PasswordChange {
  /** Null if an administrator changes another user's password. */
  readonly oldPassword: string | null
  readonly newPassword: string
  /** Of the client; absent for a command. */
  readonly remoteAddress?: string | undefined
}

interface UsersOptions {
  readonly store: AccountStore
  readonly authenticator: Authenticator
  readonly hasher: PasswordHasher
  readonly random: Random
  readonly clock: Clock
}

export class Users {
  private readonly options: UsersOptions

  constructor(options: UsersOptions) {
    this.options = options
  }

  /** All users of a tenant, by id. */
  list(tenant: TenantIndex): User[] {
    const { store } = this.options
    const own = [...store.users].filter(([, user]) => user.tenant === tenant)
    return own
      .map(([email, user]) => this.userOf(email, user))
      .sort((one, other) => one.id - other.id)
  }

  /** The user with this id. Throws `missing` if the tenant has none. */
  get(tenant: TenantIndex, id: number): User {
    for (const [email, user] of this.options.store.users) {
      if (user.tenant === tenant && user.id === id) return this.userOf(email, user)
    }
    throw new ServiceError("missing", `Expected the id of a user, got ${id}`)
  }

  /** The user of a principal. */
  current({ user: email, tenant }: Principal): User {
    return this.byEmail(tenant, email)
  }

  /** The user with this e-mail. Throws `missing` if the tenant has none. */
  byEmail(tenant: TenantIndex, email: string): User {
    const user = this.options.store.users.get(email.toLowerCase())
    if (user?.tenant !== tenant) {
      throw new ServiceError("missing", `Expected the e-mail of a user, got "${email}"`)
    }
    return this.userOf(email.toLowerCase(), user)
  }

  /** The user with this e-mail in any tenant, for the operator's commands. Throws `missing`. */
  findInAnyTenant(email: string): User {
    const user = this.options.store.users.get(email.toLowerCase())
    return this.byEmail(user?.tenant ?? 0, email)
  }

  /** Creates a user. Throws `invalid` for an unusable e-mail or password, or a taken e-mail. */
  async create(tenant: TenantIndex, wanted: NewUser): Promise<User> {
    const email = validateEmail(wanted.email)
    const passwordHash = await this.options.hasher.hash(validatePassword(wanted.password))
    const { store, clock, authenticator } = this.options
    const made = await store.change(() => {
      this.checkFree(email)
      if (this.list(tenant).length >= usersPerTenantMax) {
        throw invalid(`Expected at most ${usersPerTenantMax} users of one account`)
      }
      const { id, counter } = store.nextUserId()
      const user: UserDocument = {
        ...userDefaults,
        version: documentVersion,
        id,
        tenant,
        passwordHash,
        createdMs: clock.nowMs(),
        ...storedFields(wanted),
        role: wanted.role,
      }
      return { changes: [putUser(email, user), counter], result: this.userOf(email, user) }
    })
    authenticator.cacheCredentials({ email, password: wanted.password })
    return made
  }

  /** Changes the given fields; properties are merged. */
  async update(tenant: TenantIndex, id: number, wanted: UserChange): Promise<User> {
    const email = wanted.email === undefined ? undefined : validateEmail(wanted.email)
    const { password } = wanted
    const passwordHash =
      password === undefined
        ? undefined
        : await this.options.hasher.hash(validatePassword(password))
    const made = await this.options.store.change(() => {
      const former = this.get(tenant, id)
      const changed: UserDocument = {
        ...documentOf(former),
        ...storedFields(wanted),
        properties: { ...former.properties, ...wanted.properties },
        ...(passwordHash === undefined ? {} : { passwordHash }),
      }
      if (changed.role !== "Administrator" || !changed.active) this.checkNotLast(former)
      return this.planUpdate(former, email ?? former.email, changed)
    })
    if (password !== undefined)
      this.options.authenticator.cacheCredentials({ email: made.email, password })
    return made
  }

  remove(tenant: TenantIndex, id: number): Promise<void> {
    return this.options.store.change(() => {
      const former = this.get(tenant, id)
      this.checkNotLast(former)
      return { changes: [{ kind: userKind, id: former.email, document: null }], result: undefined }
    })
  }

  /** Throws `invalid` if `oldPassword` is not the user's password. */
  async changePassword(
    tenant: TenantIndex,
    id: number,
    { oldPassword, newPassword, remoteAddress }: PasswordChange,
  ): Promise<User> {
    const { email } = this.get(tenant, id)
    validatePassword(newPassword)
    if (oldPassword !== null)
      await this.verifyOldPassword({ email, password: oldPassword }, remoteAddress)
    return this.update(tenant, id, { password: newPassword })
  }

  /** Merges properties of the user of a principal. Throws `invalid` if they become too large. */
  setProperties(principal: Principal, properties: UserProperties): Promise<User> {
    const { id } = this.current(principal)
    return this.update(principal.tenant, id, { properties })
  }

  /** Records that a user has signed in with a browser. */
  async recordSignIn({ tenant, user: email }: Principal): Promise<void> {
    const { store, clock } = this.options
    await store.change(() => {
      const user = store.users.get(email)
      const isKnown = user?.tenant === tenant
      const change = isKnown ? [putUser(email, { ...user, lastSignInMs: clock.nowMs() })] : []
      return { changes: change, result: undefined }
    })
  }

  /** Records the first use of a feature by a user; a later one costs a look-up in memory. */
  async recordFeatureUse({ tenant, user: email }: Principal, feature: Feature): Promise<void> {
    const { store } = this.options
    if (store.users.get(email)?.featuresUsed.includes(feature) !== false) return
    await store.change(() => {
      const user = store.users.get(email)
      const isNew = user?.tenant === tenant && !user.featuresUsed.includes(feature)
      const used = features.filter((one) => one === feature || user?.featuresUsed.includes(one))
      const changes = isNew ? [putUser(email, { ...user, featuresUsed: used })] : []
      return { changes, result: undefined }
    })
  }

  /** Verified through the authenticator, so guesses are throttled as at a sign-in. */
  private async verifyOldPassword(
    credentials: Credentials,
    remoteAddress: string | undefined,
  ): Promise<void> {
    try {
      await this.options.authenticator.signIn(credentials, remoteAddress)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "unauthenticated") throw error
      throw invalid("oldPassword: expected the user's password")
    }
  }

  private planUpdate(former: User, email: string, changed: UserDocument) {
    const isRenamed = email !== former.email
    if (isRenamed) this.checkFree(email)
    const removal = { kind: userKind, id: former.email, document: null }
    const changes: DocumentChange[] = isRenamed
      ? [removal, putUser(email, changed)]
      : [putUser(email, changed)]
    const { uuid, document } = former.owner
    if (isRenamed && document.adminEmail === former.email) {
      changes.push({ kind: tenantKind, id: uuid, document: { ...document, adminEmail: email } })
    }
    return { changes, result: this.userOf(email, changed) }
  }

  private checkFree(email: string): void {
    // Basic credentials name no tenant, so an e-mail must be unique across all tenants.
    if (!this.options.store.users.has(email)) return
    throw invalid(`email: expected one that no user has, got "${email}"`)
  }

  private checkNotLast(user: User): void {
    const isOther = (one: User) => one.id !== user.id && one.role === "Administrator" && one.active
    if (user.role !== "Administrator" || !user.active) return
    if (this.list(user.tenant).some(isOther)) return
    throw invalid(
      `Expected another active administrator before user ${user.id}, the last one, is changed`,
    )
  }

  private userOf(email: string, user: UserDocument): User {
    return { ...user, email, owner: this.options.store.tenants.get(user.tenant)! }
  }
}

function putUser(email: string, document: UserDocument): DocumentChange {
  const { properties, customElementTypeIcons } = document
  const bytes = Buffer.byteLength(JSON.stringify([properties, customElementTypeIcons]))
  if (bytes > userBytesMax) {
    throw invalid(`properties: expected at most ${userBytesMax} bytes as JSON, got ${bytes}`)
  }
  return { kind: userKind, id: email, document }
}

function documentOf({ email: _email, owner: _owner, ...document }: User): UserDocument {
  return document
}

/** The fields of a request that are stored unchanged. */
function storedFields(wanted: UserChange): Partial<UserDocument> {
  const { role, active, properties, customElementTypeIcons } = wanted
  return {
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(properties === undefined ? {} : { properties }),
    ...(customElementTypeIcons === undefined ? {} : { customElementTypeIcons }),
  }
}
