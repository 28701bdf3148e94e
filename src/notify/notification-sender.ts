/** The notification sender makes one attempt to deliver a message, and reports why it failed. */

import type { Clock } from "../base/clock.ts"
import { invalid, ServiceError } from "../base/errors.ts"
import type { Random } from "../base/random.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"
import type { Outbound } from "../outbound/outbound.ts"
import { TemplateError } from "../template/template-cursor.ts"
import { exampleMessage } from "./example-message.ts"
import type { SendMail } from "./mail.ts"
import { contentOf } from "./message-content.ts"
import { MessageRefused } from "./message-refused.ts"
import { slack, teams } from "./senders/chat.ts"
import { opsgenie, pagerduty } from "./senders/on-call.ts"
import { deliveryHeader, type OpenProperties, type Sender } from "./senders/sender.ts"
import { sns } from "./senders/sns.ts"
import { webhook } from "./senders/webhook.ts"
import type { TenantIndex } from "../model/ids.ts"

/** A notification with its secrets in plaintext: for senders only, never for logs or responses. */
export interface Recipient {
  readonly type: string
  readonly properties: OpenProperties
}

interface NotificationSenderOptions {
  readonly outbound: Outbound
  readonly mail: SendMail
  readonly clock: Clock
  readonly random: Random
  /** URL of the server, for links in messages. */
  readonly baseUrl: string
}

/** The result of a notification test (spec/policies §7). */
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

/** Services respond with a few words. */
const answerLimits = { bytesMax: 64 * 1024, timeoutMs: 10_000 }
const successContent = "Successfully processed message"

export class NotificationSender {
  private readonly options: NotificationSenderOptions

  constructor(options: NotificationSenderOptions) {
    this.options = options
  }

  /**
   * Resolves when the receiver accepted the message. Throws `MessageRefused` if no other attempt
   * would succeed, `invalid` if one may.
   */
  async deliver({ type, properties }: Recipient, message: NotificationMessage): Promise<void> {
    const { mail, clock, baseUrl } = this.options
    try {
      const content = contentOf(message, baseUrl)
      if (type === "email") return await mail(properties, content)
      const sender = Object.hasOwn(senders, type) ? senders[type] : undefined
      if (sender === undefined) {
        throw invalid(`notifications of the type ${type} are kept but cannot be delivered`)
      }
      const request = sender({ properties, message: content, nowMs: clock.nowMs() })
      const headers = { ...request.headers, [deliveryHeader]: message.id }
      await this.post({ ...request, headers })
    } catch (error) {
      if (error instanceof TemplateError) throw new MessageRefused(`template: ${error.message}`)
      throw error
    }
  }

  /** Sends an example message to a recipient and returns the outcome. */
  async test(recipient: Recipient, tenant: TenantIndex): Promise<TestOutcome> {
    const timeMs = this.options.clock.nowMs()
    const message = exampleMessage(tenant, this.options.random.uuid(), timeMs)
    try {
      await this.deliver(recipient, message)
      return { success: true, content: successContent }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { success: false, content: error.problems.join("; ") }
    }
  }

  private async post(request: ReturnType<Sender>): Promise<void> {
    const call = { method: "POST", ...request, ...answerLimits } as const
    const { status } = await this.options.outbound.call(call)
    if (status >= 200 && status <= 299) return
    const problem = `expected the receiver to answer with a status of 200 to 299, got ${status}`
    throw isRefusal(status) ? new MessageRefused(problem) : invalid(problem)
  }
}

/** A timeout, a message that is too early, too many requests: about the moment (RFC 9110 §15.5). */
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429])

/** Whether a receiver that answers with this status would answer each attempt with it. */
function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && !retriedStatuses.has(status)
}
