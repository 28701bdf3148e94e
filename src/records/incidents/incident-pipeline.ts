/**
 * The incident pipeline turns policy matches from all sources into events, incidents and
 * notifications.
 *
 *   closing of a cycle ─► applyBatch      ─┐
 *   external event     ─► applyEvents     ─┤   one transaction at a time per tenant: collect
 *   expired check      ─► (CheckMonitor)  ─┤   changes ─► commit ─► update the index of open
 *   user               ─► close           ─┘   incidents in memory
 *
 * All ids are computed from the match, so repeating a match changes nothing.
 */

import { assert } from "../../base/assert.ts"
import { ServiceError } from "../../base/errors.ts"
import type { Clock } from "../../base/clock.ts"
import type { WatchedTime } from "../../base/time/watched-time.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import type { NameValue } from "../../model/element.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import { elementUuid } from "../../model/fqn.ts"
import type { Incident, IncidentAck, OpenIncident } from "../../model/records/incident.ts"
import type { NotificationMessage } from "../../model/records/notification-message.ts"
import { timeIndexedKind } from "../../model/records/time-key.ts"
import type { Policy } from "../../model/records/policy.ts"
import { cycleMs, hourMs } from "../../model/resolution.ts"
import { messageOf } from "../../policy/event-condition.ts"
import { cycleCloseReason } from "../../policy/incident-life.ts"
import { isInMaintenance } from "../../policy/maintenance.ts"
import type { PolicyMatch } from "../../policy/policy-event.ts"
import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import type { ScopeSubject } from "../../policy/scope.ts"
import type { AffectedElement, EvaluatedElement, Violation } from "../../policy/violation.ts"
import { noListener, type ChangeListener } from "./change-listener.ts"
import { IncidentTransaction } from "./incident-transaction.ts"
import type { Incidents } from "./incidents.ts"
import type { OpenIncidentIndex, OpenIncidents } from "./open-incidents.ts"
import type { Policies } from "./policies.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** The properties of an element that policies and their events refer to. */
export interface WatchedElement extends EventElement {
  readonly attributes: readonly NameValue[]
  /** Tags set by users; `tags` contains them, too. */
  readonly serviceTags: readonly NameValue[]
}

/** Looks up the current properties of elements by FQN; unknown elements are absent. */
export type ElementLookup = (
  tenant: TenantIndex,
  elementFqns: readonly string[],
) => Promise<ReadonlyMap<string, WatchedElement>>

/** Selects by id the notifications whose service keeps an alert open until it gets the end. */
export type AlertKeepers = (
  tenant: TenantIndex,
  ids: readonly number[],
) => Promise<ReadonlySet<number>>

/** The write side of the outbox. */
export interface NotificationOutbox {
  /** The changes that enqueue messages, for the transaction that decides on them. */
  changes(messages: readonly NotificationMessage[]): readonly DocumentChange[]
  /** Wakes the delivery worker. */
  notifyWork(): void
}

interface IncidentPipelineDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly policies: Pick<Policies, "activeSet" | "mutes">
  readonly incidents: Pick<Incidents, "acknowledge" | "close" | "get">
  readonly open: OpenIncidents
  /** Of notifications those whose service keeps an alert open until its end; none if absent. */
  readonly alertKeepers?: AlertKeepers
  readonly lookUpElements: ElementLookup
  readonly outbox: NotificationOutbox
  readonly tenantUuid: (tenant: TenantIndex) => string
  readonly listener?: Pick<ChangeListener, "incidents" | "events">
  /** Absent in tests, whose clock is all that is watched. */
  readonly watchedTime?: Pick<WatchedTime, "sinceMs">
}

/** Stores changes and the caller's own in one transaction; false if nothing was stored. */
export type Commit = (changes: readonly DocumentChange[]) => Promise<boolean | void>

/** The policy results of one cycle batch. */
export interface BatchViolations {
  readonly cycleStartMs: number
  /** The nominal time of the closing, so that a repeated batch stores the same bytes. */
  readonly nowMs: number
  /** All elements of the batch, with or without violations. */
  readonly evaluated: readonly EvaluatedElement[]
  readonly violations: readonly Violation[]
  /** True of an unwatched cycle: that a policy finds nothing there ends no incident. */
  readonly isUnwatched?: boolean
}

