/**
 * Documents of the embedded store, which the shard's thread reads and writes synchronously.
 * Services use them by promises, as `DocumentStore` (model/document.ts).
 */

import type { DocumentChange, IdRange, StoredDocument } from "../model/document.ts"

export interface DocumentReader {
  /** The documents of a kind with their ids, in order of id. */
  listDocuments(kind: string, range?: IdRange): StoredDocument[]
}

export interface SyncDocumentStore extends DocumentReader {
  /** Stores or removes small documents, all of them or none, synced. */
  putDocuments(changes: readonly DocumentChange[]): void

  getDocument(kind: string, id: string): unknown

  /** How many documents have a kind that begins with `prefix`; reads their keys only. */
  countDocuments(prefix: string): number
}
