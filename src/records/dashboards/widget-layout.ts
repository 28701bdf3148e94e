/**
 * The layout of widgets on a dashboard. `gridstackContents` is a JSON array as text, with entries
 * `{ id, x, y, width, height }`. When widgets get new ids, the ids in it are replaced.
 */

import { invalid } from "../../base/errors.ts"
import type { Properties } from "../../wire/records/fields.ts"

export const layoutProperty = "gridstackContents"

/** New ids by the ids in the request. */
export type WidgetIdMap = ReadonlyMap<string, string>

/**
 * The properties with the layout's ids replaced. With `others` "null" an unknown id becomes null,
 * as in the real service on creation; with "kept" it stays. Throws `invalid` for a layout that is
 * not a JSON array.
 */
export function withRemappedIds(
  properties: Properties,
  newIds: WidgetIdMap,
  others: "null" | "kept",
): Properties {
  const layout = properties[layoutProperty]
  // Packages have "" for an empty array.
  if (layout === undefined || layout === null || layout.trim() === "") return properties
  const entries = readEntries(layout)
  if (newIds.size === 0 && others === "kept") return properties
  const placed = entries.map((entry) => withRemappedId(entry, newIds, others))
  return { ...properties, [layoutProperty]: JSON.stringify(placed) }
}

function withRemappedId(entry: unknown, newIds: WidgetIdMap, others: "null" | "kept"): unknown {
  if (typeof entry !== "object" || entry === null || !("id" in entry)) return entry
  const newId = newIds.get(String(entry.id))
  if (newId === undefined && others === "kept") return entry
  return { ...entry, id: newId ?? null }
}

function readEntries(layout: string): unknown[] {
  try {
    const entries: unknown = JSON.parse(layout)
    if (Array.isArray(entries)) return entries
  } catch {
    // Reported below, together with JSON of another type.
  }
  throw invalid(`dashboard.properties.${layoutProperty}: expected a JSON array as a text`)
}
