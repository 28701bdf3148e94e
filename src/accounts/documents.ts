/** What accounts keep. Secrets are stored as hashes only. */

export const tenantKind = "tenant"
export const userKind = "user"
export const integrationKind = "integration"
export const apiKeyKind = "apiKey"

/** Version of the document forms below; a change of form raises it. */
export const formVersion = 1

/** Under its UUID. Written last at the first start: where it is, all the others are. */
export interface TenantDocument {
  readonly version: number
  /** What every other part of the service calls the tenant; 0 for the first. */
  readonly index: number
  /** E-mail of the administrator that the first start created or the operator named since. */
  readonly adminEmail: string
  readonly createdMs: number
}

export const roles = ["Administrator", "Power User", "Read Only"] as const
export type Role = (typeof roles)[number]

/** Under its e-mail in lower case. */
export interface UserDocument {
  readonly version: number
  readonly tenant: number
  readonly role: Role
  /** See password.ts. */
  readonly passwordHash: string
  readonly createdMs: number
}

/** Under its datasource id, a decimal number. */
export interface IntegrationDocument {
  readonly version: number
  readonly tenant: number
  readonly type: string
  readonly name: string
  readonly createdMs: number
}

/** Under the SHA-256 of the key, in hexadecimal digits. */
export interface ApiKeyDocument {
  readonly version: number
  readonly tenant: number
  /** The integration that the key belongs to. */
  readonly datasourceId: number
  readonly enabled: boolean
  readonly createdMs: number
}
