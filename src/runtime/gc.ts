/**
 * Heap-growth tuning: lowers the frequency of major collections, each of which marks the live
 * objects for 10 to 40 ms on one core. At 3,000 requests a second V8, which lets a heap of 13 MB
 * grow to 25, collected twice a second, and the 99th percentile of answers was those collections:
 * 41 ms, against 18 if the heap may grow to five times its live size. Flags apply to all threads,
 * and the catalogue of a large store takes hundreds of MB in each: there V8's own choice stays.
 *
 * Measured 2026-11-21 on Node 20, 2026-11-23 on Node 26; `TIDEGAUGE_TUNINGS_OFF=heap-growth`
 * switches it off.
 */

import { getHeapStatistics, setFlagsFromString } from "node:v8"

const growingPercent = 400

const pollEveryMs = 60_000

/**
 * Sets the growth by the size of the store, every minute: it is greater up to `seriesMax` series.
 * Returns a way to end that.
 */
export function tuneHeapGrowth(seriesCount: () => Promise<number>, seriesMax: number): () => void {
  const tune = (): void => {
    // The readiness check reports a shard that does not answer; here the last choice stays.
    seriesCount().then(
      (count) => setHeapGrowth(count <= seriesMax ? growingPercent : 0),
      () => undefined,
    )
  }
  tune()
  const timer = setInterval(tune, pollEveryMs).unref()
  return () => clearInterval(timer)
}

/** Takes effect with the next collection of each thread. */
function setHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** Asks a worker thread for `collectIfGrown`. */
export interface GcTask {
  readonly kind: "collectGarbage"
}

/** Less growth is not worth the time of a collection. */
const grownBytesMin = 16 * 1024 ** 2
/** Committed bytes of this thread after its last collection. */
let keptBytes = 0

/**
 * Collects the garbage of the calling thread and shrinks its heap, if heap and buffers grew by
 * 16 MiB since the last call that did. Stops the thread for some 5 ms a MB of live objects. Throws
 * if this build of Node has no inspector.
 *
 * Uses the inspector's protocol, the one documented way. `gc()`, which a flag provides, stops the
 * thread half as long and leaves the heap as large as it was: a process with a million series then
 * kept 415 bytes a series, and 306 with this.
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

/** Runs a `GcTask` on the calling worker thread. */
export async function runGcTask(): Promise<null> {
  await collectIfGrown()
  return null
}

function committedBytes(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  return heap + buffers
}
