/**
 * Findings: what policies find, as events, incidents and notices, whoever found it.
 *
 *   closing of a cycle ─► closeBatch ─┐
 *   external event     ─► applyEvents  ─┤   in the tenant's turn: steps ─► commit ─► the open
 *   lapse of a check   ─► (lapses)  ─┤   incidents in memory follow what is stored
 *   a person           ─► close     ─┘
 *
 * Every way computes ids from what was found, so that a repeat changes nothing.
 */

import type { Clock } from "../../base/clock.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import type { NameValue } from "../../model/element.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import { elementUuid } from "../../model/fqn.ts"
import type { NotificationMessage } from "../../model/records/notification-message.ts"
import { timeIndexedKind } from "../../model/records/time-key.ts"
import { isInMaintenance } from "../../policy/maintenance.ts"
import type { PolicyMatch } from "../../policy/policy-event.ts"
import type { PolicyMatcher } from "../../policy/policy-matcher.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import type { ScopeSubject } from "../../policy/scope.ts"
import type { AffectedElement, Violation } from "../../policy/violation.ts"
import { IncidentTransaction } from "./incident-transaction.ts"
import type { Incidents } from "./incidents.ts"
import type { OpenIncidentIndex, OpenIncidents } from "./open-incidents.ts"
import type { Policies } from "./policies.ts"

/** What is known of an element where policies ask. */
export interface WatchedElement extends EventElement {
  readonly attributes: readonly NameValue[]
  /** Those that people set; `tags` holds them too. */
  readonly serviceTags: readonly NameValue[]
}

/** What is known of elements now, by FQN; the unknown ones are left out. */
export type ElementLookup = (
  tenant: number,
  elementFqns: readonly string[],
) => Promise<ReadonlyMap<string, WatchedElement>>

/** Where notices become durable, and whoever sends them is woken. */
export interface NotificationOutbox {
  changes(notices: readonly NotificationMessage[]): readonly DocumentChange[]
  notifyWork(): void
}

export interface IncidentPipelineDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly policies: Pick<Policies, "activeSet" | "mutes">
  readonly incidents: Pick<Incidents, "close" | "get">
  readonly open: OpenIncidents
  readonly lookUpElements: ElementLookup
  readonly outbox: NotificationOutbox
  readonly tenantUuid: (tenant: number) => string
}

/** Stores changes, with what the caller adds, in one transaction; false where nothing was stored. */
export type Commit = (changes: readonly DocumentChange[]) => Promise<boolean | void>

/** What the closing of a cycle found in one part. */
export interface BatchViolations {
  readonly cycleStartMs: number
  /** The nominal time of the closing, so that a repeat stores the same bytes. */
  readonly nowMs: number
  /** All elements of the part, whether anything was found at them or not. */
  readonly elementFqns: readonly string[]
  readonly violations: readonly Violation[]
}

/** An event that was told later is history, and alarms nobody. */
export const eventAgeMsMax = 3_600_000
/** The shortest time after which an incident of external events is over: a cycle. */
const quietMsMin = 300_000

/** An element with the policies that may have something to say of it. */
export interface ElementMatchers {
  readonly element: AffectedElement
  readonly matchers: readonly PolicyMatcher[]
  readonly inMaintenance: boolean
}

export class IncidentPipeline {
  private readonly deps: IncidentPipelineDeps

  constructor(world: IncidentPipelineDeps) {
    this.deps = world
  }

  /**
   * Turns the violations of a part into events, incidents and notices, and closes the incidents of
   * its elements for which nothing was found. `commit` stores the changes together with the facts
   * of the part; false says that the part was stored before.
   */
  async applyBatch(tenant: number, part: BatchViolations, commit: Commit): Promise<void> {
    const { nowMs, cycleStartMs, elementFqns, violations } = part
    const set = await this.deps.policies.activeSet(tenant)
    await this.runTransaction(tenant, { nowMs, commit }, async (steps, book) => {
      for (const { policyId, element, results } of violations) {
        const policy = set.byId(policyId)?.policy
        if (policy === undefined) continue
        const [cause, window] = ["cycle", String(cycleStartMs)] as const
        steps.fire({ policy, element, cause, window, timeMs: cycleStartMs, results })
      }
      for (const fqn of elementFqns) {
        for (const open of book.ofElement(fqn)) {
          if (open.cause === "cycle" && !steps.hasFired(open)) steps.close(open)
        }
      }
    })
  }

  /**
   * Once a cycle: closes incidents of external events that did not come again within the policy's
   * duration, those of policies that are no longer in force and of elements in maintenance; and
   * tells of the others again where somebody's turn has come.
   */
  async sweep(tenant: number, nowMs: number): Promise<void> {
    const set = await this.deps.policies.activeSet(tenant)
    await this.runTransaction(tenant, { nowMs }, async (steps, book) => {
      const rest = [...book.all()].filter(({ cause }) => cause !== "cycle")
      const fqns = [...new Set(rest.map(({ incident }) => incident.elementFqn))]
      const known = await this.knownElements(tenant, fqns)
      for (const open of rest) {
        const { policyId, elementFqn } = open.incident
        const policy = set.byId(policyId)?.policy
        const isQuiet =
          open.cause === "event" && nowMs - open.touchedMs >= quietMs(policy?.duration ?? 0)
        const paused = isInMaintenance(known.get(elementFqn)?.serviceTags, nowMs)
        if (policy === undefined || isQuiet || paused) steps.close(open)
        else steps.remind(open)
      }
    })
  }

