/** Records with guarded properties, all of a tenant's at once. */

import { ServiceError } from "../../base/errors.ts"
import type { RecordCollection } from "../core/record-collection.ts"
import {
  hasPlaintextSecrets,
  mergeProperties,
  type SecretScope,
  type ProtectedProperties,
} from "./secret-fields.ts"

/**
 * Seals what lies in clear and counts as a secret now. A record that would be too large with its
 * secrets sealed stays as it is, hidden all the same.
 */
export async function encryptCollection<Body extends { readonly properties: ProtectedProperties }>(
  collection: RecordCollection<Body>,
  tenant: number,
  guard: SecretScope,
): Promise<void> {
  for (const { id, body } of await collection.list(tenant)) {
    if (!hasPlaintextSecrets(body.properties)) continue
    const properties = mergeProperties(body.properties, {}, guard)
    await collection.change(tenant, id, () => ({ ...body, properties })).catch(passIfTooLarge)
  }
}

function passIfTooLarge(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
}
