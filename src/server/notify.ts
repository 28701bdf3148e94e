/** Composes what tells people of events: outbound calls, mail, courier and postman of one server. */

import { lookup } from "node:dns/promises"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import { systemRandom } from "../base/random.ts"
import type { Config } from "../config/config.ts"
import type { DocumentStore } from "../model/document.ts"
import { Courier } from "../notify/notification-sender.ts"
import { openMail } from "../notify/mail.ts"
import { Outbox } from "../notify/outbox.ts"
import { Postman } from "../notify/delivery-worker.ts"
import { Outbound } from "../outbound/outbound.ts"
import type { Records } from "../records/records.ts"

export interface ServerNotifyOptions {
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
  readonly courier: Courier
  /** Not started yet. */
  readonly postman: Postman
}

export function openServerNotify(options: ServerNotifyOptions): ServerNotify {
  const { config, clock, records, documents, tenants, log, delay } = options
  const { smtpUrl, smtpFrom, smtpRequireTls: requireTls, host, port, allowedAddresses } = config
  const outbound = new Outbound({ resolve, allowed: allowedAddresses ?? [], delay })
  const times = { clock, random: systemRandom }
  const courier = new Courier({
    ...times,
    outbound,
    mail: openMail(smtpUrl === null ? null : { smtpUrl, from: smtpFrom, requireTls }),
    baseUrl: config.baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
  })
  const postman = new Postman({
    ...times,
    outbox: new Outbox(documents),
    addressBook: records.notifications,
    courier,
    tenants,
    delay,
    log,
  })
  return { outbound, courier, postman }
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
