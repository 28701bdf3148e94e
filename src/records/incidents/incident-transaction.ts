/** Collects the document changes and messages of one transaction of the incident pipeline. */

import { assert } from "../../base/assert.ts"
import { pushAll } from "../../base/iterables.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import {
  openIncidentKey,
  type CloseReason,
  type Incident,
  type IncidentAck,
  type OpenIncident,
} from "../../model/records/incident.ts"
import type { NotificationMessage } from "../../model/records/notification-message.ts"
import type { Policy } from "../../model/records/policy.ts"
import { closed, fire, incidentIdOf } from "../../policy/incident-life.ts"
import { notifyCleared, notifyFired, unaskedEnds } from "../../policy/alert-notifications.ts"
import { createPolicyEvent, eventIdOf, type PolicyMatch } from "../../policy/policy-event.ts"
import { outcomeChange } from "../../model/records/delivery.ts"
import type { IncidentChange } from "./change-listener.ts"
import { droppedMessages, withMessages } from "./incident-messages.ts"
import { acknowledged } from "./incidents.ts"
import { deletionOf, upsertOf, type OpenIncidentIndex } from "./open-incidents.ts"
import { TimeIndexedRecords } from "../core/time-indexed-records.ts"

interface IncidentTransactionOptions {
  readonly tenant: TenantIndex
  readonly tenantUuid: string
  /** The nominal time of a cycle's closing, or the current time. */
  readonly nowMs: number
  /** Policies that are muted now. */
  readonly muted: ReadonlySet<string>
  /** A policy that is in force now; undefined if it was deleted or is disabled. */
  readonly policyOf: (id: string) => Policy | undefined
}

type ClosedIncident = ReturnType<typeof closed>

/** The latest state of a changed incident, with its record if it was closed. */
interface Step {
  readonly open: OpenIncident
  readonly closed: ClosedIncident | null
  /** The action of a user. */
  readonly byUser?: "acked" | "unacked"
}

/** Changes on top of an index of open incidents, which stays unchanged until `apply`. */
export class IncidentTransaction {
  readonly messages: NotificationMessage[] = []
  private readonly options: IncidentTransactionOptions
  private readonly index: OpenIncidentIndex
  private readonly events: TimeIndexedRecords<ElementEvent>
  private readonly incidents: TimeIndexedRecords<Incident>
  /** Those of policies that fired, without repeats. */
  readonly newEvents: ElementEvent[] = []
  /** Keys of all incidents that fired, including repeats. */
  private readonly fired = new Set<string>()
  /** By key. */
  private readonly steps = new Map<string, Step>()
  /** Removals of outcomes of messages that incidents do not keep. */
  private readonly forgotten: DocumentChange[] = []
  private isApplied = false

  constructor(
    options: IncidentTransactionOptions,
    { index, documents }: { index: OpenIncidentIndex; documents: DocumentStore },
  ) {
    this.options = options
    this.index = index
    this.events = new TimeIndexedRecords("event", documents)
    this.incidents = new TimeIndexedRecords("incident", documents)
  }

  /** Opens or continues the incident of a match; a repeated match changes nothing. */
  fire(match: PolicyMatch, subject = ""): void {
    const { tenantUuid, nowMs } = this.options
    const { cause, element, results } = match
    const event = createPolicyEvent(match, { tenantUuid, processedMs: nowMs })
    const key = keyOf(match, subject)
    this.fired.add(key)
    const known = this.current(key, element.fqn)
    const open = fire(known, { cause, subject, event, results })
    if (open === known) return
    this.newEvents.push(event)
    this.steps.set(key, { open, closed: null })
    this.notify(open)
  }

  /** Whether an incident of this policy, element, cause and subject is open. */
  isOpen(match: PolicyMatch, subject: string): boolean {
    return this.current(keyOf(match, subject), match.element.fqn) !== undefined
  }

  /** Whether the event of a match has opened an incident before, whatever became of that. */
  async hasOpened(match: PolicyMatch): Promise<boolean> {
    const { tenant, tenantUuid } = this.options
    const id = incidentIdOf(eventIdOf(match, tenantUuid))
    return (await this.incidents.find(tenant, id)) !== undefined
  }

  /** Notifies about an open incident again if a reminder of its policy, as it is now, is due. */
  remind(open: OpenIncident): void {
    this.assertCurrent(open)
    this.notify(open)
  }

  /** Closes an incident; `notifyEnds` notifies about it. */
  close(open: OpenIncident, closeReason: CloseReason): void {
    this.assertCurrent(open)
    const record = this.closed(open, closeReason)
    this.steps.set(openIncidentKey(open), { open, closed: record })
  }

  /** Ids of the notifications that some closed incident does not ask to get its end. */
  unaskedEnds(): readonly number[] {
    return [...new Set(this.ended().flatMap(({ unasked }) => unasked))]
  }

