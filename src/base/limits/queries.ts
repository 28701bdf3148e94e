/** Limits of queries and their answers, with their reasons. */

import { assert } from "../assert.ts"
import { exactBucketSamplesMax } from "../limits.ts"

const dayMs = 86_400_000

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
/** Cycles of elements in one replay of a policy, a second of work: 2,480 elements over two weeks. */
export const replayElementCyclesMax = 10_000_000
/** Values in one replay: four metrics for each of these cycles. */
export const replayValuesMax = 40_000_000
/** Values that a replay holds at a time: 8 MB, 16 of bands and 8 without gap fills. */
export const replayStepValuesMax = 1_048_576
/** Elements that the body of a replay names: a page of a list. */
export const replayElementsNamedMax = 1_000
/** Elements and incidents in the answer of a replay: more than a page shows. */
export const replayElementsListedMax = 50
export const replayIncidentsListedMax = 500
/** Metrics of conditions with their values in one answer: 80,000 numbers each over two weeks. */
export const replayMetricsListedMax = 20

assert(replayStepValuesMax <= replayValuesMax, "Expected a step of a replay within the whole")
assert(pageSizeDefault <= pageSizeMax, "Expected the default page under the largest")
assert(pageSizeMax <= filterItemsMax, "Expected a filter by all ids of the largest page")
assert(windowMsDefault <= durationMsMax, "Expected the default window under the longest")
assert(
  queriesPerUserMax <= queriesPerTenantMax && queriesPerTenantMax <= queriesMax,
  "Expected a user's queries within their tenant's, and those within all",
)
assert(longQueryOfHeavyUserMs <= longQueryMs, "Expected a heavy user's queries to be long earlier")
assert(exactBucketSamplesMax <= exactSamplesMax, "Expected one exact bucket to fit an exact window")
