/** Maintenance mode: suspends learning and alerting for an element (spec/policies §9). */

import type { NameValue } from "../model/element.ts"
import { maintenanceEndTag, maintenanceStateTag } from "../model/records/maintenance-tags.ts"

const never = "-1"

/**
 * Whether an element is in maintenance at an instant: the state tag is "true", and the end tag is
 * absent, "-1" (never), or a later time in epoch milliseconds. An invalid end is ignored. Only tags
 * set by users count, so that no collector silences its own element.
 */
export function isInMaintenance(
  serviceTags: readonly NameValue[] | undefined,
  nowMs: number,
): boolean {
  if (serviceTags === undefined || serviceTags.length === 0) return false
  const valueOf = (wanted: string) => serviceTags.find(({ name }) => name === wanted)?.value.trim()
  if (valueOf(maintenanceStateTag)?.toLowerCase() !== "true") return false
  const end = valueOf(maintenanceEndTag)
  if (end === undefined || end === never || !/^\d{1,16}$/.test(end)) return true
  return nowMs < Number(end)
}
