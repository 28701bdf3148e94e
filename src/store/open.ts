/** Opens a store; the only file that names implementations. */

import { LmdbReadStore } from "./lmdb/read-store.ts"
import { verifyLmdb } from "./lmdb/verify.ts"
import { LmdbWriteStore } from "./lmdb/write-store.ts"
import type { ReadStore, StoreOptions, VerifyReport, WriteStore } from "./store.ts"

/** Opens for writing, replays what was not yet folded; one thread of one process at a time. */
export function openWriteStore(options: StoreOptions): WriteStore {
  return new LmdbWriteStore(options)
}

/** Opens for reading; the folder must have been opened for writing before. */
export function openReadStore(options: Pick<StoreOptions, "folder">): ReadStore {
  return new LmdbReadStore(options)
}

/** Recomputes every rollup from what it is a function of and compares the bytes (decisions §4). */
export function verifyStore(folder: string): Promise<VerifyReport> {
  return verifyLmdb(folder)
}

export type { StoreOptions }
