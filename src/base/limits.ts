/**
 * Limits of the system that several parts share, with their reasons; those of queries and of
 * accounts are in `limits/`. Defaults of settings that an operator can change end in `Default`; the
 * rest is fixed. The relations between limits are asserted below the section that declares the
 * later of them, when the file loads.
 */

import { assert } from "./assert.ts"

const kib = 1024
const mib = 1024 * kib
const dayMs = 86_400_000
/** LMDB's limit of a key, with pages of 4 KiB. */
const lmdbKeyBytesMax = 1978

// — Request bodies and the way to the shard —

/**
 * After decompression. Bulk clients post about 1 MB; this leaves a margin and bounds the memory.
 */
export const bodyBytesDefault = 16 * mib
/** Offsets of bodies are 32-bit integers, and a body is kept in one piece. */
export const bodyBytesCeiling = 1024 * mib
/** Bodies waiting for the shard, in bytes: measured, a tenth of a second of bulk posts. */
export const queueBytesDefault = 64 * mib
/**
 * Answers not yet accepted by their connections, in bytes, with the values and texts of those in
 * work; half of it for one account. Two weeks of five-minute values of 1,000 metrics, the largest
 * common answer, have 60 MB, and 64 MB as values.
 */
export const answerBytesDefault = 256 * mib
/**
 * Bodies packed into one task. A larger body is a task of its own. Beyond this, packing gains
 * nothing.
 */
export const batchBytesMax = 4 * mib
/** A group commit of more requests would only delay the answers of all of them. */
export const requestsPerBatchMax = 1024
/** One is being committed while the next is being scanned. */
export const batchesInFlightMax = 2
/** A collector sends its headers immediately; a slower client only occupies a socket. */
export const headersTimeoutMs = 10_000
/** 16 MiB in this time need 4.5 Mbit/s. */
export const bodyTimeoutMs = 30_000

assert(bodyBytesDefault <= bodyBytesCeiling, "Expected the default body under the ceiling")
assert(bodyBytesCeiling < 2 ** 31, "Expected body offsets to fit 32-bit integers")
assert(
  bodyBytesDefault + batchesInFlightMax * batchBytesMax <= queueBytesDefault,
  "Expected room in the queue for the largest body besides the batches in flight",
)

// — Contents of one request —

/** Nesting of JSON. The deepest accepted document, an event with data, stays under ten. */
export const jsonDepthMax = 32
/** The smallest useful element takes 200 bytes, so a default body holds fewer. */
export const elementsPerRequestMax = 100_000
/** Element and metric names after cleaning; also keeps keys under LMDB's limit. */
export const fqnCharactersMax = 512
/** Display names, locations, units, types, names and values of tags and attributes. */
export const textCharactersMax = 4096
/** Tags, attributes or relations of one element or metric, each. */
export const tagsPerEntityMax = 256
/**
 * UTF-8 bytes of all text of one element, tags and attributes together, and of one metric's
 * definition: 256 tags of 256 bytes. Real elements stay under 8 KiB.
 */
export const entityTextBytesMax = 64 * kib
/** Error strings in one answer; the last one counts the omitted ones (spec/ingest §8). */
export const errorStringsMax = 20

assert(2 * fqnCharactersMax + 64 <= lmdbKeyBytesMax, "Expected two names and ids to fit one key")
assert(errorStringsMax >= 2, "Expected room for one error and the count of the rest")

// — Events and checks —

/**
 * A post of events is parsed on the main thread: 10 ms for one of this size. Those of collectd come
 * from the shard's thread, and take the main thread as long to store.
 */
export const eventBodyBytesMax = mib
/**
 * Events, closed incidents and deleted policies are deleted after this: the retention of PT5M
 * buckets.
 */
export const eventRetentionMs = 90 * dayMs
/** A check posted less often than once a month protects nothing. */
export const checkTtlSecondsMax = 31 * 86_400
/** For each tenant: all are in memory, 500 bytes each, and are checked each second. */
export const checksMax = 10_000
/** A check that expired before this is forgotten: its events are gone, too. */
export const checkRetentionMs = eventRetentionMs
/**
 * For each tenant: 100 a second, which the shard stores in 2 % of its time, in addition to samples.
 */
export const eventsPerMinuteDefault = 6_000
/** Names of checks are part of keys of the store, together with an element's. */
export const checkNameCharactersMax = 256

assert(eventBodyBytesMax <= bodyBytesDefault, "Expected a body of events under the default body")
assert(
  fqnCharactersMax + 4 * checkNameCharactersMax + 64 <= lmdbKeyBytesMax,
  "Expected an element and a check's name in UTF-8 to fit one key",
)

// — Growth of the catalogue —

