/**
 * Seals secrets that lie in the store in clear, since they were written when fewer properties
 * counted as secrets. Done once a store and version of the rules: a document remembers it.
 */

import type { DocumentStore } from "../../model/document.ts"
import type { Datasources } from "./datasources.ts"
import type { Notifications } from "./notifications.ts"

const kind = "secretRules"
const id = "current"
/** Goes up when secret-values.ts takes more for secrets. */
const rulesVersion = 1

export interface EncryptStoredOptions {
  readonly documents: DocumentStore
  /** The indexes of all tenants. */
  readonly tenants: () => readonly number[]
  readonly datasources: Pick<Datasources, "encryptStored">
  readonly notifications: Pick<Notifications, "encryptStored">
}

/** To be called at the start, before anything is changed. */
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
