/** Change listener: is notified of changes after they were stored, for the streams of pages. */

import type { TenantIndex } from "../../model/ids.ts"
import type { Check } from "../../model/records/check.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import type { Incident } from "../../model/records/incident.ts"

const incidentSteps = ["opened", "fired", "closed", "acked", "unacked"] as const
export type IncidentStep = (typeof incidentSteps)[number]

export interface IncidentChange {
  readonly step: IncidentStep
  readonly incident: Incident
}

export interface ChangeListener {
  incidents(tenant: TenantIndex, changes: readonly IncidentChange[]): void
  events(tenant: TenantIndex, events: readonly ElementEvent[]): void
  /** A check has expired, or was posted again after that. */
  checks(tenant: TenantIndex, checks: readonly Check[], state: "expired" | "armed"): void
}

/** Hears nothing. */
export const noListener: ChangeListener = {
  incidents: () => {},
  events: () => {},
  checks: () => {},
}