/** Actions of users on incidents. */
export type IncidentAction =
  { readonly action: "ack"; readonly ack: IncidentAck } | { readonly action: "unack" | "close" }

export interface ChangedIncidents {
  readonly changed: number
  /** Ids of no incident of the tenant. */
  readonly missing: readonly string[]
}

interface ChangedIncident {
  readonly known: Incident
  /** Undefined if it is closed. */
  readonly open: OpenIncident | undefined
  readonly change: IncidentAction
}

/** Older external events are stored as history and evaluated by no policy. */
const eventAgeMsMax = hourMs
/** An incident of external events closes after at least this time without an event. */
const quietMsMin = cycleMs

/** An element with the policies whose scope contains it. */
export interface ElementMatchers {
  readonly element: AffectedElement
  readonly matchers: readonly PolicyMatcher[]
  readonly inMaintenance: boolean
}

export class IncidentPipeline {
  private readonly deps: IncidentPipelineDeps

  constructor(deps: IncidentPipelineDeps) {
    this.deps = deps
  }

  /**
   * Turns the violations of a batch into events, incidents and notifications, and closes incidents
   * of its elements whose policy found no violation. `commit` stores the changes together with the
   * synthetic cells of the batch; it returns false if the batch was stored before.
   */
  async applyBatch(tenant: TenantIndex, batch: BatchViolations, commit: Commit): Promise<void> {
    const { nowMs, cycleStartMs, evaluated, violations, isUnwatched = false } = batch
    const inBatch = new Set(evaluated.map(({ fqn }) => fqn))
    const isOfBatch = ({ element }: Violation): boolean => inBatch.has(element.fqn)
    assert(violations.every(isOfBatch), "Expected violations of the batch's elements")
    const set = await this.deps.policies.activeSet(tenant)
    await this.runTransaction(tenant, { nowMs, commit }, async (transaction, index) => {
      for (const { policyId, element, results } of violations) {
        const policy = set.byId(policyId)?.policy
        if (policy === undefined) continue
        const window = String(cycleStartMs)
        transaction.fire({ policy, element, cause: "cycle", window, timeMs: cycleStartMs, results })
      }
      for (const element of isUnwatched ? [] : evaluated) {
        for (const open of index.ofElement(element.fqn)) {
          if (open.cause !== "cycle" || transaction.hasFired(open)) continue
          const isInForce = set.byId(open.incident.policyId) !== undefined
          transaction.close(open, isInForce ? cycleCloseReason(open, element) : "ended")
        }
      }
    })
  }

  /**
   * Closes incidents of external events that were not repeated within the policy's duration, of
   * policies that do not watch the element or the check any more, and of elements in maintenance.
   * Sends due reminders for the others. Called once per cycle.
   */
  async sweep(tenant: TenantIndex, nowMs: number): Promise<void> {
    const { policies, clock, watchedTime } = this.deps
    const sinceMs = watchedTime?.sinceMs() ?? -Infinity
    const silence = { nowMs: clock.nowMs(), sinceMs }
    const set = await policies.activeSet(tenant)
    await this.runTransaction(tenant, { nowMs }, async (transaction, index) => {
      const candidates = [...index.all()].filter(({ cause }) => cause !== "cycle")
      const about = candidates.map(({ incident }) => incident)
      const watched = await this.matchersFor(tenant, { set, nowMs }, about)
      for (const open of candidates) {
        const { matchers, inMaintenance } = watched.get(open.incident.elementFqn)!
        const policy = matchers.map((one) => one.policy).find(({ id }) => isOf(open, id))
        if (policy === undefined || !isWatched(open, policy) || inMaintenance) {
          transaction.close(open, "ended")
        } else if (isQuiet(open, policy, silence)) transaction.close(open, "quiet")
        else transaction.remind(open)
      }
    })
  }

