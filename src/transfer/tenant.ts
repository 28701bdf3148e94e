/** The account of an export or import. */

import { invalid } from "../base/errors.ts"
import { isObject } from "../base/json-value.ts"
import { tenantKind } from "../model/document.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentReader } from "../store/document-store.ts"

/**
 * Index of the tenant with this id or number. Throws `invalid` if there is none; the first one, 0,
 * exists before its document does.
 */
export function tenantIndexOf(store: DocumentReader, idOrNumber: string): TenantIndex {
  for (const { id, document } of store.listDocuments(tenantKind)) {
    if (!isObject(document) || document["state"] === "deleted") continue
    const { index } = document
    if (typeof index === "number" && (id === idOrNumber || String(index) === idOrNumber))
      return index
  }
  if (idOrNumber === "0") return 0
  throw invalid(`--account ${idOrNumber}: expected the id or number of an account`)
}
