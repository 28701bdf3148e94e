/** Incidents: runs of events of one policy at one element. */

import { assert } from "../../base/assert.ts"
import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import { countedRecordsMax } from "../../base/limits/records.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { deliveryKind, outcomeRange } from "../../model/records/delivery.ts"
import type { EventLevel } from "../../model/records/event-level.ts"
import type { Incident, IncidentAck } from "../../model/records/incident.ts"
import type { Span } from "../../model/span.ts"
import { unbounded, visitCounted, type ReadBounds } from "../core/read-bounds.ts"
import { TimeIndexedRecords } from "../core/time-indexed-records.ts"
import { createRecordMutex } from "../core/record-mutex.ts"
import { IncidentGrouping, type FoundGroups, type GroupOptions } from "./incident-groups.ts"
import {
  hasLevel,
  matchesFilter,
  sortedIncidents,
  type IncidentFilter,
  type IncidentListing,
} from "./incident-filter.ts"
import { LevelCounts, type LevelHistogram } from "./level-counts.ts"
import type { OpenIncidents } from "./open-incidents.ts"

export type { Incident, IncidentFilter, IncidentListing }

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

interface IncidentsDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly open: Pick<OpenIncidents, "list">
}

export class Incidents {
  private readonly records: TimeIndexedRecords<Incident>
  private readonly documents: DocumentStore
  private readonly clock: Clock
  private readonly open: Pick<OpenIncidents, "list">
  private readonly mutex = createRecordMutex()

  constructor({ documents, clock, open }: IncidentsDeps) {
    this.records = new TimeIndexedRecords("incident", documents)
    this.documents = documents
    this.clock = clock
    this.open = open
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

  /** The incidents that match a filter, in the order of the listing. */
  async find(
    tenant: TenantIndex,
    listing: IncidentListing,
    bounds: ReadBounds = unbounded,
  ): Promise<FoundIncidents> {
    const { offset, limit, needsTotal, levels } = listing
    const ofAnyLevel = { ...listing, levels: [] }
    const totalByLevel = { INFO: 0, WARNING: 0, CRITICAL: 0 }
    const incidents: Incident[] = []
    let [matching, seen, isStopped] = [0, 0, false]
    for await (const page of this.pages(tenant, ofAnyLevel)) {
      seen += page.length
      for (const incident of page) {
        if (!matchesFilter(incident, ofAnyLevel)) continue
        if (incident.level !== undefined) totalByLevel[incident.level]++
        if (!hasLevel(incident, levels)) continue
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

  /**
   * Groups of the incidents that match a filter, of the newest `countedRecordsMax`. Open ones
   * count until now, or until the end of the filter.
   */
  async findGroups(
    tenant: TenantIndex,
    filter: IncidentFilter,
    options: GroupOptions,
    bounds: ReadBounds = unbounded,
  ): Promise<FoundGroups> {
    const nowMs = this.clock.nowMs()
    const window = { startMs: filter.startMs ?? 0, endMs: Math.min(filter.endMs ?? nowMs, nowMs) }
    const grouping = new IncidentGrouping(options, window)
    const newestFirst = { ...filter, sortBy: "since", isNewestFirst: true } as const
    const isPartial = await visitCounted(this.pages(tenant, newestFirst), bounds, (page) => {
      for (const incident of page) if (matchesFilter(incident, filter)) grouping.add(incident)
    })
    return { ...grouping.groups(), isPartial }
  }

  /**
   * Counts by level of the incidents that match a filter and first fired in a window, in equal
   * parts of it. Those of earlier versions have no level and count as INFO.
   */
  async histogram(
    tenant: TenantIndex,
    filter: IncidentFilter,
    { span, parts }: { readonly span: Span; readonly parts: number },
    bounds: ReadBounds = unbounded,
  ): Promise<LevelHistogram> {
    const counts = new LevelCounts(span, parts)
    const pages = this.records.pagesBack(tenant, span)
    const isPartial = await visitCounted(pages, bounds, (page) => {
      for (const incident of page) {
        const { timeMs, level = "INFO" } = incident
        if (matchesFilter(incident, filter)) counts.add(timeMs, level)
      }
    })
    return counts.histogram(isPartial)
  }

  /** Candidates of a list in its order. Open ones are in memory; the store goes by time alone. */
  private async *pages(
    tenant: TenantIndex,
    listing: IncidentFilter & Pick<IncidentListing, "sortBy" | "isNewestFirst">,
  ): AsyncGenerator<readonly Incident[]> {
    const { isClosed, endMs, sortBy, isNewestFirst } = listing
    if (isClosed === false) {
      const open = await this.open.list(tenant)
      const passing = open.filter((incident) => matchesFilter(incident, listing))
      yield sortedIncidents(passing, listing)
      return
    }
    assert(sortBy === "since", "Expected only open incidents to be sorted by another field")
    const span = { startMs: 0, endMs: endMs ?? Number.MAX_SAFE_INTEGER }
    yield* isNewestFirst ? this.records.pagesBack(tenant, span) : this.records.pages(tenant, span)
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

/** The incident as acknowledged; null takes it back. */
export function acknowledged(incident: Incident, ack: IncidentAck | null): Incident {
  const { ack: _former, ...rest } = incident
  return ack === null ? { ...rest, acked: false } : { ...rest, acked: true, ack }
}
