/** Records with guarded properties, all of a tenant's at once. */

import { ServiceError } from "../../base/errors.ts"
import type { Collection } from "../core/record-collection.ts"
import {
  hasClearSecrets,
  mergeProperties,
  type Guard,
  type GuardedProperties,
} from "./secret-fields.ts"

/**
 * Seals what lies in clear and counts as a secret now. A record that would be too large with its
 * secrets sealed stays as it is, hidden all the same.
 */
export async function sealCollection<Body extends { readonly properties: GuardedProperties }>(
  collection: Collection<Body>,
  tenant: number,
  guard: Guard,
): Promise<void> {
  for (const { id, body } of await collection.list(tenant)) {
    if (!hasClearSecrets(body.properties)) continue
    const properties = mergeProperties(body.properties, {}, guard)
    await collection.change(tenant, id, () => ({ ...body, properties })).catch(passIfTooLarge)
  }
}

function passIfTooLarge(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
}
