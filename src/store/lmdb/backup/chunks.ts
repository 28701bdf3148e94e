/**
 * Chunks: pieces of a store's files, named by their SHA-256, so that a piece that did not change
 * since an earlier backup is stored once.
 */

import { createHash } from "node:crypto"
import { ServiceError } from "../../../base/errors.ts"
import type { BackupVault, VaultBackupOptions } from "../../backup-vault.ts"
import type { ChunkedFile } from "./vault-manifest.ts"

const chunkFolder = "chunks"
/** A file in the folder of chunks; `.new` is left from a write that was interrupted. */
const pathPattern = /^chunks\/[0-9a-f]{2}\/([0-9a-f]{64})(\.new)?$/

export function chunkPath(hash: string): string {
  return `${chunkFolder}/${hash.slice(0, 2)}/${hash}`
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

/** Files of a vault that chunks are or were meant to be: by path, the hash of a whole one. */
export async function listChunks(vault: BackupVault): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>()
  for (const { path, bytes } of await vault.list(chunkFolder)) {
    const parts = pathPattern.exec(path)
    if (parts === null) continue
    const isWhole = parts[2] === undefined && bytes > 0
    found.set(path, isWhole ? parts[1]! : null)
  }
  return found
}

/**
 * Length of the chunks of a store of this size: the shortest power of two with which it has at most
 * `chunksMax`, so that manifests and lists of a vault stay small.
 */
export function chunkBytesOf(storeBytes: number): number {
  let bytes = chunkBytesMin
  while (storeBytes > bytes * chunksMax) bytes *= 2
  return bytes
}

/** LMDB scatters changed pages over free ones; format/backup.md has what was measured. */
const chunkBytesMin = 16 * 1024
/** A manifest of as many has 4.4 MB, and a list of the vault 66 pages. */
const chunksMax = 65_536
/** A bucket answers in some ten milliseconds, during which nothing else would be sent. */
const writesMax = 4

type WriterOptions = Pick<VaultBackupOptions, "vault" | "pace" | "isStopping"> & {
  readonly chunkBytes: number
}

/** Stores files as chunks: memory has one chunk, and those of at most `writesMax` writes. */
export class ChunkWriter {
  chunks = 0
  newChunks = 0
  newBytes = 0
  private readonly options: WriterOptions
  /** Hashes of the chunks that the vault has, or that are being written. */
  private readonly known: Set<string>
  private readonly writes = new Set<Promise<void>>()
  private readonly failures: unknown[] = []

  constructor(options: WriterOptions, known: Iterable<string>) {
    this.options = options
    this.known = new Set(known)
  }

  /**
   * Stores a file of `bytes` bytes; `read` fills a buffer from a position of it. All chunks are
   * durable on return. Rejects, when no write runs any more, if one of them failed.
   */
  async store(
    name: string,
    bytes: number,
    read: (into: Buffer, at: number) => number,
  ): Promise<ChunkedFile> {
    const { chunkBytes, pace, isStopping } = this.options
    const chunks: string[] = []
    const buffer = Buffer.allocUnsafeSlow(chunkBytes)
    try {
      for (let at = 0; at < bytes && this.failures.length === 0; at += chunkBytes) {
        if (isStopping()) throw new ServiceError("stopping", "The server stops: the backup ended")
        await pace(async () => {
          const content = buffer.subarray(0, read(buffer, at))
          const hash = hashOf(content)
          chunks.push(hash)
          await this.put(hash, content)
        })
      }
    } finally {
      await Promise.all(this.writes)
    }
    if (this.failures.length > 0) throw this.failures[0]
    return { name, bytes, chunks }
  }

  /** Begins to write a chunk that the vault lacks; waits while others are written. */
  private async put(hash: string, content: Buffer): Promise<void> {
    this.chunks++
    if (this.known.has(hash)) return
    while (this.writes.size >= writesMax) await Promise.race(this.writes)
    this.known.add(hash)
    this.newChunks++
    this.newBytes += content.length
    const write = this.options.vault
      .write(chunkPath(hash), Buffer.from(content))
      .catch((error: unknown) => void this.failures.push(error))
      .finally(() => this.writes.delete(write))
    this.writes.add(write)
  }
}

/** Reads from pieces that follow each other; positions must grow without gaps. */
export function readerOf(pieces: Iterator<Buffer>): (into: Buffer, at: number) => number {
  let rest: Buffer = Buffer.alloc(0)
  return (into) => {
    let filled = 0
    while (filled < into.length) {
      if (rest.length === 0) {
        const next = pieces.next()
        if (next.done === true) break
        rest = next.value
      }
      const taken = rest.copy(into, filled)
      filled += taken
      rest = rest.subarray(taken)
    }
    return filled
  }
}
