/** Documents for tests: structured clones in memory, with a count of stored changes. */

import type {
  DocumentChange,
  DocumentStore,
  IdRange,
  StoredDocument,
} from "../../src/model/document.ts"

export class DocumentsInMemory implements DocumentStore {
  readonly byKind = new Map<string, Map<string, unknown>>()
  /** When positive, `put` throws once that many were stored. */
  failAfterPuts = Infinity

  async get(kind: string, id: string): Promise<unknown> {
    return structuredClone(this.kind(kind).get(id))
  }

  async put(kind: string, id: string, document: unknown): Promise<void> {
    if (this.failAfterPuts-- <= 0) throw new Error("power cut")
    if (document === null) this.kind(kind).delete(id)
    else this.kind(kind).set(id, structuredClone(document))
  }

  async putAll(changes: readonly DocumentChange[]): Promise<void> {
    if (this.failAfterPuts <= 0) throw new Error("power cut")
    for (const { kind, id, document } of changes) await this.put(kind, id, document)
  }

  async list(kind: string, range: IdRange = {}): Promise<StoredDocument[]> {
    const { from, to, limit, isReversed = false } = range
    const entries = [...this.kind(kind)]
      .map(([id, document]) => ({ id, document }))
      .filter(({ id }) => (from === undefined || id >= from) && (to === undefined || id < to))
    const ahead = entries.sort((a, b) => (a.id < b.id ? -1 : 1))
    return structuredClone((isReversed ? ahead.reverse() : ahead).slice(0, limit))
  }

  /** Everything stored, as text. */
  dump(): string {
    return JSON.stringify([...this.byKind].map(([kind, map]) => [kind, ...map]))
  }

  private kind(kind: string): Map<string, unknown> {
    const map = this.byKind.get(kind) ?? new Map<string, unknown>()
    this.byKind.set(kind, map)
    return map
  }
}
