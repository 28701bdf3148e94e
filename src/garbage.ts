/**
 * How often the garbage of the process is collected. A collection of the old generation marks what
 * lives: 10 to 40 ms on one core. At 3,000 requests a second V8, which lets a heap of 13 MB grow
 * to 25, collected twice a second, and the 99th percentile of answers was those collections: 41 ms,
 * against 18 when the heap may grow to five times what lives. Flags hold for all threads, and the
 * catalogue of a large store is hundreds of MB in each: there V8 decides by itself.
 */

import { setFlagsFromString } from "node:v8"

/** A catalogue of so many series takes some 40 MB of heap a thread: five times that may be. */
const smallStoreSeries = 200_000
const growingPercent = 400

const lookEveryMs = 60_000

/** Looks now and then how large the store is; the answer stops that. */
export function watchGarbage(seriesCount: () => Promise<number>): () => void {
  const look = (): void => {
    // A shard that does not answer is told of elsewhere; here the last choice stays.
    seriesCount().then(collectSeldom, () => undefined)
  }
  look()
  const timer = setInterval(look, lookEveryMs).unref()
  return () => clearInterval(timer)
}

/** The next collection of each thread heeds it. */
function collectSeldom(seriesCount: number): void {
  const percent = seriesCount <= smallStoreSeries ? growingPercent : 0
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
