/** Limits of lists of incidents and events, and of what people write to them, with reasons. */

import { assert } from "../assert.ts"
import { eventsPerAnswerMax, queryTimeoutMsDefault } from "./queries.ts"

/** Incidents or events that one list looks at for its total: half a second of the shard's thread. */
export const countedRecordsMax = 100_000
/** Time for which a list looks for records that match, after which it answers what it found. */
export const recordsReadMsMax = 2_000
/** Columns of a histogram: one each three pixels of a wide screen. */
export const histogramBucketsMax = 400
export const histogramBucketsDefault = 60
/** Incidents of one bulk change: ten screens; they are one transaction. */
export const bulkIncidentsMax = 1_000
/** Groups of incidents in one answer: four screens; the rest is counted. */
export const incidentGroupsMax = 200
/** Incidents that an answer lists of each group: more than a row has room for. */
export const groupMembersMax = 20
/** Messages about an incident that it keeps: those of 20 notifications, or of 20 repetitions. */
export const incidentMessagesMax = 20
/** Characters of a note to an incident or of the message of an annotation: a page of text. */
export const noteCharactersMax = 4_000
/** Characters of an annotation's title, which charts show in one line. */
export const annotationTitleMax = 200

assert(eventsPerAnswerMax <= countedRecordsMax, "Expected a full answer within what is counted")
assert(recordsReadMsMax < queryTimeoutMsDefault, "Expected a list to end as early as a query")
