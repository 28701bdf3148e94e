/**
 * Reading ahead: once the server listens, the end of the store's file is read into the memory of
 * the system, as far as that has room. What people ask first, hours and days up to now, then waits
 * for no disk.
 */

import { freemem } from "node:os"
import { prefetchBytesMax, prefetchShareDivisor } from "../base/limits.ts"

export interface PageCachePrefetchDeps {
  /** Reads piece by piece, the last so many bytes in all. */
  readonly pieces: (bytesMax: number) => AsyncIterable<number>
  /** Whether samples wait to be taken in, whose journal is on the same disk. */
  readonly isIngesting: () => boolean
  readonly delay: (callback: () => void, ms: number) => () => void
}

/** After a piece, which takes 1 to 10 ms, where samples wait. */
const pauseMs = 100

export class PageCachePrefetch {
  private readonly deps: PageCachePrefetchDeps
  private stopped = false

  constructor(parts: PageCachePrefetchDeps) {
    this.deps = parts
  }

  /** Resolves when all is read, or it was stopped. */
  async start(): Promise<void> {
    const { pieces, isIngesting } = this.deps
    try {
      for await (const _ of pieces(prefetchBytes(freeBytes()))) {
        if (this.stopped) return
        if (isIngesting()) await this.pause()
      }
    } catch {
      // What stands in the way is told to whoever needs what could not be read.
    }
  }

  /** No piece follows the one that is being read. */
  stop(): void {
    this.stopped = true
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.deps.delay(resolve, pauseMs))
  }
}

/** How much to read where so much memory is free. */
export function prefetchBytes(freeBytes: number): number {
  return Math.min(prefetchBytesMax, Math.floor(freeBytes / prefetchShareDivisor))
}

/** What the system would give to others counts as free; a container may have less than that. */
function freeBytes(): number {
  const bound = process.constrainedMemory()
  return bound > 0 ? Math.min(freemem(), bound) : freemem()
}
