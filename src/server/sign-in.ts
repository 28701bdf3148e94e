/** Composes sign-in: password hashes on threads of their own, delays by the machine's clock. */

import { setTimeout as wait } from "node:timers/promises"
import type { SignInOutcome, SignInDeps } from "../accounts/accounts.ts"
import { deriveInPool, type KeyDerivation } from "../accounts/password.ts"
import { createThreadPool } from "../engine/worker-pool.ts"
import { resources } from "../runtime/resources.ts"
import { repeat } from "../runtime/timers.ts"

export interface ServerSignIn {
  readonly deps: SignInDeps
  close(): Promise<void>
}

/** A hash keeps its core busy for 0.24 s: with fewer cores than this one at a time is enough. */
const coresForTwo = 4

/** Few objects are allocated there; the memory of a hash is not V8's. */
const nurseryMb = 1

/**
 * `128 · N · r · p` of a hash that one of libuv's threads does in 3 ms: less than the start of a
 * thread of its own takes.
 */
const shortHashBytes = 2 ** 20

/** Threads start with the first hash that is not short. */
export function openServerSignIn(
  cores: number,
  onOutcome: (outcome: SignInOutcome) => void,
): ServerSignIn {
  const threads = cores < coresForTwo ? 1 : 2
  const pool = createThreadPool({
    filename: resources.workerFile("password-worker"),
    threads,
    threadsAtStart: 0,
    nurseryMb,
    tasksPerThread: 1,
    workerData: null,
    repeat,
  })
  const derive = (key: KeyDerivation): Promise<Uint8Array> =>
    isShort(key) ? deriveInPool(key) : pool.run(key)
  const deps = { elapsedMs: () => performance.now(), wait, derive, threads, onOutcome }
  return { deps, close: () => pool.close() }
}

function isShort({ cost: { N, r, p } }: KeyDerivation): boolean {
  return 128 * N * r * p <= shortHashBytes
}
