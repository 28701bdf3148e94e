/**
 * How often the garbage of the process is collected. A collection of the old generation marks what
 * lives: 10 to 40 ms on one core. At 3,000 requests a second V8, which lets a heap of 13 MB grow
 * to 25, collected twice a second, and the 99th percentile of answers was those collections: 41 ms,
 * against 18 when the heap may grow to five times what lives. Flags hold for all threads, and the
 * catalogue of a large store is hundreds of MB in each: there V8 decides by itself.
 */

import { getHeapStatistics, setFlagsFromString } from "node:v8"

/** A catalogue of so many series takes some 40 MB of heap a thread: five times that may be. */
const smallStoreSeries = 200_000
const growingPercent = 400

const pollEveryMs = 60_000

/** Looks now and then how large the store is; the answer stops that. */
export function tuneHeapGrowth(seriesCount: () => Promise<number>): () => void {
  const look = (): void => {
    // A shard that does not answer is told of elsewhere; here the last choice stays.
    seriesCount().then(deferMajorGc, () => undefined)
  }
  look()
  const timer = setInterval(look, pollEveryMs).unref()
  return () => clearInterval(timer)
}

/** The next collection of each thread heeds it. */
function deferMajorGc(seriesCount: number): void {
  const percent = seriesCount <= smallStoreSeries ? growingPercent : 0
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** Asks a worker thread for `collectIfGrown`. */
export interface GcTask {
  readonly kind: "tidy"
}

/** Less is not worth the time that a collection takes. */
const grownBytesMin = 16 * 1024 ** 2
/** Of this thread after its last collection. */
let keptBytes = 0

/**
 * Collects what nothing of the calling thread refers to and makes its heap smaller, but only where
 * heap and buffers grew by 16 MiB since it last did. It stops the thread, some 5 ms a MB of what
 * lives. Throws where this build of Node has no inspector.
 *
 * By the inspector's protocol, which is the one documented way to ask for it. `gc()`, which a flag
 * gives, stops a thread half as long, and leaves the heap as large as it was: with a million series
 * a process then kept 415 bytes each, and so 306.
 */
export async function collectIfGrown(): Promise<void> {
  if (committedBytes() - keptBytes < grownBytesMin) return
  const { Session } = await import("node:inspector/promises")
  const session = new Session()
  session.connect()
  try {
    await session.post("HeapProfiler.collectGarbage")
  } finally {
    session.disconnect()
  }
  keptBytes = committedBytes()
}

/** What a worker thread answers a `GcTask` with. */
export async function runGcTask(): Promise<null> {
  await collectIfGrown()
  return null
}

function committedBytes(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  return heap + buffers
}
