/** The documents of accounts. Secrets are stored as hashes only. */

import type { TenantIndex } from "../model/ids.ts"

export { tenantKind } from "../model/document.ts"
export const userKind = "user"
export const integrationKind = "integration"
export const apiKeyKind = "apiKey"
export const apiKeyUseKind = "apiKeyUse"
export const loginSessionKind = "loginSession"
export const signInLinkKind = "signInLink"

/** The last number assigned as an id, so that none is assigned twice. */
export const counterDocumentKind = "counter"

/** Version of the document formats below; a change of format raises it. */
export const documentVersion = 2

const tenantStates = ["active", "disabled", "deleted"] as const
export type TenantState = (typeof tenantStates)[number]

/** Stored under its UUID. Written last at the first start: if it exists, all others do. */
export interface TenantDocument {
  readonly version: number
  /** The tenant's number in every other part of the service; 0 for the first. Never reused. */
  readonly index: number
  /** E-mail of the administrator that the first start created or the operator has set since. */
  readonly adminEmail: string
  readonly createdMs: number
  /** Display name; absent before version 2. */
  readonly name?: string
  /** Absent means active. Documents of deleted tenants stay, so that the index is not reused. */
  readonly state?: TenantState
}

export const roles = ["Administrator", "Power User", "Read Only"] as const
export type Role = (typeof roles)[number]

/** Features whose first use is recorded for each user (spec/accounts §5). */
export const features = [
  "createdPolicy",
  "createdDatasource",
  "createdDashboard",
  "createdNotification",
] as const
export type Feature = (typeof features)[number]

/** Values set by the user; null is an explicit "none". */
export type UserProperties = Readonly<Record<string, string | null>>

/** Stored under its e-mail in lower case: one e-mail is one user of one tenant. */
export interface UserDocument {
  readonly version: number
  /** The user's id in the API; unique across all tenants. */
  readonly id: number
  readonly tenant: TenantIndex
  readonly role: Role
  /** Whether the user may sign in. */
  readonly active: boolean
  readonly properties: UserProperties
  readonly customElementTypeIcons: UserProperties
  readonly featuresUsed: readonly Feature[]
  /** See password.ts. */
  readonly passwordHash: string
  readonly createdMs: number
  /** Of the last sign-in with a browser; absent before the first. */
  readonly lastSignInMs?: number
}

/** Stored under its datasource id, a decimal number. */
export interface IntegrationDocument {
  readonly version: number
  readonly tenant: TenantIndex
  readonly type: string
  readonly name: string
  readonly createdMs: number
}

/** Stored under the SHA-256 of the key, in hexadecimal digits. */
export interface ApiKeyDocument {
  readonly version: number
  readonly tenant: TenantIndex
  /** The integration that the key belongs to. */
  readonly datasourceId: number
  readonly enabled: boolean
  readonly createdMs: number
  /** Display name, if one was set. */
  readonly name?: string
  /** Overrides the server's setting; 0 is no limit, absent is the setting. */
  readonly payloadsPerMinute?: number
  readonly samplesPerMinute?: number
  /** It is refused from then on: a newer key has replaced it. Absent: it is accepted. */
  readonly endsMs?: number
}

/** Stored under the kind of the counted documents. */
export interface CounterDocument {
  readonly version: number
  /** The last number assigned. */
  readonly last: number
}

/** Stored under the SHA-256 of its token, in hexadecimal digits. */
export interface LoginSessionDocument {
  readonly version: number
  readonly email: string
  readonly tenant: TenantIndex
  readonly createdMs: number
  /** Stored at most every `sessionUseStoredMs`. */
  readonly lastUsedMs: number
  /** It ends when it was not used for this long. */
  readonly idleMs: number
  /** It ends then at the latest. */
  readonly endsMs: number
  readonly userAgent: string
  readonly address: string
  /** Of the password hash and the role at the sign-in. */
  readonly fingerprint: string
}

/** Stored under the SHA-256 of its token, in hexadecimal digits. */
export interface SignInLinkDocument {
  readonly version: number
  readonly email: string
  readonly expiresMs: number
}