  /** Stores external events by `commit`, together with the incidents that policies derive. */
  async applyEvents(
    tenant: TenantIndex,
    events: readonly ElementEvent[],
    commit: Commit,
  ): Promise<void> {
    const nowMs = this.deps.clock.nowMs()
    this.deps.watchedTime?.sinceMs()
    const set = await this.deps.policies.activeSet(tenant)
    const relevant = events.filter(
      (event) => nowMs - event.timeMs <= eventAgeMsMax && set.matchesAny(event),
    )
    const watched = await this.matchersFor(tenant, { set, nowMs }, relevant)
    const matches = relevant.flatMap((event) => matchesOf(event, watched.get(event.elementFqn)))
    if (matches.length === 0) {
      await commit([])
      return
    }
    await this.runTransaction(tenant, { nowMs, commit }, async (transaction) => {
      for (const match of matches) {
        const isKnown = await this.isStored(tenant, match.window)
        if (!isKnown) transaction.fire(match)
      }
    })
  }

  /** Closes an incident as of now and notifies; does nothing if it is closed. */
  async close(tenant: TenantIndex, id: string): Promise<void> {
    await this.deps.incidents.get(tenant, id)
    const nowMs = this.deps.clock.nowMs()
    await this.runTransaction(tenant, { nowMs }, async (transaction, index) => {
      const open = [...index.all()].find(({ incident }) => incident.id === id)
      if (open === undefined) await this.deps.incidents.close(tenant, id)
      else transaction.close(open, "user")
    })
  }

  /**
   * Acknowledges incidents, takes that back or closes them, in one transaction and as of now. One
   * that is so already is not changed. Unknown ids are returned.
   */
  async changeMany(
    tenant: TenantIndex,
    ids: readonly string[],
    change: IncidentAction,
  ): Promise<ChangedIncidents> {
    const nowMs = this.deps.clock.nowMs()
    const missing: string[] = []
    let changed = 0
    await this.runTransaction(tenant, { nowMs }, async (transaction, index) => {
      const open = new Map([...index.all()].map((one) => [one.incident.id, one]))
      for (const id of new Set(ids)) {
        const known = open.get(id)?.incident ?? (await this.find(tenant, id))
        if (known === undefined) missing.push(id)
        else if (!isSo(known, change)) {
          changed++
          await this.changeOne(tenant, { known, open: open.get(id), change }, transaction)
        }
      }
    })
    return { changed, missing }
  }

  private async changeOne(
    tenant: TenantIndex,
    { known, open, change }: ChangedIncident,
    transaction: IncidentTransaction,
  ): Promise<void> {
    const { incidents, listener = noListener } = this.deps
    const ack = change.action === "ack" ? change.ack : null
    if (change.action === "close") {
      if (open === undefined) await incidents.close(tenant, known.id)
      else transaction.close(open, "user")
    } else if (open !== undefined) transaction.acknowledge(open, ack)
    else {
      const incident = await incidents.acknowledge(tenant, known.id, ack)
      listener.incidents(tenant, [{ step: ack === null ? "unacked" : "acked", incident }])
    }
  }

