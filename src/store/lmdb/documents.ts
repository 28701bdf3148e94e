/** Small documents by (kind, id): accounts, keys, and what people create. */

import { assert } from "../../base/assert.ts"
import { packDocument, unpackDocument } from "./record.ts"
import { textKey, type Tables } from "./tables.ts"

/** Between kind and id; neither holds it. */
const separator = "\0"

export function putDocument(
  tables: Tables,
  what: { kind: string; id: string; document: unknown },
): void {
  const key = documentKey(what.kind, what.id)
  tables.root.transactionSync(() => {
    if (what.document === null) tables.documents.remove(key)
    else tables.documents.put(key, packDocument(what.document))
  })
}

/** The document, or undefined. */
export function getDocument(tables: Tables, kind: string, id: string): unknown {
  const bytes = tables.documents.get(documentKey(kind, id))
  return bytes === undefined ? undefined : unpackDocument(bytes)
}

/** All documents of a kind, in order of id. */
export function listDocuments(tables: Tables, kind: string): { id: string; document: unknown }[] {
  const start = documentKey(kind, "")
  const end = textKey(`${kind}\u0001`)
  return [...tables.documents.getRange({ start, end })].map(({ key, value }) => ({
    id: key.subarray(start.length).toString("utf8"),
    document: unpackDocument(value),
  }))
}

function documentKey(kind: string, id: string): Buffer {
  assert(!kind.includes(separator) && !id.includes(separator), "Expected names without NUL")
  return textKey(kind + separator + id)
}
