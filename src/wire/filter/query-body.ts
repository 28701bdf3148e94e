/** The common part of all search bodies (spec/queries §1): window, page, sort, fields. */

import * as v from "valibot"
import { pageSizeDefault, pageSizeMax } from "../../base/limits/queries.ts"
import { objectValue, readWith, textValue, wholeNumberIn } from "../body.ts"
import { groupSchemas, readFilter, type FilterBody } from "./group-body.ts"
import type { Problems } from "../problems.ts"
import { didYouMean, shown } from "../problems.ts"
import type { Sort, SortFields } from "./sort-body.ts"
import { readSort } from "./sort-body.ts"
import { refuseUnknownNames } from "../unknown-names.ts"

export interface QueryBody<
  Field extends string,
  SortField extends string = Field,
> extends FilterBody {
  /** As sent; `undefined` if absent or empty. */
  readonly startDate: string | undefined
  readonly endDate: string | undefined
  readonly sort: Sort<SortField> | null
  /** From 0. */
  readonly page: number
  /** From 1 to `pageSizeMax`. */
  readonly pageSize: number
  /** Fields of each document, in order. */
  readonly fields: readonly Field[]
}

/** The fields of the documents that are searched. */
export interface QueryFields<Field extends string, SortField extends string = Field> {
  readonly sort: SortFields<SortField>
  readonly all: readonly Field[]
  /** Fields that are kept unless excluded by name; `id` is always kept. */
  readonly kept: readonly string[]
}

const fieldList = v.nullish(v.array(v.string()), [])

/** Other names that real clients send: without effect, or a second name of a group. */
const alsoSent = ["tenantId", "elementAttributes"]
const sortAlsoSent = ["mode", "unmappedType", "nestedTermField", "nestedTermValue"]

/** All fields except the filter groups. */
const entries = {
  startDate: v.nullish(textValue, ""),
  endDate: v.nullish(textValue, ""),
  page: v.nullish(wholeNumberIn(0, Number.MAX_SAFE_INTEGER), 0),
  pageSize: v.nullish(wholeNumberIn(1, pageSizeMax), pageSizeDefault),
  sort: v.nullish(
    objectValue(
      {
        field: v.nullish(v.string(), ""),
        order: v.nullish(v.string(), ""),
        missing: v.nullish(v.string(), ""),
        by: v.nullish(v.string(), ""),
        startTime: v.nullish(textValue, ""),
        endTime: v.nullish(textValue, ""),
      },
      sortAlsoSent,
    ),
  ),
  sourceFilter: v.nullish(objectValue({ includes: fieldList, excludes: fieldList })),
}
const queryBody = objectValue(entries)

/** The whole body, for the API description, of the parts that `readQueryBody` reads with. */
export const querySchema = objectValue({ ...entries, ...groupSchemas }, alsoSent)

/** null if invalid; each reason is added to `problems`. No body selects everything. */
export function readQueryBody<Field extends string, SortField extends string = Field>(
  raw: unknown,
  of: QueryFields<Field, SortField>,
  problems: Problems,
): QueryBody<Field, SortField> | null {
  const given = raw ?? {}
  if (typeof given !== "object" || Array.isArray(given)) {
    problems.add(`body: expected a JSON object, got ${shown(given)}`)
    return null
  }
  refuseUnknownNames(querySchema, given, { path: "", problems })
  const body = readWith(queryBody, given, { path: "", problems })
  const filterBody = readFilter(given as Record<string, unknown>, problems)
  if (body === null) return null
  return {
    ...filterBody,
    startDate: body.startDate || undefined,
    endDate: body.endDate || undefined,
    sort: readSort(body.sort, of.sort, problems),
    page: body.page,
    pageSize: body.pageSize,
    fields: chosenFields(body.sourceFilter ?? { includes: [], excludes: [] }, { ...of, problems }),
  }
}

/** The two names of one field (spec/names §1). */
const sameField: Readonly<Record<string, string>> = {
  serviceTags: "netuitiveTags",
  netuitiveTags: "serviceTags",
}

/**
 * Unknown names select nothing, since clients send field names of other documents, too; a name that
 * is nearly a field is treated as a typing error and becomes a problem.
 */
function chosenFields<Field extends string>(
  choice: { includes: string[]; excludes: string[] },
  {
    all,
    kept,
    problems,
  }: Pick<QueryFields<Field>, "all" | "kept"> & { readonly problems: Problems },
): Field[] {
  for (const [list, names] of Object.entries(choice)) {
    for (const name of names) {
      const isField = [...all, ...kept].some((field) => field === name)
      const hint = isField || !/^\w+$/.test(name) ? "" : didYouMean(name, all)
      if (hint !== "") problems.add(`sourceFilter.${list}: ${shown(name)} is no field${hint}`)
    }
  }
  const includes = withSameField(choice.includes)
  const excludes = withSameField(choice.excludes)
  return all.filter((field) => {
    if (field === "id") return true
    if (excludes.has(field)) return false
    return includes.size === 0 || includes.has(field) || kept.includes(field)
  })
}

function withSameField(names: string[]): Set<string> {
  return new Set(names.flatMap((name) => [name, sameField[name] ?? name]))
}