  /** Stores external events by `commit`, with what policies find in them in the same transaction. */
  async applyEvents(
    tenant: number,
    events: readonly ElementEvent[],
    commit: Commit,
  ): Promise<void> {
    const nowMs = this.deps.clock.nowMs()
    const set = await this.deps.policies.activeSet(tenant)
    const met = events.filter(
      (event) => nowMs - event.timeMs <= eventAgeMsMax && set.matchesAny(event),
    )
    const watched = await this.matchersFor(tenant, { set, nowMs }, met)
    const findings = met.flatMap((event) => violationsOf(event, watched.get(event.elementFqn)))
    if (findings.length === 0) {
      await commit([])
      return
    }
    await this.runTransaction(tenant, { nowMs, commit }, async (steps) => {
      for (const finding of findings) {
        const isKnown = await this.isStored(tenant, finding.window)
        if (!isKnown) steps.fire(finding)
      }
    })
  }

  /** Closes an incident as of now, and tells so; one that is closed stays as it is. */
  async close(tenant: number, id: string): Promise<void> {
    await this.deps.incidents.get(tenant, id)
    const nowMs = this.deps.clock.nowMs()
    await this.runTransaction(tenant, { nowMs }, async (steps, book) => {
      const open = [...book.all()].find(({ incident }) => incident.id === id)
      if (open === undefined) await this.deps.incidents.close(tenant, id)
      else steps.close(open)
    })
  }

  /** Steps in the tenant's turn, stored in one transaction by `commit`, or by themselves. */
  async runTransaction(
    tenant: number,
    { nowMs, commit }: { readonly nowMs: number; readonly commit?: Commit },
    work: (steps: IncidentTransaction, book: OpenIncidentIndex) => Promise<void>,
  ): Promise<void> {
    const { documents, open, outbox, tenantUuid } = this.deps
    await open.runExclusive(tenant, async (book) => {
      const muted = new Set((await this.deps.policies.mutes(tenant)).keys())
      const moment = { tenant, tenantUuid: tenantUuid(tenant), nowMs, muted }
      const steps = new IncidentTransaction(moment, { book, documents })
      await work(steps, book)
      const changes = [...steps.changes(), ...outbox.changes(steps.messages)]
      if (commit !== undefined) {
        if ((await commit(changes)) === false) return
      } else if (changes.length > 0) await documents.putAll(changes)
      steps.apply()
      if (steps.messages.length > 0) outbox.notifyWork()
    })
  }

  /** The elements of events or checks, and who watches them. */
  async matchersFor(
    tenant: number,
    { set, nowMs }: { readonly set: PolicySet; readonly nowMs: number },
    about: readonly { readonly elementFqn: string }[],
  ): Promise<ReadonlyMap<string, ElementMatchers>> {
    const fqns = [...new Set(about.map(({ elementFqn }) => elementFqn))]
    const known = await this.knownElements(tenant, fqns)
    const uuid = this.deps.tenantUuid(tenant)
    return new Map(
      fqns.map((fqn): [string, ElementMatchers] => {
        const facts = known.get(fqn) ?? { ...unknownElement, name: fqn }
        const { name, type, location, tags, attributes, serviceTags } = facts
        const subject: ScopeSubject = { fqn, name, type, tags, attributes }
        const matchers = Array.from(set.policiesFor(subject), (place) => set.matchers[place]!)
        const element = { id: elementUuid(uuid, fqn), fqn, name, type, location, tags }
        return [fqn, { element, matchers, inMaintenance: isInMaintenance(serviceTags, nowMs) }]
      }),
    )
  }

  private async knownElements(tenant: number, fqns: readonly string[]) {
    if (fqns.length === 0) return new Map<string, WatchedElement>()
    return this.deps.lookUpElements(tenant, fqns)
  }

  /** An external event that was stored before is a repeat. */
  private async isStored(tenant: number, eventId: string): Promise<boolean> {
    const time = await this.deps.documents.get(timeIndexedKind("eventTime", tenant), eventId)
    return time !== undefined && time !== null
  }
}

/** Events may be about something that never sent a sample. */
const unknownElement: WatchedElement = {
  name: "",
  type: "unknown",
  location: null,
  tags: [],
  attributes: [],
  serviceTags: [],
}

function violationsOf(event: ElementEvent, watched: ElementMatchers | undefined): PolicyMatch[] {
  if (watched === undefined || watched.inMaintenance) return []
  return watched.matchers
    .filter(({ events }) => events?.matches(event))
    .map(({ policy, events }): PolicyMatch => ({
      policy,
      element: watched.element,
      cause: "event",
      window: event.id,
      timeMs: event.timeMs,
      results: events!.results(event),
    }))
}

function quietMs(durationSeconds: number): number {
  return Math.max(quietMsMin, durationSeconds * 1000)
}
