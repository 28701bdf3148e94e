/**
 * Where widgets stand on a dashboard. `gridstackContents` is a JSON array as a text, of entries
 * `{ id, x, y, width, height }`; when widgets get ids of their own, the ids in it follow.
 */

import { invalid } from "../../base/errors.ts"
import type { Properties } from "../../wire/records/fields.ts"

export const layoutProperty = "gridstackContents"

/** New ids by those that were sent. */
export type WidgetIdMap = ReadonlyMap<string, string>

/**
 * The properties with the layout's ids replaced. An id that is not among the new ones becomes null
 * where `others` says so, as the real service does on creation, or stays. Throws `invalid` for a
 * layout that is no JSON array.
 */
export function withRemappedIds(
  properties: Properties,
  newIds: WidgetIdMap,
  others: "null" | "kept",
): Properties {
  const layout = properties[layoutProperty]
  // Packages are written with "" for an empty array.
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
    // Said below, together with JSON of another kind.
  }
  throw invalid(`dashboard.properties.${layoutProperty}: expected a JSON array as a text`)
}
