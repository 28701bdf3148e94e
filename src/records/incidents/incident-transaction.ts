/** Findings of one moment as changes of documents: events, incidents, and what is to be told. */

import { pushAll } from "../../base/iterables.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import { openIncidentKey, type Incident, type OpenIncident } from "../../model/records/incident.ts"
import type { NotificationMessage } from "../../model/records/notification-message.ts"
import { closed, fire } from "../../policy/incident-life.ts"
import { notifyCleared, notifyFired } from "../../policy/alert-notifications.ts"
import { createPolicyEvent, type PolicyMatch } from "../../policy/policy-event.ts"
import { deletionOf, upsertOf, type OpenIncidentIndex } from "./open-incidents.ts"
import { TimeIndexedRecords } from "../core/time-indexed-records.ts"

export interface IncidentTransactionOptions {
  readonly tenant: number
  readonly tenantUuid: string
  /** The nominal time of a cycle's closing, or the moment of what happened. */
  readonly nowMs: number
  /** Policies that are silent now. */
  readonly muted: ReadonlySet<string>
}

/** Gathers steps on top of a book that stays as it is until `apply`. */
export class IncidentTransaction {
  readonly messages: NotificationMessage[] = []
  private readonly options: IncidentTransactionOptions
  private readonly index: OpenIncidentIndex
  private readonly events: TimeIndexedRecords<ElementEvent>
  private readonly incidents: TimeIndexedRecords<Incident>
  private readonly eventChanges: DocumentChange[] = []
  /** Keys of all that fired, a repeat too. */
  private readonly fired = new Set<string>()
  /** By key: the last state of what changed; null where it was closed. */
  private readonly steps = new Map<string, { open: OpenIncident; closed: Incident | null }>()

  constructor(
    moment: IncidentTransactionOptions,
    { book, documents }: { book: OpenIncidentIndex; documents: DocumentStore },
  ) {
    this.options = moment
    this.index = book
    this.events = new TimeIndexedRecords("event", documents)
    this.incidents = new TimeIndexedRecords("incident", documents)
  }

  /** A policy found something; the same again changes nothing. */
  fire(finding: PolicyMatch, subject = ""): void {
    const { tenant, tenantUuid, nowMs } = this.options
    const { cause, policy, element, results } = finding
    const event = createPolicyEvent(finding, { tenantUuid, processedMs: nowMs })
    const named = { elementFqn: element.fqn, policyId: policy.id }
    const key = openIncidentKey({ incident: named, cause, subject })
    this.fired.add(key)
    const known = this.current(key, element.fqn)
    const open = fire(known, { cause, subject, event, metrics: results.metrics })
    if (open === known) return
    pushAll(this.eventChanges, this.events.putChanges(tenant, event))
    this.notify(open)
  }

  /** Tells of an open incident again, where somebody's turn has come. */
  remind(open: OpenIncident): void {
    const told = notifyFired(open, open.event.policy!, this.notifyOptions(open))
    if (told.messages.length === 0) return
    pushAll(this.messages, told.messages)
    this.steps.set(openIncidentKey(open), { open: told.open, closed: null })
  }

  /** It is over. */
  close(open: OpenIncident): void {
    const { nowMs } = this.options
    pushAll(this.messages, notifyCleared(open, this.notifyOptions(open)))
    this.steps.set(openIncidentKey(open), { open, closed: closed(open, nowMs) })
  }

  /** Whether it fired here, be it a repeat. */
  hasFired(open: OpenIncident): boolean {
    return this.fired.has(openIncidentKey(open))
  }

  /** Everything to be stored in one transaction, beside the notices. */
  changes(): DocumentChange[] {
    const { tenant } = this.options
    const changes = [...this.steps.values()].flatMap(({ open, closed: record }) => [
      ...this.incidents.putChanges(tenant, record ?? open.incident),
      record === null ? upsertOf(tenant, open) : deletionOf(tenant, open),
    ])
    return [...this.eventChanges, ...changes]
  }

  /** Brings the book to what is now stored. */
  apply(): void {
    for (const { open, closed: record } of this.steps.values()) {
      if (record === null) this.index.put(open)
      else this.index.remove(open)
    }
  }

  private notify(open: OpenIncident): void {
    const { policy } = open.event
    const told = notifyFired(open, policy!, this.notifyOptions(open))
    pushAll(this.messages, told.messages)
    this.steps.set(openIncidentKey(open), { open: told.open, closed: null })
  }

  private notifyOptions({ incident }: OpenIncident) {
    const { tenant, nowMs, muted } = this.options
    return { tenant, nowMs, muted: muted.has(incident.policyId) }
  }

  private current(key: string, elementFqn: string): OpenIncident | undefined {
    const step = this.steps.get(key)
    if (step !== undefined) return step.closed === null ? step.open : undefined
    return this.index.ofElement(elementFqn).find((open) => openIncidentKey(open) === key)
  }
}
