/** What accounts keep. Secrets are stored as hashes only. */

export { tenantKind } from "../model/document.ts"
export const userKind = "user"
export const integrationKind = "integration"
export const apiKeyKind = "apiKey"

/** Numbers that were given as ids, so that none is given twice. */
export const counterKind = "counter"

/** Version of the document forms below; a change of form raises it. */
export const documentVersion = 2

export const tenantStates = ["active", "disabled", "deleted"] as const
export type TenantState = (typeof tenantStates)[number]

/** Under its UUID. Written last at the first start: where it is, all the others are. */
export interface TenantDocument {
  readonly version: number
  /** What every other part of the service calls the tenant; 0 for the first. Never used again. */
  readonly index: number
  /** E-mail of the administrator that the first start created or the operator named since. */
  readonly adminEmail: string
  readonly createdMs: number
  /** For people; absent before version 2. */
  readonly name?: string
  /** Absent means active. A deleted one stays, so that its index is not given again. */
  readonly state?: TenantState
}

export const roles = ["Administrator", "Power User", "Read Only"] as const
export type Role = (typeof roles)[number]

/** What of the service a user has made use of (spec/accounts §5). */
export const features = [
  "createdPolicy",
  "createdDatasource",
  "createdDashboard",
  "createdNotification",
] as const
export type Feature = (typeof features)[number]

/** Values that a person set; null where it was said that there is none. */
export type UserProperties = Readonly<Record<string, string | null>>

/** Under its e-mail in lower case: one e-mail is one user of one tenant. */
export interface UserDocument {
  readonly version: number
  /** What the API calls the user; given once in all tenants. */
  readonly id: number
  readonly tenant: number
  readonly role: Role
  /** Whether the user may log in. */
  readonly active: boolean
  readonly properties: UserProperties
  readonly customElementTypeIcons: UserProperties
  readonly featuresUsed: readonly Feature[]
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
  /** For people; absent where nobody gave one. */
  readonly name?: string
  /** Instead of the server's setting; 0 is no limit, absent the setting. */
  readonly payloadsPerMinute?: number
  readonly samplesPerMinute?: number
}

/** Under the kind of what is counted. */
export interface CounterDocument {
  readonly version: number
  /** The last number given. */
  readonly last: number
}
