/**
 * The order of the inventory in its address: the id of a column, or `p95.` and a metric.
 *
 *   sort=lastSeen   sort=tag.env   sort=metric.cpu.total   sort=p95.cpu.total
 */

import type { ElementSort } from "../../api/element-words.ts"
import type { Parameter } from "../../url/parameters.ts"
import { isoTimes, type TimeRange } from "../../url/time-range.ts"
import { keyLengthMax } from "./column-choice.ts"

/** Names of what the server sorts by. */
const plainFields = {
  name: "name",
  fqn: "fqn",
  type: "type",
  location: "location",
  level: "level",
  alerts: "openIncidents",
  collected: "collectedPercent",
  lastSeen: "lastSeen",
  created: "created",
} as const
const keyedFields = { tag: "tags", attr: "attributes", metric: "metrics", p95: "metrics" } as const

type PlainOrder = keyof typeof plainFields
type KeyedOrder = keyof typeof keyedFields
export type OrderId = PlainOrder | `${KeyedOrder}.${string}`

/** The worst, newest and greatest are looked for first. */
const descendingFirst: readonly string[] = ["level", "alerts", "lastSeen", "created"]

export const orderParameter: Parameter<OrderId> = {
  fallback: "name",
  parse: (text) => (isOrderId(text) ? text : undefined),
  print: String,
}

export function isOrderId(text: string): text is OrderId {
  if (Object.hasOwn(plainFields, text)) return true
  const { kind, key } = partsOf(text)
  return Object.hasOwn(keyedFields, kind) && key !== "" && key.length <= keyLengthMax
}

function partsOf(text: string): { readonly kind: string; readonly key: string } {
  const dot = text.indexOf(".")
  return { kind: text.slice(0, dot), key: text.slice(dot + 1) }
}

/** The direction of an order that was not chosen before. */
export function isDescendingFirst(id: OrderId): boolean {
  return descendingFirst.includes(id) || isMetricOrder(id)
}

/** Whether the order depends on the range of the page. */
export function isMetricOrder(id: OrderId): boolean {
  return ["metric", "p95"].includes(partsOf(id).kind)
}

/** The column of an order: both of a metric have one. */
export function columnOfOrder(id: OrderId): string {
  return id.startsWith("p95.") ? `metric.${partsOf(id).key}` : id
}

/** The order as the server takes it. */
export function sortOf(id: OrderId, range: TimeRange): ElementSort {
  if (Object.hasOwn(plainFields, id)) return { field: plainFields[id as PlainOrder] }
  const { kind, key } = partsOf(id)
  const field = `${keyedFields[kind as KeyedOrder]}.${key}`
  return isMetricOrder(id)
    ? { field, by: kind === "p95" ? "p95" : "avg", ...isoTimes(range) }
    : { field }
}
