/**
 * Encrypts secrets that are stored in plaintext because fewer properties counted as secrets when
 * they were written. Runs once per store and version of the rules, which a document records.
 */

import type { DocumentStore } from "../../model/document.ts"
import type { Datasources } from "./datasources.ts"
import type { Notifications } from "./notifications.ts"

const kind = "secretRules"
const id = "current"
/** Raised when secret-values.ts treats more properties as secrets. */
const rulesVersion = 1

interface EncryptStoredOptions {
  readonly documents: DocumentStore
  /** The indexes of all tenants. */
  readonly tenants: () => readonly number[]
  readonly datasources: Pick<Datasources, "encryptStored">
  readonly notifications: Pick<Notifications, "encryptStored">
}

/** To be called at the start, before any record is changed. */
export async function encryptStoredSecrets(options: EncryptStoredOptions): Promise<void> {
  const { documents, tenants, datasources, notifications } = options
  const done = (await documents.get(kind, id)) as { readonly rules: number } | undefined | null
  if (done?.rules === rulesVersion) return
  for (const tenant of tenants()) {
    await datasources.encryptStored(tenant)
    await notifications.encryptStored(tenant)
  }
  await documents.put(kind, id, { version: 1, rules: rulesVersion })
}