  private async find(tenant: TenantIndex, id: string): Promise<Incident | undefined> {
    return this.deps.incidents.get(tenant, id).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === "missing") return undefined
      throw error
    })
  }

  /**
   * Collects changes in `work` with no other transaction of the tenant under way, and stores them:
   * by `commit` if given, or else in a transaction of their own.
   */
  async runTransaction(
    tenant: TenantIndex,
    { nowMs, commit }: { readonly nowMs: number; readonly commit?: Commit },
    work: (transaction: IncidentTransaction, index: OpenIncidentIndex) => Promise<void>,
  ): Promise<void> {
    const { documents, open, outbox, policies, tenantUuid } = this.deps
    await open.runExclusive(tenant, async (index) => {
      const muted = new Set((await policies.mutes(tenant)).keys())
      const set = await policies.activeSet(tenant)
      const policyOf = (id: string) => set.byId(id)?.policy
      const options = { tenant, tenantUuid: tenantUuid(tenant), nowMs, muted, policyOf }
      const transaction = new IncidentTransaction(options, { index, documents })
      await work(transaction, index)
      const unasked = transaction.unaskedEnds()
      transaction.notifyEnds(await this.alertKeepers(tenant, unasked))
      const changes = [...transaction.changes(), ...outbox.changes(transaction.messages)]
      if (commit !== undefined) {
        if ((await commit(changes)) === false) return
      } else if (changes.length > 0) await documents.putAll(changes)
      const { listener = noListener } = this.deps
      listener.incidents(tenant, transaction.apply())
      listener.events(tenant, transaction.newEvents)
      if (transaction.messages.length > 0) outbox.notifyWork()
    })
  }

  /** The elements of events or checks by FQN, with the policies that watch them. */
  async matchersFor(
    tenant: TenantIndex,
    { set, nowMs }: { readonly set: PolicySet; readonly nowMs: number },
    about: readonly { readonly elementFqn: string }[],
  ): Promise<ReadonlyMap<string, ElementMatchers>> {
    const fqns = [...new Set(about.map(({ elementFqn }) => elementFqn))]
    const known = await this.knownElements(tenant, fqns)
    const uuid = this.deps.tenantUuid(tenant)
    return new Map(
      fqns.map((fqn): [string, ElementMatchers] => {
        const properties = known.get(fqn) ?? { ...unknownElement, name: fqn }
        const { name, type, location, tags, attributes, serviceTags } = properties
        const subject: ScopeSubject = { fqn, name, type, tags, attributes }
        const matchers = Array.from(set.policiesFor(subject), (index) => set.matchers[index]!)
        const element = { id: elementUuid(uuid, fqn), fqn, name, type, location, tags }
        return [fqn, { element, matchers, inMaintenance: isInMaintenance(serviceTags, nowMs) }]
      }),
    )
  }

  private async alertKeepers(
    tenant: TenantIndex,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const { alertKeepers } = this.deps
    return ids.length === 0 || alertKeepers === undefined ? new Set() : alertKeepers(tenant, ids)
  }

  private async knownElements(
    tenant: TenantIndex,
    fqns: readonly string[],
  ): Promise<ReadonlyMap<string, WatchedElement>> {
    if (fqns.length === 0) return new Map()
    return this.deps.lookUpElements(tenant, fqns)
  }

  /** True if an external event was stored before: a repeat. */
  private async isStored(tenant: TenantIndex, eventId: string): Promise<boolean> {
    const time = await this.deps.documents.get(timeIndexedKind("eventTime", tenant), eventId)
    return time !== undefined && time !== null
  }
}

function isSo({ acked, closedMs }: Incident, { action }: IncidentAction): boolean {
  return action === "close" ? closedMs !== null : action === "unack" && !acked
}

/** For events of elements that never sent a sample. */
const unknownElement: WatchedElement = {
  name: "",
  type: "unknown",
  location: null,
  tags: [],
  attributes: [],
  serviceTags: [],
}

function matchesOf(event: ElementEvent, watched: ElementMatchers | undefined): PolicyMatch[] {
  if (watched === undefined || watched.inMaintenance) return []
  const { title, source } = event
  const texts = { title, message: messageOf(event), source }
  return watched.matchers
    .filter(({ events }) => events?.matches(event))
    .map(({ policy, events }): PolicyMatch => ({
      policy,
      element: watched.element,
      cause: "event",
      window: event.id,
      timeMs: event.timeMs,
      results: events!.results(event),
      texts,
    }))
}

function isOf({ incident }: OpenIncident, policyId: string): boolean {
  return incident.policyId === policyId
}

/** Whether the policy still watches the check, if the incident is about one. */
function isWatched({ cause, subject }: OpenIncident, { checkCondition }: Policy): boolean {
  return cause !== "check" || checkCondition?.checkName === subject
}

/** Whether no external event came for the policy's duration, while the server would have seen it. */
function isQuiet(
  { cause, touchedMs }: OpenIncident,
  { duration }: Policy,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): boolean {
  // The last event is in the future if the clock was set back.
  const quietSinceMs = touchedMs > nowMs ? sinceMs : Math.max(touchedMs, sinceMs)
  return cause === "event" && nowMs - quietSinceMs >= Math.max(quietMsMin, duration * 1000)
}
