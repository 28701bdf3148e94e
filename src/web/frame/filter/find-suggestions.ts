/** Suggestions for the end of a typed filter: from the server, but for fields and statuses. */

import type { ApiClient } from "../../api/client.ts"
import { search, searchLengthMax, searchValues } from "../../api/search.ts"
import {
  fieldsLike,
  withField,
  withTerm,
  withValue,
  type Completion,
} from "../../url/filter-completion.ts"
import type { FilterField } from "../../url/filter-language.ts"
import { text } from "./text.ts"

export interface FilterSuggestion {
  /** Different for each. */
  readonly key: string
  readonly title: string
  readonly detail: string
  /** The typed text after it was chosen. */
  readonly typed: string
  /** False if a value is typed next. */
  readonly isWhole: boolean
}

export interface FoundSuggestions {
  readonly list: readonly FilterSuggestion[]
  /** How many there are. */
  readonly total: number
}

/** As many as fit below the bar on a small screen. */
const valuesMax = 10
/** Of tags and of elements, for a word. */
const namesMax = 5
/** As `status:` takes them. */
const statuses = ["ok", "info", "warning", "critical", "noData", "maintenance"]

/** Throws as the API client does. */
export async function findSuggestions(
  api: ApiClient,
  completion: Completion,
  signal: AbortSignal,
): Promise<FoundSuggestions> {
  const { wanted } = completion
  const q = completion.searched.trim().slice(0, searchLengthMax)
  if (wanted.kind === "word") return forWord(api, { completion, q }, signal)
  if (wanted.kind === "key") {
    const { of } = wanted
    const found = await searchValues(api, { field: of, q, limit: valuesMax }, signal)
    const list = found.values.map(({ value, count }) => ({
      key: value,
      title: value,
      detail: text.elements(count),
      typed: withField(completion, { kind: of, key: value }),
      isWhole: false,
    }))
    return { list, total: found.total }
  }
  const { total, values } = await valuesOf(api, { field: wanted.field, q }, signal)
  const list = values.map(({ value, detail }) => ({
    key: value,
    title: value,
    detail,
    typed: withValue(completion, wanted.field, value),
    isWhole: true,
  }))
  return { list, total }
}

interface Asked {
  readonly completion: Completion
  readonly q: string
}

async function forWord(
  api: ApiClient,
  { completion, q }: Asked,
  signal: AbortSignal,
): Promise<FoundSuggestions> {
  const fields = fieldsLike(q).map((kind): FilterSuggestion => {
    const isMap = kind === "tag" || kind === "attr"
    const typed = isMap ? `${completion.before}${kind}.` : withField(completion, { kind })
    const title = isMap ? `${kind}.` : `${kind}:`
    return { key: `field ${kind}`, title, detail: text.field, typed, isWhole: false }
  })
  if (q === "") return { list: fields, total: fields.length }
  const asked = { q, kinds: ["tags", "elements"], limit: namesMax } as const
  const { tags, elements } = await search(api, asked, signal)
  const ofTags = (tags?.items ?? []).flatMap(({ id, tag, elements: count = 0 }) => {
    if (tag === undefined || tag.value === "") return []
    const typed = withTerm(completion, { kind: "tag", key: tag.name }, tag.value)
    return { key: `tag ${id}`, title: id, detail: text.elements(count), typed, isWhole: true }
  })
  const ofElements = (elements?.items ?? []).map(({ id, title, subtitle }) => {
    const typed = withTerm(completion, { kind: "name" }, title)
    const detail = subtitle === "" ? text.element : subtitle
    return { key: `element ${id}`, title, detail, typed, isWhole: true }
  })
  const total = fields.length + (tags?.total ?? 0) + (elements?.total ?? 0)
  return { list: [...fields, ...ofTags, ...ofElements], total }
}

interface FoundValue {
  readonly value: string
  readonly detail: string
}

async function valuesOf(
  api: ApiClient,
  { field, q }: { readonly field: FilterField; readonly q: string },
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly values: readonly FoundValue[] }> {
  const { kind } = field
  if (kind === "status") {
    const like = statuses.filter((status) => status.toLowerCase().includes(q.toLowerCase()))
    return { total: like.length, values: like.map((value) => ({ value, detail: text.status })) }
  }
  if (kind === "name" || kind === "fqn" || kind === "metric")
    return namesOf(api, { kind, q }, signal)
  const name = "key" in field ? `${kind}.${field.key}` : kind
  const found = await searchValues(api, { field: name, q, limit: valuesMax }, signal)
  const count = kind === "unit" ? text.metrics : text.elements
  const values = found.values.map((one) => ({ value: one.value, detail: count(one.count) }))
  return { total: found.total, values }
}

async function namesOf(
  api: ApiClient,
  { kind, q }: { readonly kind: "name" | "fqn" | "metric"; readonly q: string },
  signal: AbortSignal,
) {
  // The search wants a text, and a list of all names is of no use.
  if (q === "") return { total: 0, values: [] }
  const kinds = kind === "metric" ? (["metrics"] as const) : (["elements"] as const)
  const found = await search(api, { q, kinds, limit: valuesMax }, signal)
  const { total = 0, items = [] } = found[kinds[0]] ?? {}
  const values = items.map(({ title, subtitle, link, elements }) => ({
    value: kind === "fqn" ? (link.id ?? title) : title,
    detail: elements === undefined ? subtitle : text.elements(elements),
  }))
  // Two elements may have one name.
  return { total, values: [...new Map(values.map((one) => [one.value, one])).values()] }
}
