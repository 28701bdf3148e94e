/** Limits of POST `/series/query`, each with its reason (queries.ts has those of all others). */

import { assert } from "../assert.ts"
import { aggregatedBucketsMax, queryTimeoutMsDefault, valuesPerAnswerMax } from "./queries.ts"

/** Queries of one request: a dashboard shows up to 60 widgets. */
export const seriesQueriesMax = 64
/** Columns of one series: the widest screens have fewer pixels. */
export const seriesColumnsMax = 4096
/** Columns of a request that names no width: a chart of half a screen. */
export const seriesColumnsDefault = 800
/** Series that one query may name, or show; a chart of more lines is unreadable. */
export const seriesShownMax = 1000
/** Series shown of a filter if the query says nothing else. */
export const seriesShownDefault = 20
/** Series that one query may match: the best of them are found in about a second. */
export const seriesMatchedMax = 100_000
/** Lines of a query with percentiles, which sort every raw sample: 50 × 15 days of one in 10 s. */
export const percentileSeriesMax = 50
/**
 * Buckets a column at most if the resolution is chosen by the server: four values give a column its
 * least, its greatest and its mean, and more would only take longer.
 */
export const bucketsPerColumnMax = 4
/** Longest window of raw samples that the server chooses: 2,160 values of a series at 10 s. */
export const rawWindowMsMax = 6 * 3_600_000
/**
 * Buckets of one series: 113 days of PT5M. A block of 256 series has 16 bytes of working memory for
 * each: 134 MB.
 */
export const seriesBucketsMax = 32_768
/** Accumulators of the groups that are read together, 36 bytes each: 36 MB. */
export const groupedBucketsMax = 1_000_000
/** Series that are read together, after which the time is looked at: about 30 ms. */
export const seriesPerReadMax = 4096
/**
 * Time of reading after which the rest is left out: two seconds below the time limit of a query, so
 * that what was read is printed within it.
 */
export const seriesReadMsMax = 8_000
/** Time of finding the first lines of an order, after which the best of those read are shown. */
export const seriesOrderMsMax = 6_000
/** Longest shift back: longer than anything is retained. */
export const shiftMsMax = 10 * 365 * 86_400_000

assert(seriesReadMsMax < queryTimeoutMsDefault, "Expected time to print what was read")
assert(seriesOrderMsMax < seriesReadMsMax, "Expected time to read the lines that are shown")
assert(seriesShownDefault <= seriesShownMax, "Expected the default under the largest number")
assert(
  seriesColumnsMax * bucketsPerColumnMax <= seriesBucketsMax,
  "Expected the buckets of the widest chart to be read",
)
assert(seriesBucketsMax <= aggregatedBucketsMax, "Expected groups no longer than aggregations")
assert(seriesBucketsMax <= groupedBucketsMax, "Expected room for the longest group")
assert(
  seriesColumnsMax * 3 <= valuesPerAnswerMax,
  "Expected the default fields of a series in one answer",
)
