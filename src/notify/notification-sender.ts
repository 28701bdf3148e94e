/** Courier: brings one notice to whom a notification names, once, and tells why it could not. */

import type { Clock } from "../base/clock.ts"
import { invalid, ServiceError } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import type { ElementEvent } from "../model/records/event.ts"
import type { Outbound } from "../outbound/outbound.ts"
import { TemplateError } from "../template/template-cursor.ts"
import { examplePolicy } from "./example-policy.ts"
import type { SendMail } from "./mail.ts"
import { contentOf } from "./message-content.ts"
import { createMessage, type NotificationMessage } from "./notification-message.ts"
import { slack, teams } from "./senders/chat.ts"
import { opsgenie, pagerduty } from "./senders/on-call.ts"
import { deliveryHeader, type OpenProperties, type Sender } from "./senders/sender.ts"
import { sns } from "./senders/sns.ts"
import { webhook } from "./senders/webhook.ts"

/** A notification with its secrets in clear: for senders only, never for logs or answers. */
export interface Recipient {
  readonly type: string
  readonly properties: OpenProperties
}

export interface NotificationSenderOptions {
  readonly outbound: Outbound
  readonly mail: SendMail
  readonly clock: Clock
  readonly random: Random
  /** Where people find the server, for links. */
  readonly baseUrl: string
}

/** The answer of a test (spec/policies §7). */
export interface TestOutcome {
  readonly success: boolean
  readonly content: string
}

const senders: Readonly<Record<string, Sender>> = {
  webhook,
  slack,
  teams,
  pagerduty,
  opsgenie,
  sns,
}

/** Services answer with a few words. */
const answerLimits = { bytesMax: 64 * 1024, timeoutMs: 10_000 }
const successContent = "Successfully processed message"

export class NotificationSender {
  private readonly options: NotificationSenderOptions

  constructor(options: NotificationSenderOptions) {
    this.options = options
  }

  /** Resolves when the receiver took it; throws `invalid` with the reason where it did not. */
  async deliver({ type, properties }: Recipient, notice: NotificationMessage): Promise<void> {
    const { mail, clock, baseUrl } = this.options
    try {
      const message = contentOf(notice, baseUrl)
      if (type === "email") return await mail(properties, message)
      const sender = Object.hasOwn(senders, type) ? senders[type] : undefined
      if (sender === undefined) {
        throw invalid(`notifications of the type ${type} are kept but cannot be delivered`)
      }
      const request = sender({ properties, message, nowMs: clock.nowMs() })
      const headers = { ...request.headers, [deliveryHeader]: notice.id }
      await this.post({ ...request, headers })
    } catch (error) {
      if (error instanceof TemplateError) throw invalid(`template: ${error.message}`)
      throw error
    }
  }

  /** Tells an example to whom a notification names, whether it is enabled or not. */
  async test(recipient: Recipient, tenant: number): Promise<TestOutcome> {
    const timeMs = this.options.clock.nowMs()
    const event = exampleEvent(this.options.random.uuid(), timeMs)
    const fields = { tenant, notificationId: 0, payloadType: "event", timeMs, event } as const
    try {
      await this.deliver(recipient, createMessage(fields))
      return { success: true, content: successContent }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { success: false, content: error.problems.join("; ") }
    }
  }

  private async post(request: ReturnType<Sender>): Promise<void> {
    const call = { method: "POST", ...request, ...answerLimits } as const
    const { status } = await this.options.outbound.call(call)
    if (status < 200 || status > 299) {
      throw invalid(`expected the receiver to answer with a status of 200 to 299, got ${status}`)
    }
  }
}

function exampleEvent(id: string, timeMs: number): ElementEvent {
  const expression = "This is a test: nothing is wrong with any element."
  const results = { violating: true, conditions: [{ id: "0", violating: true, expression }] }
  return {
    id,
    timeMs,
    processedMs: timeMs,
    elementFqn: "test-element",
    elementId: id,
    level: "INFO",
    type: null,
    title: null,
    source: null,
    data: { policyName: examplePolicy.name, metrics: [], results: JSON.stringify(results) },
    tags: [],
    isExternal: false,
    policy: { id, ...examplePolicy },
    element: { name: "Test element", type: "TEST", location: null, tags: [] },
  }
}
