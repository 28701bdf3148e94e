/**
 * Checks that the key file is the one that encrypted the store's secrets. The store has the key's
 * id, a hash of it. If the ids differ, as after a restore without the file, the records whose
 * secrets cannot be decrypted are counted.
 *
 *   ids equal  ─► done
 *   ids differ ─► decrypt all records ─┬─► all can be decrypted: store the new id
 *                                      └─► some cannot: the caller warns, at each start
 */

import type { DocumentStore } from "../../model/document.ts"
import type { Datasources } from "./datasources.ts"
import type { Notifications } from "./notifications.ts"
import type { SecretBox } from "../secrets/secret-box.ts"

const kind = "secretKey"
const id = "current"

/** Number of records with secrets that must be entered again. */
export interface LostSecrets {
  readonly datasources: number
  readonly notifications: number
}

interface SecretKeyCheckOptions {
  readonly documents: DocumentStore
  readonly secretBox: SecretBox
  /** The indexes of all tenants. */
  readonly tenants: () => readonly number[]
  readonly datasources: Pick<Datasources, "list" | "lostSecrets">
  readonly notifications: Pick<Notifications, "list" | "lostSecrets">
}

/** To be called at the start; returns null if every secret can be decrypted. */
export async function checkSecretKey(options: SecretKeyCheckOptions): Promise<LostSecrets | null> {
  const { documents, secretBox, tenants, datasources, notifications } = options
  const known = (await documents.get(kind, id)) as { readonly keyId: string } | undefined | null
  if (known?.keyId === secretBox.keyId) return null
  const lost = { datasources: 0, notifications: 0 }
  for (const tenant of tenants()) {
    for (const one of await datasources.list(tenant)) {
      if (datasources.lostSecrets(tenant, one).length > 0) lost.datasources++
    }
    for (const one of await notifications.list(tenant)) {
      if (notifications.lostSecrets(tenant, one).length > 0) lost.notifications++
    }
  }
  if (lost.datasources + lost.notifications > 0) return lost
  await documents.put(kind, id, { version: 1, keyId: secretBox.keyId })
  return null
}
