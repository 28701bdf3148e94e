/**
 * A thread that hashes passwords, one at a time. It is not one of libuv's pool, which files and
 * decompression need, and its priority is lowered: a hash may take longer, ingest may not.
 */

import { deriveSync, type KeyDerivation } from "../accounts/password.ts"
import { isTuningOn } from "../config/tunings.ts"
import { eventLoopTurn } from "../engine/worker-pool.ts"
import { lowerThreadPriority } from "../runtime/thread-priority.ts"

/** As that of query threads: at 10 a hash on two busy cores would take 2 s instead of 0.5. */
const niceness = 5

if (isTuningOn(process.env, "thread-priority")) lowerThreadPriority(niceness)

export default function runTask(key: KeyDerivation | null): Promise<null> | Uint8Array {
  return key === null ? eventLoopTurn() : deriveSync(key)
}
