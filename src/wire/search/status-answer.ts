/** The answer of POST `/elements/search/elementStatus`. */

import { listOf, numberOrNull, oneOf, optional, orNull, record, text } from "../answer.ts"
import { described, uuid, wholeNumber, type Written } from "../answer.ts"
import { statusLevels } from "../filter/status-levels.ts"

const byLevel = record({
  ok: wholeNumber,
  info: wholeNumber,
  warning: wholeNumber,
  critical: wholeNumber,
  noData: wholeNumber,
  maintenance: wholeNumber,
})

const statusCounts = record({
  total: wholeNumber,
  levels: byLevel,
  types: listOf(record({ type: text, total: wholeNumber, levels: byLevel })),
})
export type StatusCounts = Written<typeof statusCounts>

const silence = record({
  type: described(orNull(text), "Null if it is a part of all elements; else all of this type"),
  silent: described(wholeNumber, "Elements that stopped sending in the same half hour"),
  total: described(wholeNumber, "Of as many that had sent in it"),
  since: described(wholeNumber, "End of the newest data of any of them, epoch milliseconds"),
})
export type Silence = Written<typeof silence>

const column = {
  id: listOf(uuid),
  fqn: listOf(text),
  name: listOf(text),
  type: described(listOf(wholeNumber), "Indexes in `counts.types`"),
  level: described(listOf(wholeNumber), "Indexes in `levels`"),
  openIncidents: listOf(wholeNumber),
  collectedPercent: described(
    listOf(numberOrNull),
    "As the closing of the last cycle stored it; null if it stored none",
  ),
  lastSeen: described(
    listOf(numberOrNull),
    "Time of the newest unflushed sample, else start of the newest cycle with data, in epoch " +
      "milliseconds; null if there is neither",
  ),
  created: described(
    optional(listOf(wholeNumber)),
    "With `withCreated`: when the element was first posted, epoch milliseconds",
  ),
}

export const statusAnswer = record({
  levels: listOf(oneOf(statusLevels)),
  counts: statusCounts,
  silences: described(
    listOf(silence),
    "A tenth of the elements, or all of a type, that fell silent together in the last day",
  ),
  columns: described(
    orNull(record(column)),
    "One entry an element; null with `countsOnly`, or if more pass than are listed",
  ),
})
