/**
 * Key uses: when each API key was used last. They are in memory, and stored once an hour: a crash
 * loses the uses of an hour.
 */

import type { Clock } from "../base/clock.ts"
import type { DocumentStore } from "../model/document.ts"
import { apiKeyUseKind, documentVersion } from "./documents.ts"

/** Documents of one transaction: 5 ms of the shard's thread. */
const storedTogetherMax = 1_000

interface KeyUseDocument {
  readonly version: number
  readonly lastUsedMs: number
}

export class KeyUses {
  private readonly documents: DocumentStore
  private readonly clock: Clock
  private readonly usedMs = new Map<string, number>()
  private readonly unstored = new Set<string>()

  constructor({ documents, clock }: { documents: DocumentStore; clock: Clock }) {
    this.documents = documents
    this.clock = clock
  }

  /** Reads the stored uses, and removes those of keys that are gone. */
  async load(isKnown: (keyId: string) => boolean): Promise<void> {
    const stored = await this.documents.list(apiKeyUseKind)
    const gone = stored.filter(({ id }) => !isKnown(id))
    for (const { id, document } of stored) {
      if (isKnown(id)) this.usedMs.set(id, (document as KeyUseDocument).lastUsedMs)
    }
    if (gone.length === 0) return
    await this.documents.putAll(gone.map(({ id }) => ({ kind: apiKeyUseKind, id, document: null })))
  }

  /** Notes a use as of now; called for each request with a key. */
  note(keyId: string): void {
    this.usedMs.set(keyId, this.clock.nowMs())
    this.unstored.add(keyId)
  }

  /** Epoch milliseconds; null for a key that was never used. */
  lastUsedMs(keyId: string): number | null {
    return this.usedMs.get(keyId) ?? null
  }

  /** Stores the uses since the last call. */
  async store(): Promise<void> {
    const ids = [...this.unstored]
    this.unstored.clear()
    for (let at = 0; at < ids.length; at += storedTogetherMax) {
      const some = ids.slice(at, at + storedTogetherMax)
      await this.documents.putAll(
        some.map((id) => {
          const document: KeyUseDocument = {
            version: documentVersion,
            lastUsedMs: this.usedMs.get(id)!,
          }
          return { kind: apiKeyUseKind, id, document }
        }),
      )
    }
  }
}
