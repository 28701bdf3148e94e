/** Reads the body of a metric query (field-facts §3.1) into plain data. */

import * as v from "valibot"
import { pageSizeDefault, pageSizeMax } from "../base/limits.ts"
import { objectValue, readWith, textValue, wholeNumber } from "./body.ts"
import { readFilter } from "./group-body.ts"
import type { Filter } from "./list-group.ts"
import type { MetricField } from "./metric-document.ts"
import { metricFieldNames } from "./metric-document.ts"
import type { Problems } from "./problems.ts"
import { shown } from "./problems.ts"
import type { Sort } from "./sort-body.ts"
import { readSort } from "./sort-body.ts"

export interface MetricQueryBody {
  readonly filter: Filter
  /** As sent; `undefined` where absent or empty. */
  readonly startDate: string | undefined
  readonly endDate: string | undefined
  readonly sort: Sort | null
  /** From 0. */
  readonly page: number
  /** From 1 to `pageSizeMax`. */
  readonly pageSize: number
  /** Fields of each document, in order. */
  readonly fields: readonly MetricField[]
}

const fieldList = v.nullish(v.array(v.string()), [])

/** Everything but the filter groups; what else a body may hold is ignored. */
const queryBody = objectValue({
  startDate: v.nullish(textValue, ""),
  endDate: v.nullish(textValue, ""),
  page: v.nullish(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
  pageSize: v.nullish(wholeNumber(1, pageSizeMax), pageSizeDefault),
  sort: v.nullish(
    objectValue({
      field: v.nullish(v.string(), ""),
      order: v.nullish(v.string(), ""),
      missing: v.nullish(v.string(), ""),
    }),
  ),
  sourceFilter: v.nullish(objectValue({ includes: fieldList, excludes: fieldList })),
})

/** null where something is wrong, and then `problems` says all that is. No body asks for everything. */
export function readMetricQueryBody(raw: unknown, problems: Problems): MetricQueryBody | null {
  const given = raw ?? {}
  if (typeof given !== "object" || Array.isArray(given)) {
    problems.add(`body: expected a JSON object, got ${shown(given)}`)
    return null
  }
  const body = readWith(queryBody, given, { path: "", problems })
  const filter = readFilter(given as Record<string, unknown>, problems)
  if (body === null) return null
  return {
    filter,
    startDate: body.startDate || undefined,
    endDate: body.endDate || undefined,
    sort: readSort(body.sort, problems),
    page: body.page,
    pageSize: body.pageSize,
    fields: chosenFields(body.sourceFilter ?? { includes: [], excludes: [] }),
  }
}

/** The two names of one field (decisions §2). */
const sameField: Readonly<Record<string, MetricField>> = {
  serviceTags: "netuitiveTags",
  netuitiveTags: "serviceTags",
}

/**
 * `id` always remains, and `elementId` unless it is excluded by name, so that whatever is left out,
 * the ids can feed `/metrics/statistics`. Names of no field choose nothing.
 */
function chosenFields(choice: { includes: string[]; excludes: string[] }): MetricField[] {
  const includes = withSameField(choice.includes)
  const excludes = withSameField(choice.excludes)
  return metricFieldNames.filter((field) => {
    if (field === "id") return true
    if (excludes.has(field)) return false
    return includes.size === 0 || includes.has(field) || field === "elementId"
  })
}

function withSameField(names: string[]): Set<string> {
  return new Set(names.flatMap((name) => [name, sameField[name] ?? name]))
}
