/** Reads `sort` of a query body: by a field of the metric document, tags included. */

import type { MetricField } from "./metric-document.ts"
import { metricFieldNames } from "./metric-document.ts"
import type { Problems } from "./problems.ts"
import { shown } from "./problems.ts"

export interface Sort {
  readonly field: MetricField
  /** The tag, where the field is a map of tags: `sourceTags.env`. */
  readonly tag: string | null
  readonly descending: boolean
  readonly missingFirst: boolean
}

/** As sent; empty where absent. */
export interface SortBody {
  readonly field: string
  readonly order: string
  readonly missing: string
}

const tagFields: readonly string[] = ["serviceTags", "netuitiveTags", "sourceTags"]
const plainFields = metricFieldNames.filter(
  (field) => !tagFields.includes(field) && field !== "processingFlags",
)

/** null where nothing was asked, or what was asked is a problem. */
export function readSort(asked: SortBody | null | undefined, problems: Problems): Sort | null {
  if (asked === null || asked === undefined || asked.field === "") return null
  const order = asked.order.toLowerCase() || "asc"
  const missing = asked.missing.toLowerCase() || "_last"
  if (order !== "asc" && order !== "desc") {
    problems.add(`sort.order: expected asc or desc, got ${shown(asked.order)}`)
  }
  if (missing !== "_first" && missing !== "_last") {
    problems.add(`sort.missing: expected _first or _last, got ${shown(asked.missing)}`)
  }
  const place = readField(asked.field)
  if (place === null) {
    const accepted = [...plainFields, ...tagFields.map((field) => `${field}.<name>`)].join(", ")
    problems.add(`sort.field: expected one of ${accepted}, got ${shown(asked.field)}`)
    return null
  }
  return { ...place, descending: order === "desc", missingFirst: missing === "_first" }
}

function readField(text: string): Pick<Sort, "field" | "tag"> | null {
  const plain = plainFields.find((field) => field === text)
  if (plain !== undefined) return { field: plain, tag: null }
  const dot = text.indexOf(".")
  const tag = text.slice(dot + 1)
  if (dot < 0 || tag === "" || !tagFields.includes(text.slice(0, dot))) return null
  return { field: text.slice(0, dot) as MetricField, tag }
}
