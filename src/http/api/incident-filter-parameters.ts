/** Parameters of queries for incidents (spec/events §7). */

import { eventsPerAnswerMax } from "../../base/limits/queries.ts"
import { eventLevels } from "../../model/records/event-level.ts"
import { QueryParameters } from "../../query/query.ts"
import type { IncidentFilter } from "../../records/incidents/incidents.ts"
import { Problems } from "../../wire/problems.ts"
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

/** Incidents in a response without `limit`. */
const incidentsDefault = 100
const offsetMax = 1_000_000_000

export const incidentParameters: readonly Parameter[] = [
  queryParameter("policyId", "Id of a policy"),
  queryParameter("elementId", "Id or FQN of an element", { example: "web-1" }),
  queryParameter("elementName", "Part of an element's name, in either case", { example: "web" }),
  queryParameter("startDate", "Those that fired since then", {
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
  orderParameter,
  totalParameter,
  withExample("limit", wholeValue(0, eventsPerAnswerMax, incidentsDefault), "At most as many"),
  withExample("offset", wholeValue(0, offsetMax, 0), "As many are skipped"),
]

/** Reads the filter of a call. Throws `invalid` with all problems. */
export function readIncidentFilter(call: Call): IncidentFilter {
  const problems = new Problems()
  const params = new QueryParameters(call.query, problems)
  const filter: IncidentFilter = {
    policyId: params.one("policyId") ?? null,
    element: params.one("elementId") ?? null,
    elementName: params.one("elementName") ?? null,
    startMs: readMoment(params, { name: "startDate", problems }),
    endMs: readMoment(params, { name: "endDate", problems }),
    isClosed: readTruth(params, "isClosed"),
    isAcked: readTruth(params, "acked"),
    levels: readLevels(params, { name: "level", problems }),
    text: readPart(params, problems),
    isNewestFirst: readOrder(params, problems),
    needsTotal: params.flag("total"),
    limit:
      readCount(params, { name: "limit", max: eventsPerAnswerMax, problems }) ?? incidentsDefault,
    offset: readCount(params, { name: "offset", max: offsetMax, problems }) ?? 0,
  }
  problems.throwIfAny()
  return filter
}
