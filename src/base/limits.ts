/**
 * Every bound of the system, with its reason. Defaults of settings that an operator may change end
 * in `Default`; the rest is fixed. Their relations are asserted below, when this file loads.
 */

import { assert } from "./assert.ts"

const kib = 1024
const mib = 1024 * kib
const dayMs = 86_400_000

// — Request bodies and the way to the shard —

/**
 * After decompression. Bulk senders post about 1 MB; this leaves room without holding much memory.
 */
export const bodyBytesDefault = 16 * mib
/** Offsets of bodies travel in 32-bit integers, and one body is held in one piece. */
export const bodyBytesCeiling = 1024 * mib
/** Bodies that wait for the shard, in bytes: a tenth of a second of bulk posts, as measured. */
export const queueBytesDefault = 64 * mib
/** Bodies packed into one task. A larger body travels alone. Beyond this, packing gains nothing. */
export const batchBytesMax = 4 * mib
/** A group commit of more requests would only make each of them wait longer for its answer. */
export const requestsPerBatchMax = 1024
/** One is being committed while the next is being scanned. */
export const batchesInFlightMax = 2
/** A collector sends its headers at once; whoever takes longer holds a socket for nothing. */
export const headersTimeoutMs = 10_000
/** 16 MiB in this time need 4.5 Mbit/s. */
export const bodyTimeoutMs = 30_000

// — What one request may hold —

/** Nesting of JSON. The deepest accepted document, an event with data, stays under ten. */
export const jsonDepthMax = 32
/** The smallest useful element takes 200 bytes, so a default body holds fewer. */
export const elementsPerRequestMax = 100_000
/** Element and metric names after cleaning; also keeps keys under LMDB's 1,978 bytes. */
export const fqnCharactersMax = 512
/** Display names, locations, units, types, names and values of tags and attributes. */
export const textCharactersMax = 4096
/** Tags, attributes or relations of one element or metric, each. */
export const tagsPerEntityMax = 256
/** Error strings in one answer; the last one tells how many more there were (decisions §1). */
export const errorStringsMax = 20

// — What a tenant may bring to be known —

/** 400 bytes of memory a series: 400 MB. Elements and definitions have the same bound. */
export const seriesDefault = 1_000_000
/** A minute: a whole fleet may come at once. A lower one slows a collector that invents names. */
export const newSeriesPerMinuteDefault = 1_000_000

// — Queries —

export const pageSizeDefault = 10
export const pageSizeMax = 10_000
/** Longest `duration` of a query (decisions §5). */
export const durationMsMax = 14 * dayMs
/** Window of a query that names none (decisions §5). */
export const windowMsDefault = 3_600_000
/** Raw samples a metric up to which ZERO percentiles are exact (decisions §5): 32 KB to sort. */
export const exactSamplesMax = 4096
/** Series in one statistics answer: its JSON stays under 40 MB. */
export const statisticsSeriesMax = 100_000
/** Single values in one answer, `showValues` and samples together: about 100 MB of JSON. */
export const valuesPerAnswerMax = 5_000_000

// — Arithmetic and store —

/**
 * Raw values up to which a PT5M bucket's percentiles are exact; a digest beyond (design: digests).
 */
export const exactBucketSamplesMax = 512
/** Series of one block: one read serves 256 elements, and a slot fits a byte. */
export const seriesPerBlock = 256

// — Disk —

/**
 * Free space below which no samples are taken. What is open must still be folded and sealed: a fold
 * of 2 M samples writes 100 MB at most, and the journal keeps 64.
 */
export const diskFloorBytesDefault = 256 * mib
/** Of a small disk no larger share shall lie idle. */
export const diskFloorShareMax = 1 / 20

// — Process —

/** Query threads; each holds a catalogue replica of about 100 bytes a series. */
export const workersMax = 64

assert(bodyBytesDefault <= bodyBytesCeiling, "Expected the default body under the ceiling")
assert(bodyBytesCeiling < 2 ** 31, "Expected body offsets to fit 32-bit integers")
assert(
  bodyBytesDefault + batchesInFlightMax * batchBytesMax <= queueBytesDefault,
  "Expected room in the queue for the largest body beside the batches in flight",
)
assert(pageSizeDefault <= pageSizeMax, "Expected the default page under the largest")
assert(windowMsDefault <= durationMsMax, "Expected the default window under the longest")
assert(exactBucketSamplesMax <= exactSamplesMax, "Expected one exact bucket to fit an exact window")
assert(seriesPerBlock === 256, "Expected slots that fit a byte exactly")
assert(2 * fqnCharactersMax + 64 <= 1978, "Expected two names and ids to fit one LMDB key")
assert(errorStringsMax >= 2, "Expected room for one error and the count of the rest")
