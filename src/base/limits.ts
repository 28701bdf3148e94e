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
/**
 * Finished answers that connections have not taken yet, in bytes; half of it for one account. Two
 * weeks of five-minute values of 1,000 metrics, the largest that is asked for, have 60 MB.
 */
export const answerBytesDefault = 256 * mib
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
/**
 * UTF-8 bytes of all text of one element, tags and attributes together, and of one metric's
 * definition: 256 tags of 256 bytes. Real elements stay under 8 KiB.
 */
export const entityTextBytesMax = 64 * kib
/** Error strings in one answer; the last one tells how many more there were (spec/ingest §8). */
export const errorStringsMax = 20

// — Events and checks —

/** A post of events is parsed on the main thread: 10 ms for one of this size. */
export const eventBodyBytesMax = mib
/** Events, closed incidents and deleted policies go after this: the age of PT5M buckets. */
export const eventRetentionMs = 90 * dayMs
/** A check that is posted less often than once a month guards nothing. */
export const checkTtlSecondsMax = 31 * 86_400
/** Of a tenant: all are in memory, 500 bytes each, and are looked at each second. */
export const checksMax = 10_000
/** Of a tenant: 100 a second, which the shard stores beside its samples in 2 % of its time. */
export const eventsPerMinuteDefault = 6_000
/** Names of checks stand in keys of the store beside an element's. */
export const checkNameCharactersMax = 256

// — What a tenant may bring to be known —

/** 400 bytes of memory a series: 400 MB. Elements and definitions have the same bound. */
export const seriesDefault = 1_000_000
/** UTF-8 bytes of text of a tenant: 512 a series of a full tenant; that much memory, and disk. */
export const textBytesDefault = 512 * mib
/** A minute: a whole fleet may come at once. A lower one slows a collector that invents names. */
export const newSeriesPerMinuteDefault = 1_000_000

// — Queries —

export const pageSizeDefault = 10
export const pageSizeMax = 10_000
/** Groups within groups of a filter: real queries use one level. */
export const groupDepthMax = 8
/** Items of all groups of a filter: a page of ids, the largest thing that one query returns. */
export const filterItemsMax = 10_000
/** A regular expression from outside; those of the public packages stay under 100. */
export const patternCharactersMax = 512
/**
 * Steps that a regular expression compiles to, repetitions unrolled: time for a text is at most its
 * length times this, which for the longest name (512) is a few milliseconds.
 */
export const patternStepsMax = 512
/** Regular expressions of one filter: each is tried on every name. */
export const patternsPerFilterMax = 64
/**
 * Characters on which one question may try regular expressions: 25 of them on a million names of 40
 * characters. An expression tries 5 to 400 million a second; beyond this a question is refused
 * however fast the machine is.
 */
export const testedCharactersMax = 1_000_000_000
/**
 * Texts whose answer the expressions of one question remember, together: about 20 MB. Most values
 * of tags come again for each element; names of elements and metrics are looked at once anyway.
 */
export const memoizedTextsMax = 262_144
/** Time of one question, from its arrival to its answer, waiting included. */
export const queryTimeoutMsDefault = 10_000
/**
 * Questions of one user that wait or are answered. A page with 60 charts asks for all of them at
 * once; more would only wait for its own.
 */
export const queriesPerUserMax = 64
/** Likewise of one tenant: four users of the largest kind. */
export const queriesPerTenantMax = 256
/** Likewise in all: with bodies of 1 MiB, the largest, they hold 1 GiB; most have some 100 bytes. */
export const queriesMax = 1024
/**
 * A question that runs for longer is long. Two weeks of 1,000 elements take 170 to 350 ms, nearly
 * all others less; and whoever waits for a thread waits about this long.
 */
