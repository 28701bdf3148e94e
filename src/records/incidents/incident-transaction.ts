/** Findings of one moment as changes of documents: events, incidents, and what is to be told. */

import { pushAll } from "../../base/many.ts"
import type { DocumentChange, Documents } from "../../model/document.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import { openIncidentKey, type Incident, type OpenIncident } from "../../model/records/incident.ts"
import type { Notice } from "../../model/records/notification-message.ts"
import { closed, fire } from "../../policy/incident-life.ts"
import { tellCleared, tellFired } from "../../policy/alert-notifications.ts"
import { eventOf, type PolicyFinding } from "../../policy/policy-event.ts"
import { forgetting, keeping, type OpenBook } from "./open-incidents.ts"
import { TimedRecords } from "../core/time-indexed-records.ts"

export interface FindingMoment {
  readonly tenant: number
  readonly tenantUuid: string
  /** The nominal time of a cycle's closing, or the moment of what happened. */
  readonly nowMs: number
  /** Policies that are silent now. */
  readonly muted: ReadonlySet<string>
}

/** Gathers steps on top of a book that stays as it is until `apply`. */
export class FindingSteps {
  readonly notices: Notice[] = []
  private readonly moment: FindingMoment
  private readonly book: OpenBook
  private readonly events: TimedRecords<ElementEvent>
  private readonly incidents: TimedRecords<Incident>
  private readonly eventChanges: DocumentChange[] = []
  /** Keys of all that fired, a repeat too. */
  private readonly fired = new Set<string>()
  /** By key: the last state of what changed; null where it was closed. */
  private readonly steps = new Map<string, { open: OpenIncident; closed: Incident | null }>()

  constructor(
    moment: FindingMoment,
    { book, documents }: { book: OpenBook; documents: Documents },
  ) {
    this.moment = moment
    this.book = book
    this.events = new TimedRecords("event", documents)
    this.incidents = new TimedRecords("incident", documents)
  }

  /** A policy found something; the same again changes nothing. */
  fire(finding: PolicyFinding, subject = ""): void {
    const { tenant, tenantUuid, nowMs } = this.moment
    const { cause, policy, element, results } = finding
    const event = eventOf(finding, { tenantUuid, processedMs: nowMs })
    const named = { elementFqn: element.fqn, policyId: policy.id }
    const key = openIncidentKey({ incident: named, cause, subject })
    this.fired.add(key)
    const known = this.current(key, element.fqn)
    const open = fire(known, { cause, subject, event, metrics: results.metrics })
    if (open === known) return
    pushAll(this.eventChanges, this.events.storing(tenant, event))
    this.tell(open)
  }

  /** Tells of an open incident again, where somebody's turn has come. */
  remind(open: OpenIncident): void {
    const told = tellFired(open, open.event.policy!, this.noticeMoment(open))
    if (told.notices.length === 0) return
    pushAll(this.notices, told.notices)
    this.steps.set(openIncidentKey(open), { open: told.open, closed: null })
  }

  /** It is over. */
  close(open: OpenIncident): void {
    const { nowMs } = this.moment
    pushAll(this.notices, tellCleared(open, this.noticeMoment(open)))
    this.steps.set(openIncidentKey(open), { open, closed: closed(open, nowMs) })
  }

  /** Whether it fired here, be it a repeat. */
  hasFired(open: OpenIncident): boolean {
    return this.fired.has(openIncidentKey(open))
  }

  /** Everything to be stored in one transaction, beside the notices. */
  changes(): DocumentChange[] {
    const { tenant } = this.moment
    const changes = [...this.steps.values()].flatMap(({ open, closed: record }) => [
      ...this.incidents.storing(tenant, record ?? open.incident),
      record === null ? keeping(tenant, open) : forgetting(tenant, open),
    ])
    return [...this.eventChanges, ...changes]
  }

  /** Brings the book to what is now stored. */
  apply(): void {
    for (const { open, closed: record } of this.steps.values()) {
      if (record === null) this.book.put(open)
      else this.book.remove(open)
    }
  }

  private tell(open: OpenIncident): void {
    const { policy } = open.event
    const told = tellFired(open, policy!, this.noticeMoment(open))
    pushAll(this.notices, told.notices)
    this.steps.set(openIncidentKey(open), { open: told.open, closed: null })
  }

  private noticeMoment({ incident }: OpenIncident) {
    const { tenant, nowMs, muted } = this.moment
    return { tenant, nowMs, muted: muted.has(incident.policyId) }
  }

  private current(key: string, elementFqn: string): OpenIncident | undefined {
    const step = this.steps.get(key)
    if (step !== undefined) return step.closed === null ? step.open : undefined
    return this.book.ofElement(elementFqn).find((open) => openIncidentKey(open) === key)
  }
}
