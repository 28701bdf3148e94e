/** Tasks that tests give to a shard: bodies as one task, and permission to write. */

import type { WriteGuard } from "../../../src/engine/shard.ts"
import { requestInts, type IngestTask } from "../../../src/engine/shard-protocol.ts"
import { noonMs } from "./samples.ts"

/** Lets everything be written. */
export const openGuard: WriteGuard = {
  refusal: () => null,
  ingestRefusal: () => null,
  freeDiskBytes: Infinity,
  allowsMaintenance: () => true,
  noteFailure() {},
  recover() {},
}

/** The bodies, of the first tenant, end to end in one task; without options if not `flags`. */
export function ingestTask(
  bodies: readonly string[],
  nowMs = noonMs,
  flags: readonly number[] = [],
): IngestTask {
  const buffers = bodies.map((body) => Buffer.from(body))
  const requests = new Int32Array(bodies.length * requestInts)
  let offset = 0
  for (const [i, { length }] of buffers.entries()) {
    requests.set([offset, length, 0, flags[i] ?? 0], i * requestInts)
    offset += length
  }
  return { kind: "ingest", bytes: new Uint8Array(Buffer.concat(buffers)), requests, nowMs }
}
