/**
 * The group commit queue makes small posts durable, many in one commit. Posts that arrive during a
 * commit go into the next one.
 *
 *   post ─► reserve bytes ─► put ─┐
 *   post ─► reserve bytes ─► put ─┼─► one putAll, synced ─► all of them resolve
 *   post ─► reserve bytes ─► put ─┘
 *             └─ budget exhausted: the caller answers 503
 */

import { assert } from "../../base/assert.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"

/** Bytes of bodies being read or waiting for a commit: 64 of the largest, or 60,000 usual ones. */
const pendingBytesMaxDefault = 64 * 1024 * 1024
/** A larger transaction would block the shard's thread for more than a few milliseconds. */
const changesPerCommitMax = 2_048

interface PendingPost {
  readonly changes: readonly DocumentChange[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class GroupCommitQueue {
  private readonly documents: Pick<DocumentStore, "putAll">
  private readonly bytesMax: number
  private bytes = 0
  private waiting: PendingPost[] = []
  private committing = false

  constructor(documents: Pick<DocumentStore, "putAll">, bytesMax = pendingBytesMaxDefault) {
    this.documents = documents
    this.bytesMax = bytesMax
  }

  /** Reserves bytes of the budget; returns false, reserving nothing, if they exceed it. */
  reserve(bytes: number): boolean {
    if (this.bytes + bytes > this.bytesMax) return false
    this.bytes += bytes
    return true
  }

  /** Gives back what `hold` counted. */
  release(bytes: number): void {
    this.bytes -= bytes
    assert(this.bytes >= 0, "Expected no more bytes released than held")
  }

  /** Resolves when all changes are synced; rejects if none is stored. */
  put(changes: readonly DocumentChange[]): Promise<void> {
    if (changes.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.waiting.push({ changes, resolve, reject })
      if (!this.committing) void this.commitAll()
    })
  }

  private async commitAll(): Promise<void> {
    this.committing = true
    while (this.waiting.length > 0) await this.commit(this.nextBatch())
    this.committing = false
  }

  /** Removes the longest prefix of waiting posts, at least one, that fits a commit. */
  private nextBatch(): PendingPost[] {
    let count = 0
    let changes = 0
    for (const post of this.waiting) {
      changes += post.changes.length
      if (count > 0 && changes > changesPerCommitMax) break
      count++
    }
    return this.waiting.splice(0, count)
  }

  private async commit(posts: readonly PendingPost[]): Promise<void> {
    try {
      await this.documents.putAll(posts.flatMap(({ changes }) => changes))
      for (const { resolve } of posts) resolve()
    } catch (error) {
      for (const { reject } of posts) reject(error)
    }
  }
}
