/**
 * Takes over changed settings while the server runs. A setting of `reloadableKeys` is applied to
 * the services that read it; any other is logged with the value in force, and needs a restart.
 */

import { isDeepStrictEqual } from "node:util"
import type { Accounts } from "../../accounts/accounts.ts"
import type { AnswerMemory } from "../../base/answer-memory.ts"
import type { LogCell, Logger } from "../../base/log.ts"
import { shownText } from "../../command/settings/settings-text.ts"
import {
  logFormatOf,
  type Config,
  type ConfigOutcome,
  type ReadSettings,
  type SettingReading,
} from "../../config/config.ts"
import { reloadableKeys, type ReloadableKey } from "../../config/reloadable.ts"
import type { SettingKey } from "../../config/settings.ts"
import type { IngestQueue } from "../../engine/ingest-queue.ts"
import type { ShardClient } from "../../engine/shard-client.ts"
import type { Http, Redirect } from "../../http/http.ts"
import type { Admission } from "../../query/query.ts"
import type { Records } from "../../records/records.ts"
import { shardLimits } from "../startup/shard-limits.ts"
import type { SelfWatch } from "../watch/self-watch.ts"
import type { SlowQueries } from "../watch/slow-queries.ts"
import type { CertificateWatch } from "./certificate-watch.ts"

export interface ReloadServices {
  readonly http: Pick<Http, "reload">
  readonly ingestQueue: Pick<IngestQueue, "setBytesMax">
  readonly admission: Pick<Admission, "setTimeoutMs">
  readonly memory: Pick<AnswerMemory, "setBytesMax">
  readonly delivery: { reload(config: Config): void }
  readonly shard: Pick<ShardClient, "setLimits">
  /** Null: no second listener. */
  readonly redirect: Pick<Redirect, "setBaseUrl"> | null
  readonly selfWatch: Pick<SelfWatch, "setOn">
  readonly slowQueries: Pick<SlowQueries, "setSlowMs">
  readonly accounts: Pick<Accounts, "setRates">
  readonly status: { reload(config: Config): void }
  readonly records: { readonly events: Pick<Records["events"], "setRate"> }
  readonly logCell: Pick<LogCell, "setLevel" | "setFormat">
  /** Whether log lines go to a terminal. */
  readonly isTerminal: boolean
  /** Null: plain HTTP. */
  readonly certificates: Pick<CertificateWatch, "reload"> | null
}

type Apply = (config: Config, services: ReloadServices) => void

const applyHttp: Apply = (config, { http }) => {
  const { bodyBytesMax, metricsAccess, hstsMs, accessLog, baseUrl, trustedProxies } = config
  http.reload({ bodyBytesMax, metricsAccess, hstsMs, accessLog, baseUrl, trustedProxies })
}

const applyDelivery: Apply = (config, { delivery }) => delivery.reload(config)

const applyLimits: Apply = (config, { shard }) => {
  // It rejects if the thread has ended, and with it the server.
  shard.setLimits(shardLimits(config)).catch(() => {})
}

const applyBaseUrl: Apply = (config, services) => {
  applyHttp(config, services)
  applyDelivery(config, services)
  services.redirect?.setBaseUrl(config.baseUrl)
}

const applyRates: Apply = (config, { accounts }) =>
  accounts.setRates({
    payloadsPerMinute: config.keyPayloadsPerMinute,
    samplesPerMinute: config.keySamplesPerMinute,
  })

/** A certificate may have changed under an unchanged path: see `Reloader.reload`. */
const applyNothing: Apply = () => {}

