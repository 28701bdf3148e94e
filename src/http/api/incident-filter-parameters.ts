/** Parameters of queries for incidents (spec/events §7). */

import { eventsPerAnswerMax } from "../../base/limits/queries.ts"
import { groupMembersMax, incidentGroupsMax } from "../../base/limits/records.ts"
import { eventLevels } from "../../model/records/event-level.ts"
import type { Span } from "../../model/span.ts"
import { QueryParameters, readWindow } from "../../query/query.ts"
import {
  incidentSortFields,
  type IncidentFilter,
  type IncidentListing,
} from "../../records/incidents/incident-filter.ts"
import {
  incidentGroupings,
  incidentGroupSorts,
  type GroupOptions,
} from "../../records/incidents/incident-groups.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { incidentFieldNames } from "../../wire/records/incident-document.ts"
import {
  flagValue,
  queryParameter,
  repeatedParameter,
  timeValue,
  wholeValue,
  wordValue,
} from "../shared/parameters.ts"
import type { Call, Parameter } from "../shared/route.ts"
import {
  orderParameter,
  readCount,
  readTruth,
  readLevels,
  readOrder,
  readPart,
  readMoment,
  totalParameter,
  withExample,
} from "./event-filter-parameters.ts"
import { bucketsParameter } from "./histogram-call.ts"

/** Incidents in a response without `limit`. */
const incidentsDefault = 100
const offsetMax = 1_000_000_000

/** Groups in a response without `limit`, and incidents in each without `members`. */
const groupsDefault = 100
const membersDefault = 8

const filterParameters: readonly Parameter[] = [
  queryParameter("policyId", "Id of a policy"),
  queryParameter("elementId", "Id or FQN of an element", { example: "web-1" }),
  queryParameter("elementName", "Part of an element's name, in either case", { example: "web" }),
  queryParameter("startDate", "Those that were open or fired since then", {
    value: timeValue,
    example: "2026-11-01",
  }),
  queryParameter("endDate", "Those that first fired before then", {
    value: timeValue,
    example: "2026-11-02",
  }),
  withExample("isClosed", flagValue(), "true: closed ones only; false: open ones only"),
  withExample("acked", flagValue(), "true: acknowledged ones only; false: the others only"),
  repeatedParameter("level", "Levels", { value: wordValue(eventLevels), example: "CRITICAL" }),
  queryParameter("q", "Part of the policy's or the element's name or of its FQN, in either case", {
    example: "web",
  }),
]

const listedParameters: readonly Parameter[] = [
  ...filterParameters,
  repeatedParameter("fields", "Fields of each incident; all if absent", {
    value: wordValue(incidentFieldNames),
    example: "elementName",
  }),
]

export const incidentParameters: readonly Parameter[] = [
  ...listedParameters,
  withExample(
    "sort",
    wordValue(incidentSortFields, "since"),
    "Another field than `since` lists open ones only: closed ones go by time alone",
  ),
  orderParameter,
  totalParameter,
  withExample("limit", wholeValue(0, eventsPerAnswerMax, incidentsDefault), "At most as many"),
  withExample("offset", wholeValue(0, offsetMax, 0), "As many are skipped"),
]

export const incidentGroupParameters: readonly Parameter[] = [
  ...listedParameters,
  withExample("by", wordValue(incidentGroupings, "policy"), "Incidents with the same are a group"),
  withExample(
    "sort",
    wordValue(incidentGroupSorts, "level"),
    "Groups of the highest level, with the most incidents or the most minutes first",
  ),
  withExample("limit", wholeValue(0, incidentGroupsMax, groupsDefault), "At most as many groups"),
  withExample(
    "members",
    wholeValue(0, groupMembersMax, membersDefault),
    "At most as many incidents of each group, the newest ones",
  ),
]

export const incidentHistogramParameters: readonly Parameter[] = [
  bucketsParameter,
  ...filterParameters,
]

/** Reads a call for a list. Throws `invalid` with all problems. */
export function readIncidentListing(call: Call): IncidentListing {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const filter = readFilter(params, problems)
  const sortBy = readWord(params, { name: "sort", words: incidentSortFields, problems })
  const isOpenOnly = sortBy !== "since"
  if (isOpenOnly && filter.isClosed === true) {
    problems.add(`sort: expected since with isClosed=true, got ${sortBy}`)
  }
  const listing = {
    ...filter,
    isClosed: isOpenOnly ? false : filter.isClosed,
    sortBy,
    isNewestFirst: readOrder(params, problems),
    needsTotal: params.flag("total"),
    limit:
      readCount(params, { name: "limit", max: eventsPerAnswerMax, problems }) ?? incidentsDefault,
    offset: readCount(params, { name: "offset", max: offsetMax, problems }) ?? 0,
  }
  problems.throwIfAny()
  return listing
}

/** Reads a call for groups. Throws `invalid` with all problems. */
export function readIncidentGroups(call: Call): {
  readonly filter: IncidentFilter
  readonly options: GroupOptions
} {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const filter = readFilter(params, problems)
  const limit = readCount(params, { name: "limit", max: incidentGroupsMax, problems })
  const members = readCount(params, { name: "members", max: groupMembersMax, problems })
  const by = readWord(params, { name: "by", words: incidentGroupings, problems })
  const sortBy = readWord(params, { name: "sort", words: incidentGroupSorts, problems })
  problems.throwIfAny()
  return {
    filter,
    options: { by, sortBy, limit: limit ?? groupsDefault, members: members ?? membersDefault },
  }
}

/** Reads a call for numbers by time, of the last hour by default. Throws `invalid` likewise. */
export function readIncidentHistogram(call: Call): {
  readonly filter: IncidentFilter
  readonly span: Span
} {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const filter = readFilter(params, problems)
  problems.throwIfAny()
  const time = (field: string) => ({ field, text: params.one(field) })
  const asked = { duration: undefined, start: time("startDate"), end: time("endDate") }
  const span = readWindow(asked, call.nowMs, problems)
  problems.throwIfAny()
  return { filter, span }
}

/** Names of the fields that each incident of an answer has; null for all. Throws `invalid`. */
export function readIncidentFields(call: Call): readonly string[] | null {
  const problems = new Problems()
  const named = new QueryParameters(call.query, problems).many("fields")
  for (const name of named) {
    if (incidentFieldNames.includes(name)) continue
    problems.add(`fields: expected fields of an incident, got ${shown(name)}`)
  }
  problems.throwIfAny()
  return named.length === 0 ? null : named
}

function readFilter(params: QueryParameters, problems: Problems): IncidentFilter {
  return {
    policyId: params.one("policyId") ?? null,
    element: params.one("elementId") ?? null,
    elementName: params.one("elementName") ?? null,
    startMs: readMoment(params, { name: "startDate", problems }),
    endMs: readMoment(params, { name: "endDate", problems }),
    isClosed: readTruth(params, "isClosed"),
    isAcked: readTruth(params, "acked"),
    levels: readLevels(params, { name: "level", problems }),
    text: readPart(params, problems),
  }
}

interface WordReading<Word> {
  readonly name: string
  /** The first one is the default. */
  readonly words: readonly Word[]
  readonly problems: Problems
}

function readWord<Word extends string>(
  params: QueryParameters,
  { name, words, problems }: WordReading<Word>,
): Word {
  const text = params.one(name)
  const found = words.find((word) => word === (text?.toLowerCase() ?? words[0]))
  if (found !== undefined) return found
  problems.add(`${name}: expected one of ${words.join(", ")}, got ${shown(text)}`)
  return words[0]!
}
