/** Limits of search, trees of names, status of elements, bulk changes and saved views. */

import { assert } from "../assert.ts"
import { filterItemsMax } from "./queries.ts"

/** Characters that a search looks for: names have 512 at most, and people type fewer. */
export const searchCharactersMax = 200
/** Results of one kind in one answer, by default and at most: a screen shows 8 of each. */
export const searchResultsDefault = 8
export const searchResultsMax = 50
/**
 * Matches of one kind that are counted and ranked: 15 ms. Of a text with more matches, such as a
 * single letter, the count is a lower bound; equal names and prefixes are found nevertheless.
 */
export const searchMatchesMax = 25_000

/** Records whose names are kept for searches: some 300 bytes each, 15 MB. */
export const recordNamesMax = 50_000
/** Names and elements that one step of the warm-up adds to the index of a thread: some 30 ms. */
export const namesPerStepMax = 20_000
/** Pieces of text of the index that one such step builds: the same. */
export const textsPerStepMax = 64

/** Names of one level of a tree; a page shows some hundred, and 1,000 have 150 kB of JSON. */
export const treeNodesMax = 1_000

/** Elements whose status is listed: their columns have 6 MB of JSON. More are only counted. */
export const statusElementsMax = 50_000
/**
 * Age of the newest cycle with data from which on an element has no data: the three cycles that it
 * missed, and one that is being collected and flushed.
 */
export const noDataAfterMs = 20 * 60_000
/**
 * Metrics of which the writer is asked for the newest unflushed sample: 20 ms of its time. Of more,
 * as 20,000 elements with 100 metrics each have, it is asked for one metric of each element.
 */
export const newestSeriesMax = 250_000
/** Elements that are put in order by the values of a metric: half a second for a day. */
export const rankedElementsMax = 100_000
/** Older data is not looked for: the longest duration of a query. */
export const statusLookBackMs = 14 * 86_400_000

/** Ids of one bulk change: selected rows. Elements by a filter: as many as a map shows. */
export const bulkIdsMax = 1_000
export const bulkElementsMax = statusElementsMax
/** Elements whose failure one answer names; the others are counted. */
export const bulkFailuresMax = 1_000
/** Changes sent to the shard together: each is a synced commit, which they share. */
export const bulkEditsAtOnce = 100

/** Bulk changes of elements that run together: each reads all of its elements before. */
export const bulkChangesAtOnce = 4

/** Saved views of one account; a list has all of them. */
export const viewsMax = 1_000
/** Those of one user, so that one cannot take the room of all others. */
export const viewsPerUserMax = 200
/** The parameters of a page: addresses of this length work in every browser. */
export const viewQueryCharactersMax = 8_000
/** A name that fits a menu. */
export const viewNameCharactersMax = 200

assert(searchResultsDefault <= searchResultsMax, "Expected the default results under the most")
assert(searchResultsMax <= searchMatchesMax, "Expected room to rank every result")
assert(viewsPerUserMax < viewsMax, "Expected room for the views of several users")
assert(bulkIdsMax <= filterItemsMax, "Expected a filter by all ids of a bulk change")
