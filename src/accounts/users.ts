/** Users: who of a tenant may log in, and as what. A tenant always has an active administrator. */

import { invalid, ServiceError } from "../base/errors.ts"
import { userBytesMax, usersPerTenantMax } from "../base/limits.ts"
import type { Clock } from "../base/clock.ts"
import type { Random } from "../base/random.ts"
import type { DocumentChange } from "../model/document.ts"
import type { Book, Tenant } from "./account-store.ts"
import { features, formVersion, tenantKind, userKind } from "./documents.ts"
import type { Feature, Role, UserDocument, UserProperties } from "./documents.ts"
import type { Credentials, Identity, Logins } from "./authenticator.ts"
import { checkEmail, checkPassword, type PasswordHashes } from "./credentials.ts"
import { emptyUser } from "./user-migrations.ts"

/** A user with the e-mail that names it and the tenant that it belongs to. */
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
  /** Null if an administrator changes another's. */
  readonly oldPassword: string | null
  readonly newPassword: string
  /** Of the caller; absent for a command. */
  readonly remoteAddress?: string | undefined
}

export interface UsersOptions {
  readonly book: Book
  readonly logins: Logins
  readonly hashes: PasswordHashes
  readonly random: Random
  readonly clock: Clock
}

export class Users {
  private readonly options: UsersOptions

  constructor(options: UsersOptions) {
    this.options = options
  }

  /** All of a tenant, by id. */
  list(tenant: number): User[] {
    const { book } = this.options
    const own = [...book.users].filter(([, user]) => user.tenant === tenant)
    return own
      .map(([email, user]) => this.userOf(email, user))
      .sort((one, other) => one.id - other.id)
  }

  /** The user of an id. Throws `missing` where the tenant has none of it. */
  get(tenant: number, id: number): User {
    for (const [email, user] of this.options.book.users) {
      if (user.tenant === tenant && user.id === id) return this.userOf(email, user)
    }
    throw new ServiceError("missing", `Expected the id of a user, got ${id}`)
  }

  /** Who is logged in. */
  current({ user: email, tenant }: Identity): User {
    return this.byEmail(tenant, email)
  }

  /** The user of an e-mail. Throws `missing` where the tenant has none of it. */
  byEmail(tenant: number, email: string): User {
    const user = this.options.book.users.get(email.toLowerCase())
    if (user?.tenant !== tenant) {
      throw new ServiceError("missing", `Expected the e-mail of a user, got "${email}"`)
    }
    return this.userOf(email.toLowerCase(), user)
  }

  /** The user of an e-mail in whatever tenant: for whoever owns the server. Throws `missing`. */
  anywhere(email: string): User {
    const user = this.options.book.users.get(email.toLowerCase())
    return this.byEmail(user?.tenant ?? 0, email)
  }

  /** Throws `invalid` for an e-mail or password of no use, and for an e-mail that is taken. */
  async create(tenant: number, wanted: NewUser): Promise<User> {
    const email = checkEmail(wanted.email)
    const passwordHash = await this.options.hashes.make(checkPassword(wanted.password))
    const { book, clock, logins } = this.options
    const made = await book.change(() => {
      this.checkFree(email)
      if (this.list(tenant).length >= usersPerTenantMax) {
        throw invalid(`Expected at most ${usersPerTenantMax} users of one account`)
      }
      const { id, counter } = book.nextUserId()
      const user: UserDocument = {
        ...emptyUser,
        version: formVersion,
        id,
        tenant,
        passwordHash,
        createdMs: clock.nowMs(),
        ...storedPart(wanted),
        role: wanted.role,
      }
      return { changes: [putUser(email, user), counter], result: this.userOf(email, user) }
    })
    logins.vouch({ email, password: wanted.password })
    return made
  }

  /** Changes what is given; properties are merged. */
  async update(tenant: number, id: number, wanted: UserChange): Promise<User> {
    const email = wanted.email === undefined ? undefined : checkEmail(wanted.email)
    const { password } = wanted
    const passwordHash =
      password === undefined ? undefined : await this.options.hashes.make(checkPassword(password))
    const made = await this.options.book.change(() => {
      const former = this.get(tenant, id)
      const changed: UserDocument = {
        ...documentOf(former),
        ...storedPart(wanted),
        properties: { ...former.properties, ...wanted.properties },
        ...(passwordHash === undefined ? {} : { passwordHash }),
      }
      if (changed.role !== "Administrator" || !changed.active) this.checkNotLast(former)
      return this.planned(former, email ?? former.email, changed)
    })
    if (password !== undefined) this.options.logins.vouch({ email: made.email, password })
    return made
  }

  remove(tenant: number, id: number): Promise<void> {
    return this.options.book.change(() => {
      const former = this.get(tenant, id)
      this.checkNotLast(former)
      return { changes: [{ kind: userKind, id: former.email, document: null }], result: undefined }
    })
  }

  /** Throws `invalid` where `oldPassword` is not the user's. */
  async changePassword(
    tenant: number,
    id: number,
    { oldPassword, newPassword, remoteAddress }: PasswordChange,
  ): Promise<User> {
    const { email } = this.get(tenant, id)
    checkPassword(newPassword)
    if (oldPassword !== null) await this.checkOld({ email, password: oldPassword }, remoteAddress)
    return this.update(tenant, id, { password: newPassword })
  }

  /** Notes that a user made use of something; costs nothing from the second time on. */
  async noteFeature({ tenant, user: email }: Identity, feature: Feature): Promise<void> {
    const { book } = this.options
    if (book.users.get(email)?.featuresUsed.includes(feature) !== false) return
    await book.change(() => {
      const user = book.users.get(email)
      const isNew = user?.tenant === tenant && !user.featuresUsed.includes(feature)
      const used = features.filter((one) => one === feature || user?.featuresUsed.includes(one))
      const changes = isNew ? [putUser(email, { ...user, featuresUsed: used })] : []
      return { changes, result: undefined }
    })
  }

  /** Guessed as seldom as at a login. */
  private async checkOld(
    credentials: Credentials,
    remoteAddress: string | undefined,
  ): Promise<void> {
    try {
      await this.options.logins.signIn(credentials, remoteAddress)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "unauthenticated") throw error
      throw invalid("oldPassword: expected the user's password")
    }
  }

  private planned(former: User, email: string, changed: UserDocument) {
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
    // Basic credentials name no tenant, so an e-mail can belong to one user of all only.
    if (!this.options.book.users.has(email)) return
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
    return { ...user, email, owner: this.options.book.tenants.get(user.tenant)! }
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

/** The fields that are stored as they are given. */
function storedPart(wanted: UserChange): Partial<UserDocument> {
  const { role, active, properties, customElementTypeIcons } = wanted
  return {
    ...(role === undefined ? {} : { role }),
    ...(active === undefined ? {} : { active }),
    ...(properties === undefined ? {} : { properties }),
    ...(customElementTypeIcons === undefined ? {} : { customElementTypeIcons }),
  }
}
