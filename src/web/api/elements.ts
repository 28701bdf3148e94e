/** Elements in pages, their status, and changes of many (spec/queries §1, spec/search §3). */

import * as v from "valibot"
import type { ApiClient } from "./client.ts"
import { joinedTags, levels } from "./element-words.ts"
import { levelCounts, type LevelCounts } from "./overview/overview-answer.ts"
import type { ElementSort, ElementTag, Level } from "./element-words.ts"

/** Filter groups of a request, by column. */
export type FilterBody = Readonly<Record<string, unknown>>

const nameValue = v.object({ name: v.string(), value: v.string() })
const textMap = v.optional(v.record(v.string(), v.string()))

/** Posted tags of an element, and those that people set, under either of two names. */
export const tagFields = {
  tags: v.array(nameValue),
  serviceTags: textMap,
  netuitiveTags: textMap,
} as const

const elementSchema = v.object({
  id: v.string(),
  fqn: v.string(),
  name: v.string(),
  type: v.string(),
  location: v.nullable(v.string()),
  ...tagFields,
  /** If they were asked for. */
  attributes: v.optional(v.array(nameValue), []),
})
type ElementAnswer = v.InferOutput<typeof elementSchema>

export interface ListedElement extends Omit<ElementAnswer, keyof typeof tagFields> {
  readonly tags: readonly ElementTag[]
}

const pageAnswer = v.object({
  page: v.object({ content: v.array(elementSchema), totalElements: v.number() }),
})

export interface ElementPageRequest {
  readonly filter: FilterBody
  readonly sort: ElementSort
  readonly isDescending: boolean
  /** From 0. */
  readonly page: number
  readonly pageSize: number
  readonly withAttributes: boolean
}

export interface ElementPage {
  readonly elements: readonly ListedElement[]
  /** Elements that pass the filter. */
  readonly total: number
}

export async function elementPage(
  api: ApiClient,
  { filter, sort, isDescending, page, pageSize, withAttributes }: ElementPageRequest,
  signal: AbortSignal,
): Promise<ElementPage> {
  const order = { ...sort, order: isDescending ? "desc" : "asc", missing: "_last" }
  const more = withAttributes ? ["attributes"] : []
  const facts = ["fqn", "name", "type", "location", "tags", "serviceTags"]
  const sourceFilter = { includes: [...facts, ...more] }
  const body = { ...filter, page, pageSize, sort: order, sourceFilter }
  const path = ["elements", "search", "elementQuery"]
  const answer = await api.call({ method: "POST", path, body, schema: pageAnswer, signal })
  const { content, totalElements: total } = answer.page
  return { elements: content.map((one) => ({ ...one, tags: joinedTags(one) })), total }
}

const countsAnswer = v.object({ counts: v.object({ total: v.number(), levels: levelCounts }) })

/** How many elements that pass have each level. */
export async function countLevels(
  api: ApiClient,
  filter: FilterBody,
  signal: AbortSignal,
): Promise<LevelCounts> {
  const path = ["elements", "search", "elementStatus"]
  const body = { ...filter, countsOnly: true }
  const answer = await api.call({ method: "POST", path, body, schema: countsAnswer, signal })
  return answer.counts.levels
}

const statusAnswer = v.object({
  columns: v.nullable(
    v.object({
      id: v.array(v.string()),
      level: v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5))),
      openIncidents: v.array(v.number()),
      collectedPercent: v.array(v.nullable(v.number())),
      lastSeen: v.array(v.nullable(v.number())),
      created: v.optional(v.array(v.number())),
    }),
  ),
})

export interface ElementStatus {
  readonly level: Level
  readonly openIncidents: number
  readonly collectedPercent: number | null
  /** Epoch milliseconds. */
  readonly lastSeen: number | null
  /** Epoch milliseconds; null if it was not asked for. */
  readonly created: number | null
}

/** The status of elements by id. */
export async function elementStatuses(
  api: ApiClient,
  ids: readonly string[],
  signal: AbortSignal,
  { withCreated } = { withCreated: false },
): Promise<ReadonlyMap<string, ElementStatus>> {
  if (ids.length === 0) return new Map()
  const items = ids.map((item) => ({ item, queryType: "EXACT" }))
  const body = { elementIds: { and: false, items }, withCreated }
  const path = ["elements", "search", "elementStatus"]
  const { columns } = await api.call({ method: "POST", path, body, schema: statusAnswer, signal })
  if (columns === null) return new Map()
  return new Map(
    columns.id.map((id, i) => {
      const level = levels[columns.level[i]!]!
      const openIncidents = columns.openIncidents[i]!
      const collectedPercent = columns.collectedPercent[i]!
      const [lastSeen, created] = [columns.lastSeen[i]!, columns.created?.[i] ?? null]
      return [id, { level, openIncidents, collectedPercent, lastSeen, created }]
    }),
  )
}

/** A change of many elements. */
export interface BulkChange {
  readonly action: "setTags" | "removeTags" | "startMaintenance" | "stopMaintenance" | "delete"
  readonly tags?: readonly { readonly name: string; readonly value?: string }[]
  /** Epoch milliseconds; maintenance without it has no end. */
  readonly until?: number
}

const bulkAnswer = v.object({
  changed: v.number(),
  failures: v.number(),
  failed: v.array(v.object({ id: v.string(), error: v.string() })),
})
export type BulkResult = v.InferOutput<typeof bulkAnswer>

/** The elements that a change is for: some by their FQNs, or all that pass a filter. */
export type BulkTarget = { readonly fqns: readonly string[] } | { readonly filter: FilterBody }

/** The server's limit of ids in one change. */
const idsMax = 1_000

export async function changeElements(
  api: ApiClient,
  target: BulkTarget,
  change: BulkChange,
): Promise<BulkResult> {
  const path = ["elements", "search", "elementBulk"]
  const send = (some: object) =>
    api.call({ method: "POST", path, body: { ...change, ...some }, schema: bulkAnswer })
  if ("filter" in target) return send({ filter: target.filter })
  let sum: BulkResult = { changed: 0, failures: 0, failed: [] }
  for (let at = 0; at < target.fqns.length; at += idsMax) {
    const part = await send({ ids: target.fqns.slice(at, at + idsMax) })
    sum = {
      changed: sum.changed + part.changed,
      failures: sum.failures + part.failures,
      failed: [...sum.failed, ...part.failed],
    }
  }
  return sum
}
