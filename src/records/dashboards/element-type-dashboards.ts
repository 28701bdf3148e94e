/**
 * Dashboards of element types: what a page about one element shows (spec/records §1). Their id is
 * the type, followed by the variant where it is not the plain one.
 */

import type { Dashboard } from "../../wire/records/dashboard-document.ts"
import type { StoredRecord } from "../core/record-collection.ts"

/** Dashboards of this type are about no element type. */
const plainType = "DEFAULT"
/** Stands for its type alone, as a dashboard without a variant does. */
const plainVariant = "FULL"

/** One for each element type and variant, the newest where there are several; by id. */
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

/** The one of a type as it stands in a path, with or without a variant, in any case. */
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

/** Null for a dashboard that is about no element type. */
function elementTypeId({ type, variant }: Dashboard): string | null {
  const typeName = type?.trim().toUpperCase() ?? ""
  if (typeName === "" || typeName === plainType) return null
  const variantName = variant?.trim().toUpperCase() ?? ""
  return isPlain(variantName) ? typeName : `${typeName}-${variantName}`
}

function isPlain(variantName: string): boolean {
  return variantName === "" || variantName === plainVariant
}

/** What comes later takes the place of what came before: older ones first. */
function oldestFirst(one: StoredRecord<Dashboard>, other: StoredRecord<Dashboard>): number {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1)
}
