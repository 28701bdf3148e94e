/** An event of a list, and an annotation that is written, without what asks for them. */

import * as v from "valibot"
import { severity } from "../severity.ts"

/** Of the events that people write. */
export const annotationType = "ANNOTATION"

export const eventSchema = v.object({
  id: v.string(),
  timestamp: v.pipe(v.string(), v.transform(Date.parse)),
  category: v.object({ name: severity }),
  type: v.nullable(v.string()),
  title: v.nullable(v.string()),
  source: v.nullable(v.string()),
  /** Empty for an event about everything. */
  elementFqn: v.string(),
  elementName: v.string(),
  policy: v.nullable(v.object({ id: v.string(), name: v.string() })),
  data: v.record(v.string(), v.unknown()),
  tags: v.array(v.object({ name: v.string(), value: v.string() })),
})
export type ListedEvent = v.InferOutput<typeof eventSchema>

/** When an annotation ends; null without an end, as for other events. */
export function eventEndMs({ data }: ListedEvent): number | null {
  const ms = typeof data["endTime"] === "string" ? Date.parse(data["endTime"]) : NaN
  return Number.isNaN(ms) ? null : ms
}

export interface Annotation {
  readonly title: string
  readonly message?: string
  /** An id or FQN; absent for everything. */
  readonly elementId?: string
  /** ISO times. */
  readonly timestamp: string
  readonly endTime?: string
  readonly tags?: readonly { readonly name: string; readonly value: string }[]
}
