/** Incidents: runs of events of one policy at one element. */

import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import { countedRecordsMax } from "../../base/limits/records.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { deliveryKind, outcomeRange } from "../../model/records/delivery.ts"
import type { EventLevel } from "../../model/records/event-level.ts"
import type { Incident, IncidentAck } from "../../model/records/incident.ts"
import { unbounded, type ReadBounds } from "../core/read-bounds.ts"
import { TimeIndexedRecords } from "../core/time-indexed-records.ts"
import { createRecordMutex } from "../core/record-mutex.ts"

export type { Incident }

/** Null matches all incidents. */
export interface IncidentFilter {
  /** Incidents that last fired at or after this. */
  readonly startMs: number | null
  /** Incidents that first fired before this. */
  readonly endMs: number | null
  readonly policyId: string | null
  /** An id or an FQN. */
  readonly element: string | null
  /** Part of the element's name, ignoring case. */
  readonly elementName: string | null
  readonly isClosed: boolean | null
  readonly isAcked: boolean | null
  /** Any of them; empty matches all. */
  readonly levels: readonly EventLevel[]
  /** Part of the policy's or the element's name or of its FQN, ignoring case. */
  readonly text: string | null
  readonly isNewestFirst: boolean
  /** Whether all that match are counted. */
  readonly needsTotal: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of the incidents that match a filter. */
export interface FoundIncidents {
  readonly incidents: readonly Incident[]
  /** Null if it was not asked for. */
  readonly total: number | null
  /** Likewise, of each level and whatever the levels of the filter are. */
  readonly totalByLevel: Readonly<Record<EventLevel, number>> | null
  /** True if there are more incidents than are looked at: the total is at least that. */
  readonly isPartial: boolean
}

const noTotals = { total: null, totalByLevel: null }

export class Incidents {
  private readonly records: TimeIndexedRecords<Incident>
  private readonly documents: DocumentStore
  private readonly clock: Clock
  private readonly mutex = createRecordMutex()

  constructor({ documents, clock }: { documents: DocumentStore; clock: Clock }) {
    this.records = new TimeIndexedRecords("incident", documents)
    this.documents = documents
    this.clock = clock
  }

  /** Creates or replaces an incident, keeping id and first time; resolves when synced. */
  async store(tenant: TenantIndex, incident: Incident): Promise<void> {
    await this.mutex.run(`${tenant}/${incident.id}`, () =>
      this.documents.putAll(this.records.putChanges(tenant, incident)),
    )
  }

  /** Throws `missing` if there is none. */
  async get(tenant: TenantIndex, id: string): Promise<Incident> {
    const incident = await this.records.find(tenant, id)
    if (incident === undefined) throw new ServiceError("missing", "Expected the id of an incident")
    return incident
  }

  /** The incidents that match a filter, by the time when they first fired. */
  async find(
    tenant: TenantIndex,
    filter: IncidentFilter,
    bounds: ReadBounds = unbounded,
  ): Promise<FoundIncidents> {
    const { offset, limit, needsTotal, isNewestFirst } = filter
    const span = { startMs: 0, endMs: filter.endMs ?? Number.MAX_SAFE_INTEGER }
    const pages = isNewestFirst
      ? this.records.pagesBack(tenant, span)
      : this.records.pages(tenant, span)
    const ofAnyLevel = { ...filter, levels: [] }
    const totalByLevel = { INFO: 0, WARNING: 0, CRITICAL: 0 }
    const incidents: Incident[] = []
    let [matching, seen, isStopped] = [0, 0, false]
    for await (const page of pages) {
      seen += page.length
      for (const incident of page) {
        if (!matches(incident, ofAnyLevel)) continue
        if (incident.level !== undefined) totalByLevel[incident.level]++
        if (!hasLevel(incident, filter.levels)) continue
        if (matching >= offset && matching < offset + limit) incidents.push(incident)
        matching++
      }
      const isFull = matching >= offset + limit
      if (isFull && (!needsTotal || seen >= countedRecordsMax)) break
      isStopped = bounds.isOver()
      if (isStopped) break
    }
    const isPartial = isStopped || (needsTotal && seen >= countedRecordsMax)
    const totals = needsTotal ? { total: matching, totalByLevel } : noTotals
    return { incidents, ...totals, isPartial }
  }

  /** Closes an incident for a user, as of now; does nothing if it is closed. */
  async close(tenant: TenantIndex, id: string): Promise<void> {
    await this.mutex.run(`${tenant}/${id}`, async () => {
      const incident = await this.get(tenant, id)
      if (incident.closedMs !== null) return
      const closeReason = "user" as const
      const closed = { ...incident, closedMs: this.clock.nowMs(), closeReason }
      await this.documents.putAll(this.records.putChanges(tenant, closed))
    })
  }

  /** Acknowledges an incident that is not open; null takes it back. Returns it as it is now. */
  acknowledge(tenant: TenantIndex, id: string, ack: IncidentAck | null): Promise<Incident> {
    return this.mutex.run(`${tenant}/${id}`, async () => {
      const changed = acknowledged(await this.get(tenant, id), ack)
      await this.documents.putAll(this.records.putChanges(tenant, changed))
      return changed
    })
  }

  /** Removes closed incidents that last fired before `oldestMs`, with outcomes of their messages. */
  async removeBefore(tenant: TenantIndex, oldestMs: number): Promise<void> {
    await this.records.removeWhere(
      tenant,
      { startMs: 0, endMs: oldestMs },
      ({ closedMs, lastFiredMs }) => closedMs !== null && lastFiredMs < oldestMs,
      (incident) => this.outcomeDeletions(tenant, incident),
    )
  }

  private async outcomeDeletions(
    tenant: TenantIndex,
    { id, messages = [] }: Incident,
  ): Promise<readonly DocumentChange[]> {
    if (messages.length === 0) return []
    const kind = deliveryKind(tenant)
    const found = await this.documents.list(kind, outcomeRange(id))
    return found.map((one) => ({ kind, id: one.id, document: null }))
  }
}

function matches(incident: Incident, filter: IncidentFilter): boolean {
  const { startMs, policyId, element, elementName, isClosed, isAcked, levels, text } = filter
  const { policyName = "", elementFqn } = incident
  return (
    (startMs === null || incident.lastFiredMs >= startMs) &&
    (policyId === null || incident.policyId === policyId) &&
    (element === null || incident.elementId === element || incident.elementFqn === element) &&
    (elementName === null || includes(incident.elementName, elementName)) &&
    (isClosed === null || isClosed === (incident.closedMs !== null)) &&
    (isAcked === null || isAcked === incident.acked) &&
    hasLevel(incident, levels) &&
    (text === null ||
      [policyName, incident.elementName, elementFqn].some((one) => includes(one, text)))
  )
}

function hasLevel({ level }: Incident, levels: readonly EventLevel[]): boolean {
  return levels.length === 0 || (level !== undefined && levels.includes(level))
}

/** The incident as acknowledged; null takes it back. */
export function acknowledged(incident: Incident, ack: IncidentAck | null): Incident {
  const { ack: _former, ...rest } = incident
  return ack === null ? { ...rest, acked: false } : { ...rest, acked: true, ack }
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
