/**
 * Seals secrets that lie in the store in clear, since they were written when fewer properties
 * counted as secrets. Done once a store and version of the rules: a document remembers it.
 */

import type { Documents } from "../../model/document.ts"
import type { Datasources } from "./datasources.ts"
import type { Notifications } from "./notifications.ts"

const kind = "secretRules"
const id = "current"
/** Goes up when secret-values.ts takes more for secrets. */
const rulesVersion = 1

export interface SealOldOptions {
  readonly documents: Documents
  /** The indexes of all tenants. */
  readonly tenants: () => readonly number[]
  readonly datasources: Pick<Datasources, "sealOld">
  readonly notifications: Pick<Notifications, "sealOld">
}

/** To be called at the start, before anything is changed. */
export async function sealOldSecrets(options: SealOldOptions): Promise<void> {
  const { documents, tenants, datasources, notifications } = options
  const done = (await documents.get(kind, id)) as { readonly rules: number } | undefined | null
  if (done?.rules === rulesVersion) return
  for (const tenant of tenants()) {
    await datasources.sealOld(tenant)
    await notifications.sealOld(tenant)
  }
  await documents.put(kind, id, { version: 1, rules: rulesVersion })
}
