/**
 * Every limit of the system, with its reason. Defaults of settings that an operator can change end
 * in `Default`; the rest is fixed. The relations between limits are asserted below the section that
 * declares the later of them, when this file loads.
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
 * Finished answers not yet accepted by their connections, in bytes; half of it for one account. Two
 * weeks of five-minute values of 1,000 metrics, the largest common answer, have 60 MB.
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

/** A post of events is parsed on the main thread: 10 ms for one of this size. */
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

// — Queries —

export const pageSizeDefault = 10
export const pageSizeMax = 10_000
/** Nested groups of a filter: real queries use one level. */
export const groupDepthMax = 8
/** Items of all groups of a filter: a page of ids, the largest thing that one query returns. */
export const filterItemsMax = 10_000
/** A regular expression of a client; those of the public packages stay under 100. */
export const patternCharactersMax = 512
/**
 * Steps of a compiled regular expression, repetitions unrolled: the time for a text is at most its
 * length times this, which for the longest name (512) is a few milliseconds.
 */
export const patternStepsMax = 512
/** Regular expressions of one filter: each is tried on every name. */
export const patternsPerFilterMax = 64
/**
 * Characters on which one query may try regular expressions: 25 of them on a million names of 40
 * characters. An expression tries 5 to 400 million a second; beyond this a query is refused,
 * independent of the speed of the machine.
 */
export const testedCharactersMax = 1_000_000_000
/**
 * Texts for which the expressions of one query memoize their result, together: about 20 MB. Most
 * tag values occur again for each element; names of elements and metrics are tested only once.
 */
export const memoizedTextsPerQueryMax = 262_144
/** Time of one query, from its arrival to its answer, including waiting. */
export const queryTimeoutMsDefault = 10_000
/**
 * Waiting and running queries of one user. A page with 60 charts sends all of its queries together;
 * a larger number would only wait for its own queries.
 */
export const queriesPerUserMax = 64
/** The same for one tenant: four users with the maximum each. */
export const queriesPerTenantMax = 256
/**
 * The same in total: with bodies of 1 MiB, the maximum, they take 1 GiB; most have some 100 bytes.
 */
export const queriesMax = 1024
/**
 * A query that runs for longer is long. Two weeks of 1,000 elements take 170 to 350 ms, nearly all
 * other queries less; this is also about the time that others wait for a thread.
 */
export const longQueryMs = 300
/** The same for a user who has already used the query threads for `heavyUsageMs`. */
export const longQueryOfHeavyUserMs = 50
/** A page of 60 charts uses less; consecutive queries over two weeks reach it. */
export const heavyUsageMs = 2_000
/** Half-life of a user's measured usage of the query threads: a burst is soon ignored. */
export const usageHalfLifeMs = 30_000
/** Users whose usage of the query threads is tracked: some 200 bytes each. */
export const trackedUsersMax = 10_000
/** Metric documents in one answer, including those within elements: about 100 MB of JSON. */
export const listedMetricsMax = 250_000
/** Names or values in one list, such as an aggregation: about 60 MB of JSON. */
export const listedValuesMax = 1_000_000
/** Events read for the counts of one page of elements: half a second. */
export const eventsCountedMax = 100_000
/** Steps from an element in a graph of relations; a larger number means all. */
export const relationshipLevelsMax = 100
/** Elements in one graph of relations: a larger one is unreadable, and its JSON has 3 MB. */
export const relatedElementsMax = 10_000
/** Buckets in one aggregation across elements: two years of PT5M, 12 MB of JSON. */
export const aggregatedBucketsMax = 210_000
/** Events in one answer: about 15 MB of JSON. */
export const eventsPerAnswerMax = 10_000
/** Longest `duration` of a query (spec/statistics §1). */
export const durationMsMax = 14 * dayMs
/** Window of a query without one (spec/statistics §1). */
export const windowMsDefault = 3_600_000
/**
 * Raw samples a metric up to which ZERO percentiles are exact (spec/statistics §2): 32 KB to sort.
 */
export const exactSamplesMax = 4096
/** Series in one statistics answer: its JSON stays under 40 MB. */
export const statisticsSeriesMax = 100_000
/** Single values in one answer, `showValues` and samples together: about 100 MB of JSON. */
export const valuesPerAnswerMax = 5_000_000

assert(pageSizeDefault <= pageSizeMax, "Expected the default page under the largest")
assert(pageSizeMax <= filterItemsMax, "Expected a filter by all ids of the largest page")
assert(windowMsDefault <= durationMsMax, "Expected the default window under the longest")
assert(
  queriesPerUserMax <= queriesPerTenantMax && queriesPerTenantMax <= queriesMax,
  "Expected a user's queries within their tenant's, and those within all",
)
assert(longQueryOfHeavyUserMs <= longQueryMs, "Expected a heavy user's queries to be long earlier")

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

assert(exactBucketSamplesMax <= exactSamplesMax, "Expected one exact bucket to fit an exact window")
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

// — Accounts —

