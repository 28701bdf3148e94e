/** Composes the deliveries of a server: outbound calls, mail, the sender and its worker. */

import { lookup } from "node:dns/promises"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import type { Config } from "../config/config.ts"
import type { DocumentStore } from "../model/document.ts"
import { NotificationSender } from "../notify/notification-sender.ts"
import { createMailer, type SendMail } from "../notify/mail.ts"
import { Outbox } from "../notify/outbox.ts"
import { DeliveryWorker } from "../notify/delivery-worker.ts"
import type { AllowedAddresses } from "../outbound/address-policy.ts"
import { Outbound } from "../outbound/outbound.ts"
import type { Records } from "../records/records.ts"

interface ServerNotifyOptions {
  readonly config: Config
  readonly clock: Clock
  readonly records: Pick<Records, "notifications">
  readonly documents: DocumentStore
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  readonly log: Logger
  /** Calls back after a while; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
}

export interface ServerNotify {
  /** For downloads, too. */
  readonly outbound: Outbound
  readonly sender: NotificationSender
  /** Not started yet. */
  readonly deliveryWorker: DeliveryWorker
  /** Changes mail server, sender, links and allowed addresses of all later calls. */
  readonly reload: (config: Config) => void
}

export function openServerNotify(options: ServerNotifyOptions): ServerNotify {
  const { clock, records, documents, tenants, log, delay } = options
  const live = liveOf(options.config)
  const outbound = new Outbound({
    resolve,
    delay,
    get allowed() {
      return live.allowed
    },
  })
  const times = { clock, random: systemRandom }
  const sender = new NotificationSender({
    ...times,
    outbound,
    mail: (properties, message) => live.mail(properties, message),
    get baseUrl() {
      return live.baseUrl
    },
  })
  const deliveryWorker = new DeliveryWorker({
    ...times,
    outbox: new Outbox(documents),
    recipients: records.notifications,
    sender,
    tenants,
    delay,
    log,
  })
  const reload = (config: Config): void => void Object.assign(live, liveOf(config))
  return { outbound, sender, deliveryWorker, reload }
}

/** Settings that may change while deliveries run. */
interface LiveDelivery {
  mail: SendMail
  baseUrl: string
  allowed: AllowedAddresses
}

function liveOf(config: Config): LiveDelivery {
  const { smtpUrl, smtpFrom, smtpRequireTls: requireTls, host, port, allowedAddresses } = config
  const scheme = config.tlsCertPath === null ? "http" : "https"
  return {
    mail: createMailer(smtpUrl === null ? null : { smtpUrl, from: smtpFrom, requireTls }),
    baseUrl: config.baseUrl ?? `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    allowed: allowedAddresses ?? [],
  }
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