/** 400 bytes of memory a series: 400 MB. Elements and definitions have the same bound. */
export const seriesDefault = 1_000_000
/** UTF-8 bytes of text of a tenant: 512 a series of a full tenant; that much memory, and disk. */
export const textBytesDefault = 512 * mib
/**
 * A minute: a whole fleet may appear within one. A lower limit slows a collector that invents
 * names.
 */
export const newSeriesPerMinuteDefault = 1_000_000

assert(
  seriesDefault * 512 <= textBytesDefault,
  "Expected the text of a full tenant under its bound",
)

// — Analytic configurations —

/** Of one expression of a computed metric; the longest of the public packages has 560. */
export const formulaCharactersMax = 4096
/** Nested brackets, choices and signs: people use five. */
export const formulaDepthMax = 64
/** Nodes of one expression: each is evaluated once a cycle and element. */
export const formulaNodesMax = 1024
/** Entries of one configuration; those of the public packages stay under 60. */
export const entriesPerConfigurationMax = 1000
/** Expressions of one computed metric, tried in turn; people write two. */
export const expressionsPerEntryMax = 16

/** Computed metrics of one element: the number of metrics of a large element. */
export const computedPerElementMax = 1000

assert(formulaDepthMax <= formulaNodesMax, "Expected the deepest expression within the largest")

// — Arithmetic and store —

/** Raw values up to which the percentiles of a PT5M bucket are exact; a digest beyond. */
export const exactBucketSamplesMax = 512
/** Series of one partition of a catalogue: one read serves 256 elements, an index fits a byte. */
export const partitionSeriesMax = 256
/** The embedded store keeps a partition as one block. */
export const seriesPerBlock = partitionSeriesMax
/**
 * Raw samples of one block in six hours from which on the sample limit applies. A compaction keeps
 * them in memory twice, 40 bytes each: 170 MB. All 256 series of a block may send two samples in
 * three seconds; without a limit, five series posted in a loop took 500 MB more within 90 s.
 */
export const sampleLimitPartitionSamples = 4 * 1024 * 1024
/** Samples of a cycle that each series may then have: more than one a second. */
export const sampleLimitSeriesSamples = 512

/**
 * Unflushed samples, as bytes of the WAL; beyond it ingest answers 503. A flush starts at 26 MB, so
 * this much is only reached if flushes fail, or ingest is faster than them for minutes. The samples
 * are in memory as well: 17 million.
 */
export const unflushedBytesMax = 512 * mib
/** Consecutive failures of a background job after which the server reports that it is not ready. */
export const jobFailuresMax = 3

assert(seriesPerBlock === 256, "Expected slots that fit a byte exactly")
assert(
  sampleLimitSeriesSamples * seriesPerBlock <= sampleLimitPartitionSamples,
  "Expected a cycle of limited series within the samples of a block",
)

// — Export and import —

/** Characters of one line of an imported file: a JSON line of 1,000 samples has 70,000. */
export const importLineCharactersMax = 16 * mib
/** Rows of a row group, all of which are in memory: 500 MB at most; writers make 100,000 to 1 M. */
export const parquetGroupRowsMax = 4 * mib
/** Label sets of a file that are remembered with their series: 1 kB each; then all are forgotten. */
export const importLabelSetsMax = 100_000

// — Disk —

/**
 * Free space below which samples are refused. Unflushed samples must still be flushed and
 * compacted: a flush of 2 M samples writes 100 MB at most, and the WAL keeps 64.
 */
export const freeDiskBytesMinDefault = 256 * mib
/** The minimum is at most a twentieth of a small disk. */
export const freeDiskShareDivisor = 20

/**
 * Backups that a vault keeps: hourly ones of two months. Each backup reads the manifests of all, of
 * 67 bytes a chunk.
 */
export const backupKeepMax = 1500

/**
 * Bytes of the store's file that are read once after a start: 70 million compacted samples. 63 MiB
 * took 0.15 s.
 */
export const prefetchBytesMax = 256 * mib
/** Divisor of the memory free at that time: the prefetch must not evict what others need. */
export const prefetchShareDivisor = 4

// — Cycles —

/** Catching up with a day of cycles takes a large store half an hour. */
export const missedCyclesMax = 288

// — Process —

/** Memory under which the least sizes of all parts do not fit (config/memory-plan.ts). */
export const memoryBytesMin = 448 * mib

/** Query threads; each has a catalogue replica of about 100 bytes a series. */
export const workersMax = 64

// — Configuration —

/** A configuration file with all comments of the template has 20 kB, a chain of certificates 10. */
export const smallFileBytesMax = mib

// — Health check (command/health/health.ts) —

/** Without a sign of the server; below the ten seconds after which most supervisors give up. */
export const healthTimeoutMs = 5000
/** An answer has a sentence for each of a few reasons. */
export const healthBytesMax = 64 * kib
