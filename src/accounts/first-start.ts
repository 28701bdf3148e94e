/**
 * The first start creates the tenant, its administrator and the Custom integration with its API
 * key. Later starts apply presets that the operator has set since.
 *
 *   no preset                 values are generated once and shown once
 *   apiKey                    added to the existing keys; keys are never removed here
 *   adminPassword             replaces the administrator's password if it differs
 *   adminEmail                renames the administrator if it differs
 */

import type { Clock } from "../base/clock.ts"
import { invalid } from "../base/errors.ts"
import type { Credentials } from "./authenticator.ts"
import type { Random } from "../base/random.ts"
import { isApiKey } from "./api-keys.ts"
import { secretId } from "./secret-token.ts"
import { validatePassword, newApiKey, readablePassword } from "./credentials.ts"
import {
  apiKeyKind,
  counterDocumentKind,
  documentVersion,
  integrationKind,
  tenantKind,
  userKind,
} from "./documents.ts"
import type {
  ApiKeyDocument,
  CounterDocument,
  IntegrationDocument,
  TenantDocument,
  UserDocument,
} from "./documents.ts"
import type { DocumentStore } from "../model/document.ts"
import { generatedCost, hashPassword, isPassword } from "./password.ts"
import type { DeriveKey, ScryptCost } from "./password.ts"
import { userDefaults } from "./user-migrations.ts"

/** Values that the operator may set in the environment; null and absent mean not set. */
export interface AccountPresets {
  readonly apiKey?: string | null
  readonly adminEmail?: string | null
  readonly adminPassword?: string | null
}

/** Secrets in plaintext, to be printed once and not kept. */
export interface FirstStartSecrets {
  readonly adminEmail: string
  readonly adminPassword: string
  readonly apiKey: string
  /** Token of a link that signs the administrator in once; null if the operator named the password. */
  readonly signInLink: string | null
}

export interface SetupOptions {
  readonly documents: DocumentStore
  readonly random: Random
  readonly clock: Clock
  readonly presets: AccountPresets
  readonly cost?: ScryptCost | undefined
  readonly derive: DeriveKey
  /** Called at the first start before anything is created; an error aborts the start. */
  readonly beforeFirst?: () => void
}

const defaultAdminEmail = "admin@tidegauge.local"

/** Initial name of the first tenant. */
const firstTenantName = "Tidegauge"

/** Datasource id of the Custom integration that every tenant is created with. */
export const customDatasourceId = 1

export interface SetupOutcome {
  /** Of a first start. */
  readonly firstStart?: NewSecrets
  /** The administrator's, if this start has made or checked the password. */
  readonly credentials?: Credentials
}

/**
 * Creates the accounts at the first start, and applies presets at later starts. Throws `invalid`
 * for an unusable preset.
 */
export async function setUpAccounts(options: SetupOptions): Promise<SetupOutcome> {
  validatePresets(options.presets)
  const tenants = (await options.documents.list(tenantKind)).map(({ id, document }) => ({
    id,
    document: document as TenantDocument,
  }))
  const first = tenants.find(({ document }) => document.index === 0)
  if (first === undefined) {
    const firstStart = await createAll(options)
    const { adminEmail: email, adminPassword: password } = firstStart
    return { firstStart, credentials: { email, password } }
  }
  const email = await applyPresets(options, first)
  const password = options.presets.adminPassword
  return password == null ? {} : { credentials: { email, password } }
}

function validatePresets({ apiKey, adminEmail }: AccountPresets): void {
  if (apiKey != null && !isApiKey(apiKey)) {
    throw invalid("Expected an API key of 16 to 128 letters, digits, '_' or '-'")
  }
  if (adminEmail != null && !/^[^\s:]{1,254}$/.test(adminEmail)) {
    throw invalid("Expected an administrator's e-mail without spaces and colons")
  }
}

/** Called for new passwords only: a rule added later must not prevent the next start. */
function validateNewPassword(adminPassword: string): string {
  return validatePassword(adminPassword, "--admin-password")
}

/** Before the link, which the opened accounts make. */
export type NewSecrets = Omit<FirstStartSecrets, "signInLink">

