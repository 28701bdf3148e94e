/** Limits of `GET /stream` and of the figures of ingest for pages, each with its reason. */

import { assert } from "../assert.ts"

const kib = 1024

/** Seconds of which samples are counted one by one: agents post every minute. */
export const activitySeconds = 61

/** Streams in total: each holds a socket of the 10,000 and its unread bytes. */
export const streamsMax = 1_000
/** One a visible tab; a person has some browsers, with tabs in several windows. */
export const streamsPerUserMax = 20
/** Unread bytes of one stream, after which it is closed: 500 events. All together 256 MB at most. */
export const streamUnreadBytesMax = 256 * kib
/** Messages of one account that a stream may catch up with: an hour of a busy one, 400 kB. */
export const streamRingMax = 1_000
/** An account's messages are kept for this long after its last stream: a laptop that slept. */
export const streamRingIdleMs = 10 * 60_000
/** Changes of one moment that are sent one by one; more become one `reset`. */
export const streamBurstMax = 100
/** Of `time`: half of the server's stall time-out, and below the minute of common proxies. */
export const streamTimeMs = 15_000
/** Of figures such as those of ingest: a person sees no more. */
export const streamFiguresMs = 1_000

assert(streamsPerUserMax <= streamsMax, "Expected the streams of one user within all")
assert(streamBurstMax <= streamRingMax, "Expected a burst within what is kept")