export const longQueryMs = 300
/** The same for a user who has used the query threads for `heavyUsageMs` already. */
export const longQueryOfHeavyUserMs = 50
/** A page of 60 charts uses less; with one question of two weeks after the other it is reached. */
export const heavyUsageMs = 2_000
/** How soon what a user took of the query threads counts half: fair turns forget a burst. */
export const usageHalfLifeMs = 30_000
/** Users whose use of the query threads is remembered: some 200 bytes each. */
export const trackedUsersMax = 10_000
/** Metric documents in one answer, those inside of elements too: about 100 MB of JSON. */
export const listedMetricsMax = 250_000
/** Names or values in one list, such as an aggregation: about 60 MB of JSON. */
export const listedValuesMax = 1_000_000
/** Events that are looked through for the counts of one page of elements: half a second. */
export const eventsCountedMax = 100_000
/** Steps from an element in a graph of relations; who asks for more means all. */
export const relationshipLevelsMax = 100
/** Elements in one graph of relations: nobody reads a larger one, and its JSON is 3 MB. */
export const relatedElementsMax = 10_000
/** Buckets in one aggregation across elements: two years of PT5M, 12 MB of JSON. */
export const aggregatedBucketsMax = 210_000
/** Events in one answer: about 15 MB of JSON. */
export const eventsPerAnswerMax = 10_000
/** Longest `duration` of a query (spec/statistics §1). */
export const durationMsMax = 14 * dayMs
/** Window of a query that names none (spec/statistics §1). */
export const windowMsDefault = 3_600_000
/**
 * Raw samples a metric up to which ZERO percentiles are exact (spec/statistics §2): 32 KB to sort.
 */
export const exactSamplesMax = 4096
/** Series in one statistics answer: its JSON stays under 40 MB. */
export const statisticsSeriesMax = 100_000
/** Single values in one answer, `showValues` and samples together: about 100 MB of JSON. */
export const valuesPerAnswerMax = 5_000_000

// — Analytic configurations —

/** Of one expression of a computed metric; the longest of the public packages has 560. */
export const formulaCharactersMax = 4096
/** Brackets, choices and signs within one another: people use five. */
export const formulaDepthMax = 64
/** Parts of one expression: each is worked out once a cycle and element. */
export const formulaNodesMax = 1024
/** Entries of one configuration; those of the public packages stay under 60. */
export const entriesPerConfigurationMax = 1000
/** Expressions of one computed metric, tried in turn; people write two. */
export const expressionsPerEntryMax = 16
/** Analytic configurations of one tenant: packages bring three to twenty each. */
export const configurationsPerTenantMax = 2000
/** Computed metrics of one element: as many as a large element has metrics of its own. */
export const computedPerElementMax = 1000

// — Arithmetic and store —

/**
 * Raw values up to which a PT5M bucket's percentiles are exact; a digest beyond (design: digests).
 */
export const exactBucketSamplesMax = 512
/** Series of one block: one read serves 256 elements, and a slot fits a byte. */
export const seriesPerBlock = 256
/**
 * Raw samples of one block in six hours from which on it is crowded. A seal holds them in memory
 * twice, 40 bytes each: 170 MB. All 256 series of a block may send two samples in three seconds;
 * without a limit five series in a loop had taken 500 MB more within 90 s.
 */
export const sampleLimitBlockSamples = 4 * 1024 * 1024
/** What each series of a crowded block may still bring of a cycle: a sample a second, and more. */
export const sampleLimitSeriesSamples = 512

/**
 * Samples that are not rolled up yet, as bytes of the journal; beyond it ingest answers 503. A fold
 * begins at 26 MB, so this much waits only if folds fail, or ingest outruns them for minutes. The
 * memory holds it too: 17 million samples.
 */
export const unflushedBytesMax = 512 * mib
/** Failures of a background job in a row after which the server says that it is not ready. */
export const jobFailuresMax = 3

// — Accounts —

/** Their UUIDs lie in 64 KiB that all threads share; one process is not meant for more. */
export const tenantsMax = 4096
/** People of one account: lists of them are answered whole. */
export const usersPerTenantMax = 1000
/** One a datasource and some that are being replaced; all keys are in memory. */
export const keysPerTenantMax = 10_000
/** What pages remember about their looks for one user, as JSON: all users are in memory. */
export const userBytesMax = 64 * kib
/** Changes of users, tenants and keys that wait for one another; each takes a commit. */
export const accountChangesWaitingMax = 256
/** Highest rate of a key that can be set, in a minute; beyond it none is needed. */
export const keyRateMax = 1_000_000_000

