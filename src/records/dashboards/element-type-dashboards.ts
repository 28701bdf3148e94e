/**
 * Dashboards of element types, shown on pages of single elements (spec/records §1). Their id is the
 * type, followed by the variant unless it is the plain one.
 */

import type { Dashboard } from "../../wire/records/dashboard-document.ts"
import type { StoredRecord } from "../core/record-collection.ts"

/** Type of dashboards without an element type. */
const plainType = "DEFAULT"
/** Equivalent to no variant. */
const plainVariant = "FULL"

/** The newest dashboard of each element type and variant, by id. */
export function elementTypeDashboards(
  all: readonly StoredRecord<Dashboard>[],
): Map<string, StoredRecord<Dashboard>> {
  const byId = new Map<string, StoredRecord<Dashboard>>()
  for (const dashboard of all.toSorted(oldestFirst)) {
    const id = elementTypeId(dashboard.body)
    if (id !== null) byId.set(id, dashboard)
  }
  return byId
}

/** The dashboard of a type as written in a path: with or without a variant, ignoring case. */
export function elementTypeDashboard(
  all: readonly StoredRecord<Dashboard>[],
  name: string,
): { id: string; dashboard: StoredRecord<Dashboard> } | undefined {
  const wanted = name.trim().toUpperCase()
  const plain = wanted.endsWith(`-${plainVariant}`) ? wanted.slice(0, -plainVariant.length - 1) : ""
  const byId = elementTypeDashboards(all)
  for (const id of [wanted, plain]) {
    const dashboard = byId.get(id)
    if (dashboard !== undefined) return { id, dashboard }
  }
  return undefined
}

/** Null for a dashboard without an element type. */
function elementTypeId({ type, variant }: Dashboard): string | null {
  const typeName = type?.trim().toUpperCase() ?? ""
  if (typeName === "" || typeName === plainType) return null
  const variantName = variant?.trim().toUpperCase() ?? ""
  return isPlain(variantName) ? typeName : `${typeName}-${variantName}`
}

function isPlain(variantName: string): boolean {
  return variantName === "" || variantName === plainVariant
}

/** Older dashboards first, so that newer ones replace them in the map. */
function oldestFirst(one: StoredRecord<Dashboard>, other: StoredRecord<Dashboard>): number {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1)
}
