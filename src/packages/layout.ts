/** Validates a dashboard's layout: each widget must be in it exactly once, and nothing else. */

import { shown } from "../wire/problems.ts"
import type { NewDashboardFields } from "../wire/records/dashboard-body.ts"

const path = "dashboard.properties.gridstackContents"

/** One sentence per problem. Such a dashboard can be installed, but its layout is a mistake. */
export function layoutProblems({ widgets, properties }: NewDashboardFields): string[] {
  const ids = (widgets ?? []).map(({ id }) => id ?? "")
  const names = (widgets ?? []).map(({ name }) => name ?? "")
  const problems = [...twice(ids, "id"), ...twice(names, "name")]
  if (ids.length === 0) return problems
  const placed = layoutIds(properties?.["gridstackContents"])
  if (placed === null) return [...problems, `${path}: expected a JSON array of positions as a text`]
  for (const id of ids.filter((one) => !placed.includes(one))) {
    problems.push(`${path}: expected a position of the widget ${shown(id)}, got none`)
  }
  for (const id of placed.filter((one) => !ids.includes(one))) {
    problems.push(`${path}: expected ids of widgets, got ${shown(id)}`)
  }
  return problems
}

function twice(values: readonly string[], field: "id" | "name"): string[] {
  return values.flatMap((value, i) => {
    if (value === "" || values.indexOf(value) === i) return []
    return [`dashboard.widgets[${i}].${field}: expected it once, got ${shown(value)} again`]
  })
}

function layoutIds(text: string | null | undefined): string[] | null {
  try {
    const places: unknown = JSON.parse(text ?? "")
    if (!Array.isArray(places)) return null
    return places.map((item: unknown) => String((item as { id?: unknown } | null)?.id))
  } catch {
    return null
  }
}
