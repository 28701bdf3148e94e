/** Messages, sender and delivery worker for tests: real listeners, a manual clock, no disk. */

import type { Delay } from "../../src/base/async.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import type { ElementEvent } from "../../src/model/records/event.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { NotificationSender, type Recipient } from "../../src/notify/notification-sender.ts"
import { createMailer, type MailSettings } from "../../src/notify/mail.ts"
import { createMessage, examplePolicy } from "../../src/notify/example-message.ts"
import type {
  NotificationMessage,
  PayloadType,
} from "../../src/model/records/notification-message.ts"
import { Outbox } from "../../src/notify/outbox.ts"
import { DeliveryWorker } from "../../src/notify/delivery-worker.ts"
import { parseAllowedAddresses } from "../../src/outbound/address-policy.ts"
import { Outbound } from "../../src/outbound/outbound.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"
import { delay } from "../outbound/listener.ts"

export const startMs = Date.UTC(2026, 0, 5, 14, 5)

export function eventAt(timeMs: number): ElementEvent {
  const expression = 'cpu.total is 97; this is above "90" & <high>.'
  const results = { violating: true, conditions: [{ id: "0", violating: true, expression }] }
  return {
    id: `event-${timeMs}`,
    timeMs,
    processedMs: timeMs,
    elementFqn: "web-1",
    elementId: "5d1a3a52-0000-3000-8000-000000000001",
    level: "CRITICAL",
    type: null,
    title: null,
    source: null,
    data: { policyName: "High CPU", metrics: ["cpu.total"], results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy: { id: "policy-1", ...examplePolicy, name: "High CPU" },
    element: { name: "Web 1", type: "SERVER", location: "Berlin", tags: [] },
  }
}

/** A message about an incident, by default its start. */
export function incidentMessage(
  incidentId: string,
  timeMs: number,
  { notificationId = 1, payloadType = "event" }: Partial<NotificationMessage> = {},
): NotificationMessage {
  const event = { ...eventAt(timeMs), id: `${incidentId}-${timeMs}` }
  const message = { tenant: 0, notificationId, payloadType, timeMs, event }
  return { ...createMessage(message), incidentId }
}

export function messageAt(
  timeMs: number,
  notificationId = 1,
  payloadType: PayloadType = "event",
): NotificationMessage {
  return createMessage({ tenant: 0, notificationId, payloadType, timeMs, event: eventAt(timeMs) })
}

/** A message about an event, at `startMs`. */
export function messageOn(
  event: ElementEvent,
  payloadType: PayloadType = "event",
): NotificationMessage {
  return createMessage({ tenant: 0, notificationId: 1, payloadType, timeMs: startMs, event })
}

/** The incident of these messages. */
export function incidentWith(messages: readonly NotificationMessage[]): Incident {
  return {
    id: messages[0]?.incidentId ?? "",
    timeMs: startMs,
    lastFiredMs: startMs,
    closedMs: null,
    policyId: "policy-1",
    elementId: "5d1a3a52-0000-3000-8000-000000000001",
    elementFqn: "web-1",
    elementName: "Web 1",
    eventIds: ["event-1"],
    violatingMetricFqns: [],
    acked: false,
    messages: messages.map(({ id, notificationId, timeMs }) => {
      return { id, notificationId, timeMs, step: "fired" }
    }),
  }
}

interface SenderOptions {
  readonly allowed?: string | null
  readonly mail?: MailSettings | null
}

export function senderOf({ allowed = "127.0.0.1", mail = null }: SenderOptions = {}) {
  const clock = new TestClock(startMs)
  const ranges = allowed === null ? [] : parseAllowedAddresses(allowed)!
  const outbound = new Outbound({ resolve: async () => ["127.0.0.1"], allowed: ranges, delay })
  const random = seededRandom(3)
  const baseUrl = "https://tidegauge.example.org"
  return new NotificationSender({ outbound, mail: createMailer(mail), clock, random, baseUrl })
}

interface WorkerOptions {
  readonly documents?: DocumentsInMemory
  readonly clock?: TestClock
  readonly sender?: Pick<NotificationSender, "deliver">
  readonly delay?: Delay
}

/** A delivery worker over `documents`, as after a start; `recipients` by notification id. */
export function workerOf(
  recipients: Map<number, Recipient | ServiceError>,
  {
    documents = new DocumentsInMemory(),
    clock = new TestClock(startMs),
    sender = senderOf(),
    // The tests call `notifyWork` themselves.
    delay: delayOf = () => () => {},
  }: WorkerOptions = {},
) {
  const disabled: number[] = []
  const logged: string[] = []
  const write = (fields: object, text: string) => logged.push(text + JSON.stringify(fields))
  const outbox = new Outbox(documents)
  const worker = new DeliveryWorker({
    outbox,
    recipients: {
      recipient: async (_, id) => {
        const found = recipients.get(id)
        if (found instanceof ServiceError) throw found
        return found
      },
      disable: async (_, id) => {
        disabled.push(id)
        recipients.delete(id)
      },
    },
    sender,
    tenants: () => [0],
    clock,
    random: seededRandom(5),
    delay: delayOf,
    log: { info: write, warn: write, error: write },
  })
  const run = async () => {
    worker.notifyWork()
    await worker.drained()
  }
  return { worker, outbox, documents, clock, disabled, logged, run }
}
