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
import {
  readOpsgenieAnswer,
  readPagerDutyAnswer,
  readSlackAnswer,
  readSnsAnswer,
  readTeamsAnswer,
  readWebhookAnswer,
  type AnswerReader,
  type ReceiverAnswer,
} from "./senders/answers.ts"
import { slack, teams } from "./senders/chat.ts"
import { opsgenie, pagerduty } from "./senders/on-call.ts"
import { quotedAnswer } from "./senders/quoted-answer.ts"
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

interface Service {
  readonly send: Sender
  readonly readAnswer: AnswerReader
  /** Whether a failure quotes the answer: that of a service, which is documented. */
  readonly isQuoted: boolean
}

const services: Readonly<Record<string, Service>> = {
  webhook: { send: webhook, readAnswer: readWebhookAnswer, isQuoted: false },
  slack: { send: slack, readAnswer: readSlackAnswer, isQuoted: true },
  teams: { send: teams, readAnswer: readTeamsAnswer, isQuoted: true },
  pagerduty: { send: pagerduty, readAnswer: readPagerDutyAnswer, isQuoted: true },
  opsgenie: { send: opsgenie, readAnswer: readOpsgenieAnswer, isQuoted: true },
  sns: { send: sns, readAnswer: readSnsAnswer, isQuoted: true },
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
   * Resolves when the receiver accepted the message, with the addresses that a mail server refused,
   * if it took the message for others. Throws `MessageRefused` if no other attempt would succeed,
   * `invalid` if one may.
   */
  async deliver(
    { type, properties }: Recipient,
    message: NotificationMessage,
  ): Promise<string | undefined> {
    const { mail, clock, baseUrl } = this.options
    try {
      const content = contentOf(message, baseUrl)
      if (type === "email") return await mail(properties, content)
      const service = Object.hasOwn(services, type) ? services[type] : undefined
      if (service === undefined) {
        throw invalid(`notifications of the type ${type} are kept but cannot be delivered`)
      }
      const request = service.send({ properties, message: content, nowMs: clock.nowMs() })
      const headers = { ...request.headers, [deliveryHeader]: message.id }
      const answer = await this.post({ ...request, headers })
      checkAnswer(answer, service, properties)
      return undefined
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
      const refused = await this.deliver(recipient, message)
      const except = refused === undefined ? "" : `, but not for ${refused}`
      return { success: true, content: successContent + except }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { success: false, content: error.problems.join("; ") }
    }
  }

  private async post(request: ReturnType<Sender>): Promise<ReceiverAnswer> {
    const call = { method: "POST", ...request, ...answerLimits } as const
    const { status, bytes } = await this.options.outbound.call(call)
    return { status, text: Buffer.from(bytes).toString() }
  }
}

/** Throws if a receiver did not accept the message. */
function checkAnswer(
  answer: ReceiverAnswer,
  { readAnswer, isQuoted }: Service,
  properties: OpenProperties,
): void {
  const failure = readAnswer(answer)
  if (failure === null) return
  const quoted = isQuoted ? quotedAnswer(answer.text, properties) : ""
  const got = quoted === "" ? `${answer.status}` : `${answer.status}: ${quoted}`
  const problem = `expected the receiver to ${failure.expected}, got ${got}`
  throw failure.isFinal ? new MessageRefused(problem) : invalid(problem)
}
