/** Composes the deliveries of a server: outbound calls, mail, the sender and its worker. */

import { lookup } from "node:dns/promises"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import type { Config } from "../config/config.ts"
import type { DocumentStore } from "../model/document.ts"
import { NotificationSender } from "../notify/notification-sender.ts"
import { createMailer } from "../notify/mail.ts"
import { Outbox } from "../notify/outbox.ts"
import { DeliveryWorker } from "../notify/delivery-worker.ts"
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
}

export function openServerNotify(options: ServerNotifyOptions): ServerNotify {
  const { config, clock, records, documents, tenants, log, delay } = options
  const { smtpUrl, smtpFrom, smtpRequireTls: requireTls, host, port, allowedAddresses } = config
  const scheme = config.tlsCertPath === null ? "http" : "https"
  const outbound = new Outbound({ resolve, allowed: allowedAddresses ?? [], delay })
  const times = { clock, random: systemRandom }
  const sender = new NotificationSender({
    ...times,
    outbound,
    mail: createMailer(smtpUrl === null ? null : { smtpUrl, from: smtpFrom, requireTls }),
    baseUrl: config.baseUrl ?? `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
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
  return { outbound, sender, deliveryWorker }
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
