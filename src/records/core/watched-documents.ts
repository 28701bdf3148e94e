/** The documents of the main thread, which tell what they change. */

import type {
  DocumentChange,
  DocumentStore,
  IdRange,
  StoredDocument,
} from "../../model/document.ts"

export class WatchedDocuments implements DocumentStore {
  private readonly documents: DocumentStore
  private readonly watchers: ((kind: string) => void)[] = []

  constructor(documents: DocumentStore) {
    this.documents = documents
  }

  /** Calls back with each kind that a change was about, before its caller goes on. */
  onChange(callback: (kind: string) => void): void {
    this.watchers.push(callback)
  }

  get(kind: string, id: string): Promise<unknown> {
    return this.documents.get(kind, id)
  }

  list(kind: string, range?: IdRange): Promise<StoredDocument[]> {
    return this.documents.list(kind, range)
  }

  put(kind: string, id: string, document: unknown): Promise<void> {
    return this.telling([kind], () => this.documents.put(kind, id, document))
  }

  putAll(changes: readonly DocumentChange[]): Promise<void> {
    const kinds = new Set(changes.map(({ kind }) => kind))
    return this.telling(kinds, () => this.documents.putAll(changes))
  }

  /** Also after a failure: what was stored is unknown then. */
  private async telling(kinds: Iterable<string>, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } finally {
      for (const kind of kinds) for (const watcher of this.watchers) watcher(kind)
    }
  }
}