async function createAll(options: SetupOptions): Promise<NewSecrets> {
  const { documents, random, clock, presets } = options
  if (presets.adminPassword != null) validateNewPassword(presets.adminPassword)
  options.beforeFirst?.()
  await removeUnfinished(documents)
  const told = {
    adminEmail: (presets.adminEmail ?? defaultAdminEmail).toLowerCase(),
    adminPassword: presets.adminPassword ?? readablePassword(random),
    apiKey: presets.apiKey ?? newApiKey(random),
  }
  const common = { version: documentVersion, tenant: 0, createdMs: clock.nowMs() }
  const integration: IntegrationDocument = { ...common, type: "CUSTOM", name: "Custom" }
  await documents.put(integrationKind, String(customDatasourceId), integration)
  await putApiKey(options, told.apiKey)
  const isGenerated = presets.adminPassword == null
  const cost = isGenerated ? generatedCost : options.cost
  await putAdmin({ ...options, cost }, told.adminEmail, told.adminPassword)
  const tenant: TenantDocument = {
    version: documentVersion,
    index: 0,
    adminEmail: told.adminEmail,
    createdMs: clock.nowMs(),
    name: firstTenantName,
  }
  await documents.put(tenantKind, random.uuid(), tenant)
  return told
}

/** Removes keys and users of an interrupted first start, whose secrets were never shown. */
async function removeUnfinished(documents: DocumentStore): Promise<void> {
  for (const kind of [apiKeyKind, userKind]) {
    for (const { id } of await documents.list(kind)) await documents.put(kind, id, null)
  }
}

/** Returns the administrator's e-mail. */
async function applyPresets(
  options: SetupOptions,
  tenant: { id: string; document: TenantDocument },
): Promise<string> {
  const { documents, presets } = options
  if (presets.apiKey != null) {
    const known = await documents.get(apiKeyKind, secretId(presets.apiKey))
    if (known === undefined || known === null) await putApiKey(options, presets.apiKey)
  }
  const email = presets.adminEmail?.toLowerCase() ?? tenant.document.adminEmail
  const known = (await documents.get(userKind, email)) as UserDocument | null | undefined
  if (known != null && known.tenant !== 0) {
    throw invalid("Expected an administrator's e-mail that no user of another account has")
  }
  if (email !== tenant.document.adminEmail) await renameAdmin(options, tenant, email)
  if (presets.adminPassword != null) await setPassword(options, email, presets.adminPassword)
  return email
}

async function renameAdmin(
  { documents }: SetupOptions,
  tenant: { id: string; document: TenantDocument },
  email: string,
): Promise<void> {
  const former = tenant.document.adminEmail
  const user = (await documents.get(userKind, former)) as UserDocument | null | undefined
  const known = (await documents.get(userKind, email)) as UserDocument | null | undefined
  // In this order a crash between two writes leaves an administrator that the next start finds.
  if (known == null && user != null) await documents.put(userKind, email, user)
  await documents.put(tenantKind, tenant.id, { ...tenant.document, adminEmail: email })
  if (known == null && user != null) await documents.put(userKind, former, null)
}

/** Restores access for the operator, whatever was done to this user since. */
async function setPassword(options: SetupOptions, email: string, password: string): Promise<void> {
  const { documents } = options
  const user = (await documents.get(userKind, email)) as UserDocument | null | undefined
  if (user == null) return putAdmin(options, email, validateNewPassword(password))
  const isSame = await isPassword(password, user.passwordHash, options.derive)
  if (isSame && user.active && user.role === "Administrator") return
  const passwordHash = isSame
    ? user.passwordHash
    : await newHash(options, validateNewPassword(password))
  const role = "Administrator"
  await documents.put(userKind, email, { ...user, active: true, role, passwordHash })
}

async function putAdmin(options: SetupOptions, email: string, password: string): Promise<void> {
  const { documents, clock } = options
  const passwordHash = await newHash(options, password)
  const counter = (await documents.get(counterDocumentKind, userKind)) as
    CounterDocument | null | undefined
  const last = (counter?.last ?? 0) + 1
  const user: UserDocument = {
    ...userDefaults,
    version: documentVersion,
    id: last,
    tenant: 0,
    createdMs: clock.nowMs(),
    role: "Administrator",
    passwordHash,
  }
  await documents.putAll([
    { kind: userKind, id: email, document: user },
    { kind: counterDocumentKind, id: userKind, document: { version: documentVersion, last } },
  ])
}

async function putApiKey({ documents, clock }: SetupOptions, key: string): Promise<void> {
  const document: ApiKeyDocument = {
    version: documentVersion,
    tenant: 0,
    datasourceId: customDatasourceId,
    enabled: true,
    createdMs: clock.nowMs(),
  }
  await documents.put(apiKeyKind, secretId(key), document)
}

function newHash({ random, cost, derive }: SetupOptions, password: string): Promise<string> {
  return hashPassword(password, random.bytes(16), { cost, derive })
}