// — Sign-in (accounts/sign-in-throttle.ts) —

/** Right credentials are known again for so long after their last use, without a hash: a day. */
export const credentialCacheMs = dayMs
/** Remembered credentials, 300 bytes each: 3 MB. One that is not remembered costs a hash. */
export const credentialCacheMax = 10_000
/** Passwords that wait for a hash: four seconds of one thread, longer than a person waits. */
export const hashesWaitingMax = 16
/**
 * A failed sign-in is answered no sooner: 40 connections that guess then cost 40 requests a second
 * and not 8,000, and a hash of 0.24 s takes no longer than no hash for an account that is unknown.
 */
export const failedSignInMs = 1_000
/** Sign-ins that are being checked or held back, in all; 20 kB each with their requests. */
export const pendingSignInsMax = 1_024
/** Likewise of one address, so that one address cannot take the places of all. */
export const pendingSignInsPerAddressMax = 256
/** Addresses, accounts, and pairs of both with failures, each; 200 bytes an entry: 3 MB each. */
export const failureEntriesMax = 16_384
/** Failures are forgotten so long after the last one: an hour. */
export const failureExpiryMs = 3_600_000
/** Failures of an account at an address before a wait: people mistype. */
export const freePairFailures = 3
/** The wait doubles from 1 s up to this: four guesses an hour. */
export const pairWaitMsMax = 900_000
/** Failures of an address before its hashes are spaced: an office behind one address. */
export const freeAddressFailures = 10
/** Longest space between two hashes of one address: a right login waits twice that at most. */
export const addressSpacingMsMax = 1_000
/** Failures of an account from all addresses before its hashes are spaced. */
export const freeAccountFailures = 20
/** Longest space between two hashes of one account: 17,000 guesses a day from all addresses. */
export const accountSpacingMsMax = 5_000
/** A sign-in that would begin later than this is refused; a person waits no longer. */
export const signInWaitMsMax = 2_000
/** Pairs of address and account that were right before: spaces of the account do not hold them. */
export const trustedPairsMax = 16_384

// — Security log (records/core/audit.ts) —

/** Entries of the security log go after this. */
export const auditRetentionMs = 90 * dayMs
/** Refusals and failed logins wait so long to be stored with others: a commit a minute. */
export const auditFlushMs = 60_000
/** Different ones of a minute that are entries of their own; beyond, they are counted. */
export const auditDistinctPerMinuteMax = 60
/** Changes and commands that wait to be stored, likewise; they wait for a second. */
export const auditWaitingMax = 1_000
/** Entries of a tenant, of changes and of the rest each: 25 MB. */
export const auditEntriesMax = 100_000
/** Entries in one answer: 300 kB. */
export const auditPageMax = 1_000
/** A user who signs in again at an address is an entry after so long without: an hour. */
export const signInAuditIdleMs = 3_600_000
/** Likewise if the last entry is so old: a day. */
export const signInAuditIntervalMs = dayMs

// — Disk —

/**
 * Free space below which no samples are taken. What is open must still be folded and sealed: a fold
 * of 2 M samples writes 100 MB at most, and the journal keeps 64.
 */
export const freeDiskBytesMinDefault = 256 * mib
/** Of a small disk no larger share shall lie idle: a twentieth. */
export const freeDiskShareDivisor = 20

/** Of the store's file, read once after a start: 70 million sealed samples. 63 MiB took 0.15 s. */
export const prefetchBytesMax = 256 * mib
/** Of the memory that is free then: what is read ahead must not drive out what others need. */
export const prefetchShareDivisor = 4

// — Cycles —

/** A day of cycles to catch up with takes a large store half an hour. */
export const missedCyclesMax = 288

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
assert(
  fqnCharactersMax + 4 * checkNameCharactersMax + 64 <= 1978,
  "Expected an element and a check's name in UTF-8 to fit one LMDB key",
)
assert(errorStringsMax >= 2, "Expected room for one error and the count of the rest")
