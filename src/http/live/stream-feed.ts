/** Stream feed: what services report, as messages of the stream hub (spec/status §2). */

import { formatInstant, formatInstantSeconds } from "../../base/iso8601.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Check } from "../../model/records/check.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { ChangeListener, IncidentChange } from "../../records/incidents/change-listener.ts"
import { incidentSummary } from "../../wire/records/incident-document.ts"
import type { StreamHub } from "./stream-hub.ts"

/** A cycle whose closing has ended. */
export interface CycleReport {
  readonly cycle: number
  /** Of all accounts. */
  readonly elements: number
  readonly durationMs: number
}

interface StreamFeedDeps {
  readonly hub: Pick<StreamHub, "report" | "followed">
  readonly tenantUuid: (tenant: TenantIndex) => string
}

export class StreamFeed implements ChangeListener {
  private readonly deps: StreamFeedDeps
  /** Incidents since the last cycle, by tenant. */
  private readonly counts = new Map<TenantIndex, { opened: number; closed: number }>()

  constructor(deps: StreamFeedDeps) {
    this.deps = deps
  }

  incidents(tenant: TenantIndex, changes: readonly IncidentChange[]): void {
    this.count(tenant, changes)
    const { hub, tenantUuid } = this.deps
    if (!hub.followed.includes(tenant)) return
    const uuid = tenantUuid(tenant)
    const messages = changes.map(({ step, incident }) => ({
      step,
      ...incidentSummary(incident, uuid),
    }))
    hub.report(tenant, "incident", messages)
  }

  events(tenant: TenantIndex, events: readonly ElementEvent[]): void {
    this.deps.hub.report(tenant, "event", events.map(eventMessage))
  }

  checks(tenant: TenantIndex, checks: readonly Check[], state: "expired" | "armed"): void {
    const messages = checks.map(({ id, name, elementFqn, expiresMs }) => {
      return { id, name, elementFqn, state, expires: formatInstant(expiresMs) }
    })
    this.deps.hub.report(tenant, "check", messages)
  }

  cycleClosed({ cycle, elements, durationMs }: CycleReport): void {
    const start = formatInstant(cycle * cycleMs)
    for (const tenant of this.deps.hub.followed) {
      const { opened, closed } = this.counts.get(tenant) ?? none
      const tookMs = Math.round(durationMs)
      this.deps.hub.report(tenant, "cycle", [{ start, elements, tookMs, opened, closed }])
    }
    this.counts.clear()
  }

  private count(tenant: TenantIndex, changes: readonly IncidentChange[]): void {
    const { opened, closed } = this.counts.get(tenant) ?? none
    const of = (step: string): number => changes.filter((one) => one.step === step).length
    this.counts.set(tenant, { opened: opened + of("opened"), closed: closed + of("closed") })
  }
}

const none = { opened: 0, closed: 0 }

/** Without `data`, which may be large: pages ask for the event when a user opens it. */
function eventMessage(event: ElementEvent): object {
  const { id, timeMs, level, title, source, policy, elementId, elementFqn, element } = event
  return {
    id,
    timestamp: formatInstantSeconds(timeMs),
    level,
    title: title ?? policy?.name ?? null,
    source,
    policyId: policy?.id ?? null,
    elementId,
    elementFqn,
    elementName: element?.name ?? elementFqn,
    isExternal: event.isExternal,
  }
}
