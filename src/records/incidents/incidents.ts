/** Incidents: runs of events of one policy at one element. */

import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentStore } from "../../model/document.ts"
import type { Incident } from "../../model/records/incident.ts"
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
  readonly limit: number
  readonly offset: number
}

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

  /** The incidents that match a filter, oldest first. */
  async find(tenant: TenantIndex, filter: IncidentFilter): Promise<Incident[]> {
    const span = { startMs: 0, endMs: filter.endMs ?? Number.MAX_SAFE_INTEGER }
    const end = filter.offset + filter.limit
    const found: Incident[] = []
    for await (const page of this.records.pages(tenant, span)) {
      for (const incident of page) if (matches(incident, filter)) found.push(incident)
      if (found.length >= end) break
    }
    return found.slice(filter.offset, end)
  }

  /** Closes an incident as of now; does nothing if it is closed. */
  async close(tenant: TenantIndex, id: string): Promise<void> {
    await this.mutex.run(`${tenant}/${id}`, async () => {
      const incident = await this.get(tenant, id)
      if (incident.closedMs !== null) return
      const closed = { ...incident, closedMs: this.clock.nowMs() }
      await this.documents.putAll(this.records.putChanges(tenant, closed))
    })
  }

  /** Removes closed incidents that last fired before `oldestMs`. */
  async removeBefore(tenant: TenantIndex, oldestMs: number): Promise<void> {
    await this.records.removeWhere(
      tenant,
      { startMs: 0, endMs: oldestMs },
      ({ closedMs, lastFiredMs }) => closedMs !== null && lastFiredMs < oldestMs,
    )
  }
}

function matches(incident: Incident, filter: IncidentFilter): boolean {
  const { startMs, policyId, element, elementName, isClosed } = filter
  return (
    (startMs === null || incident.lastFiredMs >= startMs) &&
    (policyId === null || incident.policyId === policyId) &&
    (element === null || incident.elementId === element || incident.elementFqn === element) &&
    (elementName === null || includes(incident.elementName, elementName)) &&
    (isClosed === null || isClosed === (incident.closedMs !== null))
  )
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}
