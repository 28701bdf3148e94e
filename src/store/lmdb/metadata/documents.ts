/** Small documents by (kind, id): accounts, keys, and resources that users create. */

import { assert } from "../../../base/assert.ts"
import type { DocumentChange, IdRange, StoredDocument } from "../../../model/document.ts"
import { packDocument, unpackDocument } from "../disk/record.ts"
import { textKey, type Tables } from "../disk/tables.ts"
import { WriteBuffer } from "../disk/write-buffer.ts"

/** Separates kind and id; neither contains it. */
const separator = "\0"

export function putDocuments(tables: Tables, changes: readonly DocumentChange[]): void {
  const writes = new WriteBuffer()
  collectDocuments(tables, changes, writes)
  writes.commit(tables)
}

/** Adds the changes to `writes`. */
export function collectDocuments(
  tables: Tables,
  changes: readonly DocumentChange[],
  writes: WriteBuffer,
): void {
  const keys = changes.map(({ kind, id }) => documentKey(kind, id))
  changes.forEach(({ document }, i) => {
    if (document === null) writes.remove(tables.documents, keys[i]!)
    else writes.put(tables.documents, keys[i]!, packDocument(keys[i]!, document))
  })
}

/** The document, or undefined. */
export function getDocument(tables: Tables, kind: string, id: string): unknown {
  const key = documentKey(kind, id)
  const bytes = tables.documents.get(key)
  return bytes === undefined ? undefined : unpackDocument(key, bytes)
}

/** The documents of a kind, in order of id. */
export function listDocuments(
  tables: Tables,
  kind: string,
  { from, to, limit, isReversed = false }: IdRange = {},
): StoredDocument[] {
  const prefix = documentKey(kind, "").length
  const start = documentKey(kind, from ?? "")
  const end = to === undefined ? textKey(`${kind}\u0001`) : documentKey(kind, to)
  const ahead = { start, end }
  // `from` is in the range and `to` is not, in both directions.
  const back = { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true }
  const bounds = { ...(isReversed ? back : ahead), ...(limit === undefined ? {} : { limit }) }
  return [...tables.documents.getRange(bounds)].map(({ key, value }) => ({
    id: key.subarray(prefix).toString("utf8"),
    document: unpackDocument(key, value),
  }))
}

/** Number of documents whose kind begins with `prefix`; reads keys only. */
export function countDocuments(tables: Tables, prefix: string): number {
  const start = textKey(prefix)
  // UTF-8 text never has this byte, so the range ends after every kind with the prefix.
  const end = Buffer.concat([start, Buffer.of(0xff)])
  let count = 0
  for (const _ of tables.documents.getKeys({ start, end })) count++
  return count
}

function documentKey(kind: string, id: string): Buffer {
  assert(kind !== "", "Expected a kind")
  assert(!kind.includes(separator) && !id.includes(separator), "Expected names without NUL")
  return textKey(kind + separator + id)
}
