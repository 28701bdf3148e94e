/** Reads `sort` of a query body: by a field of the queried documents, tags and metrics included. */

import type { Problems } from "../problems.ts"
import { didYouMean, shown } from "../problems.ts"
import { seriesOrders, type SeriesOrderName } from "./series-orders.ts"

export interface Sort<Field extends string> {
  readonly field: Field
  /** The tag, attribute or metric, if the field has many: `sourceTags.env`, `metrics.cpu`. */
  readonly tag: string | null
  /** Null if the field is not that of metrics. */
  readonly values: SortedValues | null
  readonly descending: boolean
  readonly missingFirst: boolean
}

/** A statistic of a metric, and the window of its values. */
export interface SortedValues {
  readonly by: SeriesOrderName
  /** As sent; undefined if absent or empty. */
  readonly startTime: string | undefined
  readonly endTime: string | undefined
}

/** The fields by which documents can be sorted. */
export interface SortFields<Field extends string> {
  readonly plain: readonly Field[]
  /** Maps: `<field>.<name>` sorts by one entry. */
  readonly tags: readonly Field[]
  /** The one of these whose entries are metrics with values. */
  readonly metrics?: Field
  /** The field that replaces any other one; if absent, other fields are a problem. */
  readonly otherwise?: Field
}

/** As sent; empty if absent. */
export interface SortBody {
  readonly field: string
  readonly order: string
  readonly missing: string
  /** Of a metric. */
  readonly by: string
  readonly startTime: string
  readonly endTime: string
}

/** All fields except those without an order. */
export function sortFieldsOf<Field extends string>(
  all: readonly Field[],
  { tagFields, unsorted }: { tagFields: readonly Field[]; unsorted: readonly Field[] },
  { metrics }: Pick<SortFields<Field>, "metrics"> = {},
): SortFields<Field> {
  const plain = all.filter((field) => !tagFields.includes(field) && !unsorted.includes(field))
  return { plain, tags: tagFields, ...(metrics === undefined ? {} : { metrics }) }
}

/** null if no sort is given, or it is invalid. */
export function readSort<Field extends string>(
  asked: SortBody | null | undefined,
  fields: SortFields<Field>,
  problems: Problems,
): Sort<Field> | null {
  if (asked === null || asked === undefined || asked.field === "") return null
  const order = asked.order.toLowerCase() || "asc"
  const missing = asked.missing.toLowerCase() || "_last"
  if (order !== "asc" && order !== "desc") {
    problems.add(`sort.order: expected asc or desc, got ${shown(asked.order)}`)
  }
  if (missing !== "_first" && missing !== "_last") {
    problems.add(`sort.missing: expected _first or _last, got ${shown(asked.missing)}`)
  }
  const found = readField(asked.field, fields)
  if (found === null) {
    const accepted = [...fields.plain, ...fields.tags.map((field) => `${field}.<name>`)].join(", ")
    const hint = didYouMean(asked.field, fields.plain)
    problems.add(`sort.field: expected one of ${accepted}, got ${shown(asked.field)}${hint}`)
    return null
  }
  const isMetric = found.field === fields.metrics
  const values = readValues(asked, isMetric, problems)
  return { ...found, values, descending: order === "desc", missingFirst: missing === "_first" }
}

function readValues(asked: SortBody, isMetric: boolean, problems: Problems): SortedValues | null {
  const { by, startTime, endTime } = asked
  if (isMetric) {
    const known = seriesOrders.find((one) => one === (by || "avg"))
    if (known !== undefined) {
      return { by: known, startTime: startTime || undefined, endTime: endTime || undefined }
    }
    const accepted = seriesOrders.join(", ")
    problems.add(`sort.by: expected one of ${accepted}, got ${shown(by)}`)
    return null
  }
  for (const [name, value] of Object.entries({ by, startTime, endTime })) {
    if (value === "") continue
    problems.add(`sort.${name}: expected none for ${shown(asked.field)}, got ${shown(value)}`)
  }
  return null
}

function readField<Field extends string>(
  text: string,
  fields: SortFields<Field>,
): Pick<Sort<Field>, "field" | "tag"> | null {
  const plain = fields.plain.find((field) => field === text)
  if (plain !== undefined) return { field: plain, tag: null }
  const dot = text.indexOf(".")
  const tag = text.slice(dot + 1)
  const map = fields.tags.find((field) => field === text.slice(0, dot))
  if (map !== undefined && tag !== "") return { field: map, tag }
  return fields.otherwise === undefined ? null : { field: fields.otherwise, tag: null }
}
