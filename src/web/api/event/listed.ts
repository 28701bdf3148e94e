/** Events of lists, as they are answered. */

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
