/**
 * The settings that a running server takes over when it reloads. All others need a restart: threads
 * and tables of the store have their values, or an address that is listened on.
 */

import { settings, type SettingKey } from "./settings.ts"
import type { Setting } from "./setting.ts"

export const reloadableKeys = [
  "tlsCertPath",
  "tlsKeyPath",
  "hstsMs",
  "trustedProxies",
  "bodyBytesMax",
  "queueBytesMax",
  "answerBytesMax",
  "diskFloorBytes",
  "diskQuotaBytes",
  "seriesMax",
  "newSeriesPerMinuteMax",
  "textBytesMax",
  "keyPayloadsPerMinute",
  "keySamplesPerMinute",
  "eventsPerMinute",
  "queryTimeoutMs",
  "baseUrl",
  "metricsAccess",
  "allowedAddresses",
  "smtpUrl",
  "smtpFrom",
  "smtpRequireTls",
  "selfMonitoring",
  "slowQueryMs",
  "accessLog",
  "logLevel",
  "logFormat",
] as const satisfies readonly SettingKey[]

export type ReloadableKey = (typeof reloadableKeys)[number]

const reloadable: ReadonlySet<Setting<unknown>> = new Set(
  reloadableKeys.map((key): Setting<unknown> => settings[key]),
)

export function isReloadable(setting: Setting<unknown>): boolean {
  return reloadable.has(setting)
}