/** Their UUIDs are in 64 KiB that all threads share; one process is not meant for more. */
export const tenantsMax = 4096
/** Users of one account: lists of them are not paged. */
export const usersPerTenantMax = 1000
/** One for each datasource and some that are being replaced; all keys are in memory. */
export const keysPerTenantMax = 10_000
/** Settings that pages store for one user, as JSON: all users are in memory. */
export const userBytesMax = 64 * kib
/** Changes of users, tenants and keys that wait for each other; each takes a commit. */
export const accountChangesWaitingMax = 256
/** Maximum configurable rate of a key, a minute; beyond it no limit is needed. */
export const keyRateMax = 1_000_000_000

// — Sign-in (accounts/sign-in-throttle.ts) —

/** Correct credentials are accepted without a hash for this long after their last use: a day. */
export const credentialCacheMs = dayMs
/** Cached credentials, 300 bytes each: 3 MB. Others cost a hash. */
export const credentialCacheMax = 10_000
/** Passwords waiting for a hash: four seconds of one thread, longer than a person waits. */
export const hashesWaitingMax = 16
/**
 * A failed sign-in is answered no sooner: 40 guessing connections then cost 40 requests a second
 * instead of 8,000, and the hash of 0.24 s takes no longer than no hash for an unknown account.
 */
export const failedSignInMs = 1_000
/** Sign-ins that are being checked or delayed, in total; 20 kB each with their requests. */
export const pendingSignInsMax = 1_024
/** The same for one address, so that one address cannot exhaust the total. */
export const pendingSignInsPerAddressMax = 256
/** Addresses, accounts, and pairs of both with failures, each; 200 bytes an entry: 3 MB each. */
export const failureEntriesMax = 16_384
/** Failures expire this long after the last one: an hour. */
export const failureExpiryMs = 3_600_000
/** Failures of an account at an address before a delay: people mistype. */
export const freePairFailures = 3
/** The delay doubles from 1 s up to this: four guesses an hour. */
export const pairWaitMsMax = 900_000
/** Failures of an address before its hashes are spaced: an office shares one address. */
export const freeAddressFailures = 10
/** Maximum spacing of two hashes of one address: a correct sign-in waits twice that at most. */
export const addressSpacingMsMax = 1_000
/** Failures of an account from all addresses before its hashes are spaced. */
export const freeAccountFailures = 20
/** Maximum spacing of two hashes of one account: 17,000 guesses a day from all addresses. */
export const accountSpacingMsMax = 5_000
/** A sign-in that would start later than this is refused; a person waits no longer. */
export const signInWaitMsMax = 2_000
/**
 * Pairs of address and account with an earlier correct sign-in: the account's spacing does not
 * delay them.
 */
export const trustedPairsMax = 16_384

/** Login sessions of one user: browsers and phones; the oldest goes. */
export const loginSessionsPerUserMax = 50
/** All login sessions, 600 bytes each: 12 MB. */
export const loginSessionsMax = 20_000
/** A session ends when it was not used for a working day, and in any case after a day. */
export const sessionIdleMs = 8 * 3_600_000
export const sessionMaxMs = dayMs
/** The last use of a session is stored at most this often: a page asks several times a second. */
export const sessionUseStoredMs = 5 * 60_000
/** Enough to tell browsers apart. */
export const userAgentLengthMax = 200
/** Sign-in links that were not used yet: made by hand, an hour or a day each. */
export const signInLinksMax = 1_000
/** A link of the first start lasts a day, one that is asked for an hour. */
export const firstLinkMs = dayMs
export const signInLinkMs = 3_600_000

assert(
  pendingSignInsPerAddressMax <= pendingSignInsMax,
  "Expected the sign-ins of one address within the total",
)
assert(hashesWaitingMax <= pendingSignInsMax, "Expected each waiting hash to be a pending sign-in")
assert(freePairFailures <= freeAddressFailures, "Expected a pair to be delayed before its address")
assert(
  freeAddressFailures <= freeAccountFailures,
  "Expected one address to be delayed before an account is delayed for all",
)
assert(
  addressSpacingMsMax <= accountSpacingMsMax,
  "Expected an account, attacked from everywhere, to be spaced the most",
)

// — Security log (records/core/audit.ts) —

/** Entries of the security log are deleted after this. */
export const auditRetentionMs = 90 * dayMs
/** Refusals and failed sign-ins wait this long to be stored together: a commit a minute. */
export const auditFlushMs = 60_000
/** Distinct ones of a minute that get entries of their own; more are only counted. */
export const auditDistinctPerMinuteMax = 60
/** Changes and commands waiting to be stored, likewise; they wait for a second. */
export const auditWaitingMax = 1_000
/** Entries of a tenant, of changes and of all others each: 25 MB. */
export const auditEntriesMax = 100_000
/** Entries in one answer: 300 kB. */
export const auditPageMax = 1_000
/** A repeated sign-in of a user at an address is logged after a pause of this length: an hour. */
export const signInAuditIdleMs = 3_600_000
/** The same if the last entry is this old: a day. */
export const signInAuditIntervalMs = dayMs

assert(auditPageMax <= auditEntriesMax, "Expected one answer within what is kept")
assert(auditDistinctPerMinuteMax < auditWaitingMax, "Expected room for changes besides refusals")
assert(signInAuditIdleMs <= signInAuditIntervalMs, "Expected idle sign-ins to be logged earlier")

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
