/** Tenants: the accounts of one server, each with users, keys and data of its own. */

import { invalid, ServiceError } from "../base/errors.ts"
import { textCharactersMax } from "../base/limits.ts"
import { tenantsMax } from "../base/limits/accounts.ts"
import type { Clock } from "../base/clock.ts"
import type { Random } from "../base/random.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange } from "../model/document.ts"
import { secretId } from "./secret-token.ts"
import type { AccountStore, Tenant } from "./account-store.ts"
import { validateEmail, validatePassword, newApiKey, type PasswordHasher } from "./credentials.ts"
import {
  apiKeyKind,
  documentVersion,
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
import { userDefaults } from "./user-migrations.ts"

export interface NewTenant {
  readonly name: string
  readonly adminEmail: string
  readonly adminPassword: string
}

interface TenantsOptions {
  readonly store: AccountStore
  readonly hasher: PasswordHasher
  readonly random: Random
  readonly clock: Clock
}

export class Tenants {
  private readonly options: TenantsOptions

  constructor(options: TenantsOptions) {
    this.options = options
  }

  /** All tenants that are not deleted, oldest first. */
  list(): Tenant[] {
    const { store } = this.options
    return [...store.tenants.values()]
      .filter(({ document }) => store.stateOf(document.index) !== "deleted")
      .sort((one, other) => one.document.index - other.document.index)
  }

  /** The tenant with this UUID or index. Throws `missing`. */
  find(uuidOrIndex: string): Tenant {
    const found = this.list().find(
      ({ uuid, document }) => uuid === uuidOrIndex || String(document.index) === uuidOrIndex,
    )
    if (found !== undefined) return found
    throw new ServiceError("missing", `Expected the id of an account, got "${uuidOrIndex}"`)
  }

  /**
   * Creates a tenant with an administrator and the Custom integration; returns the integration's
   * key, which cannot be read later. Throws `invalid` for unusable values.
   */
  async create(wanted: NewTenant): Promise<{ tenant: Tenant; apiKey: string }> {
    const { store, random, clock } = this.options
    const email = validateEmail(wanted.adminEmail)
    const name = checkName(wanted.name)
    const passwordHash = await this.options.hasher.hash(validatePassword(wanted.adminPassword))
    return store.change(() => {
      if (store.users.has(email)) {
        throw invalid(`email: expected one that no user has, got "${email}"`)
      }
      const index = store.tenants.size
      if (index >= tenantsMax) throw invalid(`Expected at most ${tenantsMax} accounts`)
      const uuid = random.uuid()
      const apiKey = newApiKey(random)
      const common = { version: documentVersion, createdMs: clock.nowMs() }
      const document: TenantDocument = { ...common, index, adminEmail: email, name }
      const { id, counter } = store.nextUserId()
      const user: UserDocument = {
        ...userDefaults,
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

  /** While a tenant is disabled, its users and keys are rejected; its data stay. */
  setEnabled(uuidOrIndex: string, enabled: boolean): Promise<Tenant> {
    return this.update(uuidOrIndex, { state: enabled ? "active" : "disabled" })
  }

  /**
   * Removes a tenant's users and keys permanently. Its data stay until their retention ends, and
   * are unreachable, because its index and UUID are never reused.
   */
  remove(uuidOrIndex: string): Promise<Tenant> {
    const { store } = this.options
    return store.change(() => {
      const { uuid, document } = this.find(uuidOrIndex)
      if (document.index === 0) {
        throw invalid("Expected another account than the first one, which the server belongs to")
      }
      const deleted: TenantDocument = { ...document, state: "deleted" }
      const gone: DocumentChange[] = [{ kind: tenantKind, id: uuid, document: deleted }]
      for (const [email, { tenant }] of store.users) {
        if (tenant === document.index) gone.push({ kind: userKind, id: email, document: null })
      }
      for (const [id, { tenant }] of store.keys.documents()) {
        if (tenant === document.index) gone.push({ kind: apiKeyKind, id, document: null })
      }
      return { changes: gone, result: { uuid, document: deleted } }
    })
  }

  private update(
    uuidOrIndex: string,
    part: { name?: string; state?: TenantState },
  ): Promise<Tenant> {
    return this.options.store.change(() => {
      const { uuid, document } = this.find(uuidOrIndex)
      if (document.index === 0 && part.state === "disabled") {
        throw invalid("Expected another account than the first one, which the server belongs to")
      }
      const changed: TenantDocument = { ...document, ...part, version: documentVersion }
      const changes = [{ kind: tenantKind, id: uuid, document: changed }]
      return { changes, result: { uuid, document: changed } }
    })
  }
}

/** The integration that collectors without a type of their own post through, and its key. */
function customIntegration(
  tenant: TenantIndex,
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
    { kind: apiKeyKind, id: secretId(apiKey), document: key },
  ]
}

/** Document id of a tenant's Custom integration; the first tenant's predates other tenants. */
export function integrationId(tenant: TenantIndex): string {
  return tenant === 0 ? String(customDatasourceId) : `${customDatasourceId}@${tenant}`
}

function checkName(name: string): string {
  if (name.trim() !== "" && name.length <= textCharactersMax) return name.trim()
  throw invalid(`name: expected 1 to ${textCharactersMax} characters, got ${name.length}`)
}
