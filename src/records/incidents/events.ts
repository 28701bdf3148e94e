/** Events: those posted by clients and those of policies. Kept for a retention, read by window. */

import { TokenBucket } from "../../base/token-bucket.ts"
import type { Clock } from "../../base/clock.ts"
import { ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"
import { cut } from "../../base/text/truncate.ts"
import { uuidV3 } from "../../base/uuid.ts"
import type { DocumentStore } from "../../model/document.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import { levelOf } from "../../model/records/event-level.ts"
import type { PostedEvent, PostedEvents } from "../../model/records/posted-event.ts"
import { elementUuid } from "../../model/fqn.ts"
import type { Span } from "../../model/span.ts"
import { noListener, type ChangeListener } from "./change-listener.ts"
import type { IncidentPipeline } from "./incident-pipeline.ts"
import { annotationEvent, type NewAnnotation } from "./annotation.ts"
import { wholePage, type EventFilter, type EventPage } from "./event-filter.ts"
import { CachedElements, EventSearch, type FoundEvents } from "./event-search.ts"
import type { EventElementLookup, EventWithElement } from "./event-search.ts"
import type { GroupCommitQueue } from "./group-commit-queue.ts"
import type { LevelHistogram } from "./level-counts.ts"
import { unbounded, type ReadBounds } from "../core/read-bounds.ts"
import { TimeIndexedRecords } from "../core/time-indexed-records.ts"
import type { TenantIndex } from "../../model/ids.ts"

interface EventsDeps {
  readonly documents: DocumentStore
  readonly commitQueue: Pick<GroupCommitQueue, "put">
  readonly clock: Clock
  readonly random: Random
  readonly tenantUuid: (tenant: TenantIndex) => string
  /** Accepted distance of an external event's time from now. */
  readonly accept: { readonly pastMs: number; readonly futureMs: number }
  /** Limit of external events per tenant and minute; none if absent or 0. */
  readonly eventsPerMinute?: number
  /** Evaluates policies for external events; absent in tests without policies. */
  readonly incidentPipeline?: Pick<IncidentPipeline, "applyEvents">
  readonly listener?: Pick<ChangeListener, "events">
}

export type { EventElementLookup, EventWithElement }

export interface EventCounts {
  readonly stored: number
  readonly discarded: number
}

export class Events {
  private stored = 0
  private discarded = 0
  private readonly records: TimeIndexedRecords<ElementEvent>
  private readonly deps: EventsDeps
  private readonly rates = new Map<number, TokenBucket>()
  private eventsPerMinute: number

  constructor(deps: EventsDeps) {
    this.deps = deps
    this.eventsPerMinute = deps.eventsPerMinute ?? 0
    this.records = new TimeIndexedRecords("event", deps.documents)
  }

  /** The range of times accepted for external events now, both ends included. */
  acceptedPeriod(): {
    readonly nowMs: number
    readonly oldestMs: number
    readonly newestMs: number
  } {
    const { clock, accept } = this.deps
    const nowMs = clock.nowMs()
    return { nowMs, oldestMs: nowMs - accept.pastMs, newestMs: nowMs + accept.futureMs }
  }

  /**
   * Stores external events; resolves when they are synced. Repeating an event changes nothing,
   * because its id is computed from its fields, unless the server gave its time: nothing then says
   * that an equal one is a repeat. `source` is the default for events without one.
   */
  async accept(
    tenant: TenantIndex,
    { received, events }: PostedEvents,
    source: string | null,
  ): Promise<void> {
    this.chargeRate(tenant, events.length)
    const stored = events.map((posted) => this.external(tenant, { posted, source }))
    await this.store(tenant, stored)
    this.stored += stored.length
    this.discarded += received - stored.length
  }

  /** External events since the start: stored ones, and those discarded for lack of an element. */
  get figures(): EventCounts {
    return { stored: this.stored, discarded: this.discarded }
  }

  /** Stores the text of a webhook as an event of an element; resolves when it is synced. */
  async acceptText(
    tenant: TenantIndex,
    { text, elementFqn, source }: { text: string; elementFqn: string; source: string },
  ): Promise<void> {
    this.chargeRate(tenant, 1)
    const nowMs = this.deps.clock.nowMs()
    const event: ElementEvent = {
      id: this.deps.random.uuid(),
      timeMs: nowMs,
      processedMs: nowMs,
      elementFqn,
      elementId: elementUuid(this.deps.tenantUuid(tenant), elementFqn),
      level: levelOf(null, webhookType),
      type: webhookType,
      title: titleOf(text),
      source,
      data: { elementId: elementFqn, message: text },
      tags: [],
      isExternal: true,
      policy: null,
      element: null,
    }
    await this.store(tenant, [event])
    this.stored++
  }

  /** Changes the limit of every tenant; 0 is none. */
  setRate(eventsPerMinute: number): void {
    this.eventsPerMinute = eventsPerMinute
    this.rates.clear()
  }

  /**
   * Charges a post to the tenant's rate, or throws `throttled`. A post may overdraw the bucket, so
   * that a post of any size is accepted eventually; later ones then wait longer.
   */
  private chargeRate(tenant: TenantIndex, count: number): void {
    const { eventsPerMinute, deps } = this
    const { clock } = deps
    if (eventsPerMinute === 0 || count === 0) return
    const nowMs = clock.nowMs()
    const known = this.rates.get(tenant)
    const bucket = known ?? new TokenBucket(eventsPerMinute, nowMs)
    if (known === undefined) this.rates.set(tenant, bucket)
    const waitMs = bucket.waitMs(Number.MIN_VALUE, nowMs)
    if (waitMs > 0) {
      const problem =
        `The account sends more than ${eventsPerMinute} events a minute (--events-per-minute); ` +
        "nothing was stored"
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
      throw new ServiceError("throttled", problem, { retryAfterSeconds })
    }
    bucket.consume(count)
  }

  /** Stores an event of a policy; resolves when it is synced. */
  async add(tenant: TenantIndex, event: ElementEvent): Promise<void> {
    await this.deps.commitQueue.put(this.records.putChanges(tenant, event))
  }

  /**
   * The events that match a filter, oldest first if `page` does not say otherwise. Throws `invalid`
   * if there are more than `eventsPerAnswerMax` and `page` has no limit, `cancelled` as `bounds`.
   */
  async find(
    tenant: TenantIndex,
    filter: EventFilter,
    lookUpElements: EventElementLookup,
    page: EventPage = wholePage,
    bounds: ReadBounds = unbounded,
  ): Promise<FoundEvents> {
    return new EventSearch(this.records, { tenant, filter, lookUpElements, bounds }).find(page)
  }

  /** Counts by level of the events that match a filter, in `count` equal parts of its window. */
  async histogram(
    tenant: TenantIndex,
    filter: EventFilter,
    lookUpElements: EventElementLookup,
    count: number,
    bounds: ReadBounds = unbounded,
  ): Promise<LevelHistogram> {
    const options = { tenant, filter, lookUpElements, bounds }
    return new EventSearch(this.records, options).histogram(count)
  }

  /** Stores what a user noted; no policy evaluates it. Resolves when it is synced. */
  async annotate(tenant: TenantIndex, note: NewAnnotation): Promise<ElementEvent> {
    this.chargeRate(tenant, 1)
    const { commitQueue, clock, random, tenantUuid, listener = noListener } = this.deps
    const made = { id: random.uuid(), nowMs: clock.nowMs(), tenantUuid: tenantUuid(tenant) }
    const event = annotationEvent(note, made)
    await commitQueue.put(this.records.putChanges(tenant, event))
    listener.events(tenant, [event])
    return event
  }

  /** Throws `missing` if there is no such event. */
  async get(
    tenant: TenantIndex,
    id: string,
    lookUpElements: EventElementLookup,
  ): Promise<EventWithElement> {
    const event = await this.existing(tenant, id)
    const [known] = await new CachedElements(lookUpElements).of([event])
    return known!
  }

  /** Removes one event; throws `missing` if there is none. */
  async remove(tenant: TenantIndex, id: string): Promise<void> {
    const event = await this.existing(tenant, id)
    await this.deps.documents.putAll(this.records.deleteChanges(tenant, event))
  }

  /** Removes all events of a policy. */
  async removeOfPolicy(tenant: TenantIndex, policyId: string): Promise<void> {
    const everything = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
    await this.records.removeWhere(tenant, everything, ({ policy }) => policy?.id === policyId)
  }

  /** Number of events in the window by policy; policies without events are absent. */
  async countByPolicy(tenant: TenantIndex, span: Span): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for await (const page of this.records.pages(tenant, span)) {
      for (const { policy } of page) {
        if (policy !== null) counts.set(policy.id, (counts.get(policy.id) ?? 0) + 1)
      }
    }
    return counts
  }

  /** Removes events older than `oldestMs`. */
  async removeBefore(tenant: TenantIndex, oldestMs: number): Promise<void> {
    await this.records.removeWhere(tenant, { startMs: 0, endMs: oldestMs }, () => true)
  }

  /** Stores external events, and what policies make of them, in one transaction. */
  private async store(tenant: TenantIndex, events: readonly ElementEvent[]): Promise<void> {
    const { commitQueue, incidentPipeline, listener = noListener } = this.deps
    const changes = events.flatMap((event) => this.records.putChanges(tenant, event))
    if (incidentPipeline === undefined) await commitQueue.put(changes)
    else
      await incidentPipeline.applyEvents(tenant, events, (more) =>
        commitQueue.put([...changes, ...more]),
      )
    listener.events(tenant, events)
  }

  private async existing(tenant: TenantIndex, id: string): Promise<ElementEvent> {
    const event = await this.records.find(tenant, id)
    if (event === undefined) throw new ServiceError("missing", "Expected the id of an event")
    return event
  }

  private external(
    tenant: TenantIndex,
    { posted, source }: { posted: PostedEvent; source: string | null },
  ): ElementEvent {
    const tenantUuid = this.deps.tenantUuid(tenant)
    return {
      id: posted.isTimed ? uuidV3(tenantUuid, nameOf(posted)) : this.deps.random.uuid(),
      timeMs: posted.timeMs,
      processedMs: this.deps.clock.nowMs(),
      elementFqn: posted.elementFqn,
      elementId: elementUuid(tenantUuid, posted.elementFqn),
      level: posted.level,
      type: posted.type,
      title: posted.title,
      source: posted.source ?? source,
      data: posted.data,
      tags: posted.tags,
      isExternal: true,
      policy: null,
      element: null,
    }
  }
}

const webhookType = "WEBHOOK"
const titleCharactersMax = 120

/** The first line of a text that is not blank, truncated. */
function titleOf(text: string): string {
  return cut(text.trim().split(/[\r\n]/, 1)[0]!, titleCharactersMax)
}

/** The fields that identify an event. Element names have no NUL, so no element id collides. */
function nameOf({ timeMs, elementFqn, type, title, source, data, tags }: PostedEvent): string {
  return ["event", JSON.stringify([timeMs, elementFqn, type, title, source, data, tags])].join("\0")
}