const appliers: Readonly<Record<ReloadableKey, Apply>> = {
  tlsCertPath: applyNothing,
  tlsKeyPath: applyNothing,
  hstsMs: applyHttp,
  bodyBytesMax: applyHttp,
  trustedProxies: applyHttp,
  queueBytesMax: ({ queueBytesMax }, { ingestQueue }) => ingestQueue.setBytesMax(queueBytesMax),
  answerBytesMax: ({ answerBytesMax }, { memory }) => memory.setBytesMax(answerBytesMax),
  keyPayloadsPerMinute: applyRates,
  keySamplesPerMinute: applyRates,
  eventsPerMinute: ({ eventsPerMinute }, { records }) => records.events.setRate(eventsPerMinute),
  queryTimeoutMs: ({ queryTimeoutMs }, { admission }) => admission.setTimeoutMs(queryTimeoutMs),
  metricsAccess: applyHttp,
  baseUrl: applyBaseUrl,
  allowedAddresses: applyDelivery,
  smtpUrl: applyDelivery,
  smtpFrom: applyDelivery,
  smtpRequireTls: applyDelivery,
  diskFloorBytes: applyLimits,
  diskQuotaBytes: applyLimits,
  seriesMax: applyLimits,
  newSeriesPerMinuteMax: applyLimits,
  textBytesMax: applyLimits,
  selfMonitoring: ({ selfMonitoring }, { selfWatch }) => selfWatch.setOn(selfMonitoring === "on"),
  slowQueryMs: ({ slowQueryMs }, { slowQueries }) => slowQueries.setSlowMs(slowQueryMs),
  accessLog: applyHttp,
  logLevel: ({ logLevel }, { logCell }) => logCell.setLevel(logLevel),
  logFormat: (config, { logCell, isTerminal }) =>
    logCell.setFormat(logFormatOf(config, isTerminal)),
}

export class Reloader {
  private readonly services: ReloadServices
  private readonly log: Pick<Logger, "info" | "warn" | "error">
  /** Readings of the values in force. */
  private readonly inForce: Record<SettingKey, SettingReading>

  constructor(
    { readings }: Pick<ReadSettings, "readings">,
    services: ReloadServices,
    log: Pick<Logger, "info" | "warn" | "error">,
  ) {
    this.services = services
    this.log = log
    this.inForce = { ...readings }
  }

  /** Applies settings that were read again; with problems nothing changes. */
  reload(read: ConfigOutcome): void {
    if ("problems" in read) {
      for (const problem of read.problems) this.log.error({ problem }, "settings not reloaded")
      return
    }
    const changed = this.changedKeys(read)
    for (const key of changed) {
      if (this.isReloadable(key, read)) this.takeOver(key, read)
      else this.report(key, read)
    }
    const { tlsCertPath: certPath, tlsKeyPath: keyPath } = read.config
    if (certPath !== null && keyPath !== null) {
      this.services.certificates?.reload({ certPath, keyPath })
    }
    this.log.info({ changed: changed.length }, "settings reloaded")
  }

  private changedKeys({ readings }: ReadSettings): SettingKey[] {
    const keys = Object.keys(readings) as SettingKey[]
    return keys.filter((key) => !isDeepStrictEqual(readings[key].value, this.inForce[key].value))
  }

  /** TLS cannot begin or end: the port is listened on with it or without. */
  private isReloadable(key: SettingKey, { readings }: ReadSettings): key is ReloadableKey {
    const isOfTls = key === "tlsCertPath" || key === "tlsKeyPath"
    if (isOfTls && (this.inForce[key].value === null || readings[key].value === null)) return false
    return (reloadableKeys as readonly SettingKey[]).includes(key)
  }

  private takeOver(key: ReloadableKey, { config, readings }: ReadSettings): void {
    const [before, after] = [this.inForce[key], readings[key]]
    // First, so that a level that hides this line or shows it is the new one.
    appliers[key](config, this.services)
    this.services.status.reload(config)
    this.inForce[key] = after
    const fields = { setting: after.setting.name, before: shownText(before), now: shownText(after) }
    this.log.info(fields, "setting changed")
  }

  private report(key: SettingKey, { readings }: ReadSettings): void {
    const [before, after] = [this.inForce[key], readings[key]]
    const { name } = after.setting
    const fields = { setting: name, inForce: shownText(before), configured: shownText(after) }
    this.log.warn(fields, "setting needs a restart")
  }
}
