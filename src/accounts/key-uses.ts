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

/** In epoch milliseconds. */
interface KeyUse {
  usedMs: number
  /** The use that is stored; null without one. */
  storedMs: number | null
}

export class KeyUses {
  private readonly documents: DocumentStore
  private readonly clock: Clock
  private readonly uses = new Map<string, KeyUse>()

  constructor({ documents, clock }: { documents: DocumentStore; clock: Clock }) {
    this.documents = documents
    this.clock = clock
  }

  /** Reads the stored uses, and removes those of keys that are gone. */
  async load(isKnown: (keyId: string) => boolean): Promise<void> {
    const stored = await this.documents.list(apiKeyUseKind)
    const gone = stored.filter(({ id }) => !isKnown(id))
    for (const { id, document } of stored) {
      const { lastUsedMs } = document as KeyUseDocument
      if (isKnown(id)) this.uses.set(id, { usedMs: lastUsedMs, storedMs: lastUsedMs })
    }
    if (gone.length === 0) return
    await this.documents.putAll(gone.map(({ id }) => ({ kind: apiKeyUseKind, id, document: null })))
  }

  /** Notes a use; called for each request with a key, so that it is one look-up. */
  note(keyId: string, nowMs = this.clock.nowMs()): void {
    const known = this.uses.get(keyId)
    if (known === undefined) this.uses.set(keyId, { usedMs: nowMs, storedMs: null })
    else known.usedMs = nowMs
  }

  /** Epoch milliseconds; null for a key that was never used. */
  lastUsedMs(keyId: string): number | null {
    return this.uses.get(keyId)?.usedMs ?? null
  }

  /** Stores the uses since the last call; those that cannot be stored are stored by the next. */
  async store(): Promise<void> {
    const unstored = [...this.uses].filter(([, { usedMs, storedMs }]) => usedMs !== storedMs)
    for (let at = 0; at < unstored.length; at += storedTogetherMax) {
      const some = unstored.slice(at, at + storedTogetherMax)
      const changes = some.map(([id, { usedMs: lastUsedMs }]) => {
        const document: KeyUseDocument = { version: documentVersion, lastUsedMs }
        return { kind: apiKeyUseKind, id, document }
      })
      await this.documents.putAll(changes)
      some.forEach(([, use], i) => (use.storedMs = changes[i]!.document.lastUsedMs))
    }
  }
}
