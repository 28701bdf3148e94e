/** Tenants: accounts of one server, each owning its users, keys and data. */

import { invalid, ServiceError } from "../base/errors.ts"
import { tenantsMax, textCharactersMax } from "../base/limits.ts"
import type { Clock } from "../base/clock.ts"
import type { Random } from "../base/random.ts"
import type { DocumentChange } from "../model/document.ts"
import { apiKeyId } from "./api-keys.ts"
import type { Book, Tenant } from "./account-store.ts"
import { checkEmail, checkPassword, newApiKey, type PasswordHashes } from "./credentials.ts"
import {
  apiKeyKind,
  formVersion,
  integrationKind,
  tenantKind,
  userKind,
  type ApiKeyDocument,
  type IntegrationDocument,
  type TenantDocument,
  type TenantState,
  type UserDocument,
} from "./documents.ts"
import { customDatasourceId } from "./first-start.ts"
import { emptyUser } from "./user-migrations.ts"

export interface NewTenant {
  readonly name: string
  readonly adminEmail: string
  readonly adminPassword: string
}

export interface TenantsOptions {
  readonly book: Book
  readonly hashes: PasswordHashes
  readonly random: Random
  readonly clock: Clock
}

export class Tenants {
  private readonly options: TenantsOptions

  constructor(options: TenantsOptions) {
    this.options = options
  }

  /** All that were not deleted, oldest first. */
  list(): Tenant[] {
    const { book } = this.options
    return [...book.tenants.values()]
      .filter(({ document }) => book.stateOf(document.index) !== "deleted")
      .sort((one, other) => one.document.index - other.document.index)
  }

  /** The tenant of a UUID or an index. Throws `missing`. */
  find(uuidOrIndex: string): Tenant {
    const found = this.list().find(
      ({ uuid, document }) => uuid === uuidOrIndex || String(document.index) === uuidOrIndex,
    )
    if (found !== undefined) return found
    throw new ServiceError("missing", `Expected the id of an account, got "${uuidOrIndex}"`)
  }

  /** A tenant with an administrator, the Custom integration and its key, which is told once. */
  async create(wanted: NewTenant): Promise<{ tenant: Tenant; apiKey: string }> {
    const { book, random, clock } = this.options
    const email = checkEmail(wanted.adminEmail)
    const name = checkName(wanted.name)
    const passwordHash = await this.options.hashes.make(checkPassword(wanted.adminPassword))
    return book.change(() => {
      if (book.users.has(email)) {
        throw invalid(`email: expected one that no user has, got "${email}"`)
      }
      const index = book.tenants.size
      if (index >= tenantsMax) throw invalid(`Expected at most ${tenantsMax} accounts`)
      const uuid = random.uuid()
      const apiKey = newApiKey(random)
      const common = { version: formVersion, createdMs: clock.nowMs() }
      const document: TenantDocument = { ...common, index, adminEmail: email, name }
      const { id, counter } = book.nextUserId()
      const user: UserDocument = {
        ...emptyUser,
        ...common,
        id,
        tenant: index,
        role: "Administrator",
        passwordHash,
      }
      const changes: DocumentChange[] = [
        { kind: tenantKind, id: uuid, document },
        { kind: userKind, id: email, document: user },
        counter,
        ...customIntegration(index, apiKey, common),
      ]
      return { changes, result: { tenant: { uuid, document }, apiKey } }
    })
  }

  rename(uuidOrIndex: string, name: string): Promise<Tenant> {
    return this.update(uuidOrIndex, { name: checkName(name) })
  }

  /** Disabled: its users may not log in, its keys are as good as unknown; nothing is lost. */
  setEnabled(uuidOrIndex: string, enabled: boolean): Promise<Tenant> {
    return this.update(uuidOrIndex, { state: enabled ? "active" : "disabled" })
  }

  /**
   * Removes users and keys for good. What it stored stays until its retention ends, out of reach,
   * since its index and UUID are never given again.
   */
  remove(uuidOrIndex: string): Promise<Tenant> {
    const { book } = this.options
    return book.change(() => {
      const { uuid, document } = this.find(uuidOrIndex)
      if (document.index === 0) {
        throw invalid("Expected another account than the first one, which the server belongs to")
      }
      const deleted: TenantDocument = { ...document, state: "deleted" }
      const gone: DocumentChange[] = [{ kind: tenantKind, id: uuid, document: deleted }]
      for (const [email, { tenant }] of book.users) {
        if (tenant === document.index) gone.push({ kind: userKind, id: email, document: null })
      }
      for (const [id, { tenant }] of book.keys.documents()) {
        if (tenant === document.index) gone.push({ kind: apiKeyKind, id, document: null })
      }
      return { changes: gone, result: { uuid, document: deleted } }
    })
  }

  private update(
    uuidOrIndex: string,
    part: { name?: string; state?: TenantState },
  ): Promise<Tenant> {
    return this.options.book.change(() => {
      const { uuid, document } = this.find(uuidOrIndex)
      if (document.index === 0 && part.state === "disabled") {
        throw invalid("Expected another account than the first one, which the server belongs to")
      }
      const changed: TenantDocument = { ...document, ...part, version: formVersion }
      const changes = [{ kind: tenantKind, id: uuid, document: changed }]
      return { changes, result: { uuid, document: changed } }
    })
  }
}

/** The integration that collectors without one of their own post through, and its key. */
function customIntegration(
  tenant: number,
  apiKey: string,
  common: { version: number; createdMs: number },
): DocumentChange[] {
  const integration: IntegrationDocument = { ...common, tenant, type: "CUSTOM", name: "Custom" }
  const key: ApiKeyDocument = {
    ...common,
    tenant,
    datasourceId: customDatasourceId,
    enabled: true,
  }
  return [
    { kind: integrationKind, id: integrationId(tenant), document: integration },
    { kind: apiKeyKind, id: apiKeyId(apiKey), document: key },
  ]
}

/** Where the Custom integration of a tenant is stored; that of the first one came before others. */
export function integrationId(tenant: number): string {
  return tenant === 0 ? String(customDatasourceId) : `${customDatasourceId}@${tenant}`
}

function checkName(name: string): string {
  if (name.trim() !== "" && name.length <= textCharactersMax) return name.trim()
  throw invalid(`name: expected 1 to ${textCharactersMax} characters, got ${name.length}`)
}
