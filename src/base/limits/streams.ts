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
/**
 * Of `time`: a page that misses one says that the server does not answer. 1,000 streams take 22 ms
 * of each 5 s. It is also below the server's stall time-out and the minute of common proxies.
 */
export const streamTimeMs = 5_000
/** Of figures such as those of ingest: a person sees no more. */
export const streamFiguresMs = 1_000
/** Of raw points: two or three samples of an agent that posts each second. */
export const streamSeriesMs = 2_000
/** Series that one stream follows: ids of 200 fit the 16 KiB of the head of a request. */
export const followedSeriesMax = 200
/** Of all streams of an account, which are read together in some milliseconds. */
export const followedPerAccountMax = 2_000
/** Points of one message: 60 kB, a quarter of what may be unread. */
export const followedPointsMax = 2_000
/** Samples up to this far from now are sent to streams: agents gather some before they post. */
export const followedBackMs = 5 * 60_000

assert(streamsPerUserMax <= streamsMax, "Expected the streams of one user within all")
assert(followedSeriesMax <= followedPerAccountMax, "Expected one stream within an account")
assert(streamSeriesMs % streamFiguresMs === 0, "Expected points at a tick of figures")
assert(streamTimeMs % streamFiguresMs === 0, "Expected the time at a tick of figures")
assert(streamBurstMax <= streamRingMax, "Expected a burst within what is kept")