  /** Notifies about the ends of the closed incidents; `always`: those that get each end. */
  notifyEnds(always: ReadonlySet<number>): void {
    for (const { key, open, closeReason, unasked } of this.ended()) {
      const left = new Set(unasked.filter((id) => !always.has(id)))
      const messages = notifyCleared(open, { ...this.options, closeReason, left })
      pushAll(this.messages, messages)
      const notified = { ...open, incident: this.keep(open, messages) }
      this.steps.set(key, { open: notified, closed: this.closed(notified, closeReason) })
    }
  }

  private ended() {
    return [...this.steps].flatMap(([key, { open, closed: record }]) => {
      if (record === null) return []
      const unasked = unaskedEnds(open, this.policyOf(open))
      return [{ key, open, closeReason: record.closeReason, unasked }]
    })
  }

  private closed(open: OpenIncident, closeReason: CloseReason): ClosedIncident {
    return closed(open, { closedMs: this.options.nowMs, closeReason })
  }

  /** Acknowledges an open incident; null takes it back. */
  acknowledge(open: OpenIncident, ack: IncidentAck | null): void {
    this.assertCurrent(open)
    const incident = acknowledged(open.incident, ack)
    const byUser = ack === null ? "unacked" : "acked"
    this.steps.set(openIncidentKey(open), { open: { ...open, incident }, closed: null, byUser })
  }

  /** Whether the incident fired in this transaction, including repeats. */
  hasFired(open: OpenIncident): boolean {
    return this.fired.has(openIncidentKey(open))
  }

  /** All changes to be stored in one transaction, except the messages. */
  changes(): DocumentChange[] {
    const { tenant } = this.options
    const changes = [...this.steps.values()].flatMap(({ open, closed: record }) => [
      ...this.incidents.putChanges(tenant, record ?? open.incident),
      record === null ? upsertOf(tenant, open) : deletionOf(tenant, open),
    ])
    const events = this.newEvents.flatMap((event) => this.events.putChanges(tenant, event))
    return [...events, ...changes, ...this.forgotten]
  }

  /**
   * Updates the index; to be called once the changes are stored. Returns what has happened to
   * incidents; one that opened and closed is reported as closed.
   */
  apply(): readonly IncidentChange[] {
    assert(!this.isApplied, "Expected the changes of a transaction to be applied once")
    this.isApplied = true
    return [...this.steps].map(([key, { open, closed: record, byUser }]): IncidentChange => {
      const isKnown = this.index.ofElement(open.incident.elementFqn).some(hasKey(key))
      if (record === null) this.index.put(open)
      else this.index.remove(open)
      if (record !== null) return { step: "closed", incident: record }
      return { step: byUser ?? (isKnown ? "fired" : "opened"), incident: open.incident }
    })
  }

  /** Sends what is due about an open incident. */
  private notify(open: OpenIncident): void {
    const { tenant, nowMs, muted } = this.options
    const moment = { tenant, nowMs, muted: muted.has(open.incident.policyId) }
    const notified = notifyFired(open, this.policyOf(open), moment)
    if (notified.messages.length === 0) return
    pushAll(this.messages, notified.messages)
    const incident = this.keep(open, notified.messages)
    this.steps.set(openIncidentKey(open), { open: { ...notified.open, incident }, closed: null })
  }

  /** The incident with messages about it; outcomes of those that it keeps no longer are removed. */
  private keep(
    { incident, notifiedMs }: OpenIncident,
    messages: readonly NotificationMessage[],
  ): Incident {
    const kept = withMessages(incident, messages, notifiedMs)
    for (const messageId of droppedMessages(incident, kept)) {
      const of = { incidentId: incident.id, messageId }
      this.forgotten.push(outcomeChange(this.options.tenant, of, null))
    }
    return kept
  }

  /** The policy as it is now or, if it is not in force any more, as it was when it last fired. */
  private policyOf({ incident, event }: OpenIncident): Policy {
    return this.options.policyOf(incident.policyId) ?? event.policy!
  }

  private assertCurrent(open: OpenIncident): void {
    const current = this.current(openIncidentKey(open), open.incident.elementFqn)
    assert(current !== undefined, `Expected incident ${open.incident.id} to be open`)
  }

  private current(key: string, elementFqn: string): OpenIncident | undefined {
    const step = this.steps.get(key)
    if (step !== undefined) return step.closed === null ? step.open : undefined
    return this.index.ofElement(elementFqn).find(hasKey(key))
  }
}

/** The key of the incident that a match opens or continues. */
function keyOf({ policy, element, cause }: PolicyMatch, subject: string): string {
  const incident = { elementFqn: element.fqn, policyId: policy.id }
  return openIncidentKey({ incident, cause, subject })
}

function hasKey(key: string): (open: OpenIncident) => boolean {
  return (open) => openIncidentKey(open) === key
}
