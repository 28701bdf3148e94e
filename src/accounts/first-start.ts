/**
 * First start: creates the tenant, its administrator and the Custom integration with its API key.
 * On later starts it applies what the operator named since.
 *
 *   nothing named             generated once, told once
 *   apiKey named              added beside the keys that are there; none is ever taken away here
 *   adminPassword named       replaces the administrator's password where it differs
 *   adminEmail named          renames the administrator where it differs
 */

import type { Clock } from "../base/clock.ts"
import { invalid } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import { apiKeyId, isApiKey } from "./api-keys.ts"
import { apiKeyKind, formVersion, integrationKind, tenantKind, userKind } from "./documents.ts"
import type {
  ApiKeyDocument,
  IntegrationDocument,
  TenantDocument,
  UserDocument,
} from "./documents.ts"
import type { Documents } from "../model/document.ts"
import { defaultCost, hashPassword, isPassword } from "./password.ts"
import type { ScryptCost } from "./password.ts"

/**
 * What the operator may name beforehand, in the environment; null and absent alike name nothing.
 */
export interface Wanted {
  readonly apiKey?: string | null
  readonly adminEmail?: string | null
  readonly adminPassword?: string | null
}

/** What is in clear exactly once: to be printed, and then forgotten. */
export interface FirstStart {
  readonly adminEmail: string
  readonly adminPassword: string
  readonly apiKey: string
}

export interface SetupOptions {
  readonly documents: Documents
  readonly random: Random
  readonly clock: Clock
  readonly wanted: Wanted
  readonly cost?: ScryptCost
}

export const defaultAdminEmail = "admin@tidegauge.local"

/** Datasource id of the Custom integration. */
export const customDatasourceId = 1

const passwordLengthMin = 8

/**
 * Brings the documents to where the service can start. Throws `invalid` for a wanted value of no
 * use.
 */
export async function setUp(options: SetupOptions): Promise<FirstStart | undefined> {
  checkWanted(options.wanted)
  const [tenant] = await options.documents.list(tenantKind)
  if (tenant === undefined) return createAll(options)
  await applyWanted(options, { id: tenant.id, document: tenant.document as TenantDocument })
  return undefined
}

function checkWanted({ apiKey, adminEmail, adminPassword }: Wanted): void {
  if (apiKey != null && !isApiKey(apiKey)) {
    throw invalid("Expected an API key of 16 to 128 letters, digits, '_' or '-'")
  }
  if (adminEmail != null && !/^[^\s:]{1,254}$/.test(adminEmail)) {
    throw invalid("Expected an administrator's e-mail without spaces and colons")
  }
  if (adminPassword != null && adminPassword.length < passwordLengthMin) {
    throw invalid(
      `Expected an administrator's password of at least ${passwordLengthMin} characters`,
    )
  }
}

async function createAll(options: SetupOptions): Promise<FirstStart> {
  const { documents, random, clock, wanted } = options
  await removeUnfinished(documents)
  const told = {
    adminEmail: (wanted.adminEmail ?? defaultAdminEmail).toLowerCase(),
    adminPassword: wanted.adminPassword ?? readablePassword(random),
    apiKey: wanted.apiKey ?? Buffer.from(random.bytes(16)).toString("hex"),
  }
  const common = { version: formVersion, tenant: 0, createdMs: clock.nowMs() }
  const integration: IntegrationDocument = { ...common, type: "CUSTOM", name: "Custom" }
  await documents.put(integrationKind, String(customDatasourceId), integration)
  await putApiKey(options, told.apiKey)
  const passwordHash = await newHash(options, told.adminPassword)
  const user: UserDocument = { ...common, role: "Administrator", passwordHash }
  await documents.put(userKind, told.adminEmail, user)
  const tenant: TenantDocument = {
    version: formVersion,
    index: 0,
    adminEmail: told.adminEmail,
    createdMs: clock.nowMs(),
  }
  await documents.put(tenantKind, random.uuid(), tenant)
  return told
}

/** A first start that was cut short left keys and users that nobody was told of. */
async function removeUnfinished(documents: Documents): Promise<void> {
  for (const kind of [apiKeyKind, userKind]) {
    for (const { id } of await documents.list(kind)) await documents.put(kind, id, null)
  }
}

async function applyWanted(
  options: SetupOptions,
  tenant: { id: string; document: TenantDocument },
): Promise<void> {
  const { documents, wanted } = options
  if (wanted.apiKey != null) {
    const known = await documents.get(apiKeyKind, apiKeyId(wanted.apiKey))
    if (known === undefined || known === null) await putApiKey(options, wanted.apiKey)
  }
  const email = wanted.adminEmail?.toLowerCase() ?? tenant.document.adminEmail
  if (email !== tenant.document.adminEmail) await renameAdmin(options, tenant, email)
  if (wanted.adminPassword != null) await setPassword(options, email, wanted.adminPassword)
}

async function renameAdmin(
  { documents }: SetupOptions,
  tenant: { id: string; document: TenantDocument },
  email: string,
): Promise<void> {
  const former = tenant.document.adminEmail
  const user = (await documents.get(userKind, former)) as UserDocument
  // In this order a crash between two of them leaves an administrator that the next start finds.
  await documents.put(userKind, email, user)
  await documents.put(tenantKind, tenant.id, { ...tenant.document, adminEmail: email })
  await documents.put(userKind, former, null)
}

async function setPassword(options: SetupOptions, email: string, password: string): Promise<void> {
  const user = (await options.documents.get(userKind, email)) as UserDocument
  if (await isPassword(password, user.passwordHash)) return
  const passwordHash = await newHash(options, password)
  await options.documents.put(userKind, email, { ...user, passwordHash })
}

async function putApiKey({ documents, clock }: SetupOptions, key: string): Promise<void> {
  const document: ApiKeyDocument = {
    version: formVersion,
    tenant: 0,
    datasourceId: customDatasourceId,
    enabled: true,
    createdMs: clock.nowMs(),
  }
  await documents.put(apiKeyKind, apiKeyId(key), document)
}

function newHash({ random, cost }: SetupOptions, password: string): Promise<string> {
  return hashPassword(password, random.bytes(16), cost ?? defaultCost)
}

/** 32 letters and digits that are not mistaken for one another. */
const readable = "abcdefghijkmnpqrstuvwxyz23456789"

/** 100 random bits in five groups of four. */
function readablePassword(random: Random): string {
  const letters = Array.from(random.bytes(20), (byte) => readable[byte & 31])
  return letters.join("").replace(/.{4}(?=.)/g, "$&-")
}
