/**
 * Parses flags, environment and configuration file into one frozen `Config`, or a list of problems.
 * Pure: composition roots pass what they read from the process, and how files are read.
 */

import { pushAll } from "../base/iterables.ts"
import type { LogFormat, LogLevel } from "../base/log.ts"
import type { SimulatedTime } from "../base/clock.ts"
import { dayMs, resolutions, type Resolution } from "../model/resolution.ts"
import type { AllowedAddresses } from "../outbound/address-policy.ts"
import type { LegacyNames } from "../wire/legacy-names.ts"
import type { GivenText } from "./file-texts.ts"
import { readGivenSettings, type SettingSources } from "./given-settings.ts"
import {
  memoryProblem,
  planMemory,
  plannedKeys,
  type ChosenParts,
  type MemoryBound,
  type MemoryPlan,
} from "./memory-plan.ts"
import { settingFlag, type Setting } from "./setting.ts"
import { settings, type SettingKey } from "./settings.ts"

export interface Config extends ChosenParts {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly dataPath: string
  /** A store of an earlier format is refused. */
  readonly noMigrate: boolean
  /** `null` if the first start creates one; likewise the two below. */
  readonly apiKey: string | null
  readonly adminEmail: string | null
  readonly adminPassword: string | null
  /** `null`: the first secrets are printed. */
  readonly firstSecretsFile: string | null
  /** Hexadecimal; `null`: the key of the store's folder. */
  readonly secretKey: string | null
  /** Both or neither is `null`: plain HTTP. */
  readonly tlsCertPath: string | null
  readonly tlsKeyPath: string | null
  /** `null`: no second listener. */
  readonly httpRedirectPort: number | null
  /** `null`: responses have no Strict-Transport-Security. */
  readonly hstsMs: number | null
  /** CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** Times after which browsers that stay signed in are signed out. */
  readonly loginIdleMs: number
  readonly loginMaxMs: number
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  readonly cycleGraceMs: number
  /** Values in force: each at least `acceptPastMs` and a day. */
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly bodyBytesMax: number
  /** Bytes, or the limit of the process. */
  readonly memoryBytes: number | "auto"
  /** By the memory limit; with it `ChosenParts`, unless they are given. */
  readonly memory: MemoryPlan
  /** Of an API key whose own document names no rate; 0 is no limit. */
  readonly keyPayloadsPerMinute: number
  readonly keySamplesPerMinute: number
  readonly eventsPerMinute: number
  readonly textBytesMax: number
  readonly newSeriesPerMinuteMax: number
  /** Of a tenant in the store; 0 is no limit. */
  readonly diskQuotaBytes: number
  /** Free space below which no samples are taken. */
  readonly diskFloorBytes: number
  /** Null: the machine's clock. */
  readonly clock: SimulatedTime | null
  /** Cycles of an outage that are closed afterwards. */
  readonly missedCyclesMax: number
  /** How long a silent element is still filled sparsely and computed. */
  readonly inactiveAfterMs: number
  /** Of one query, from its arrival to its answer. */
  readonly queryTimeoutMs: number
  /** Without a slash at the end; `null`: the address that the server listens on. */
  readonly baseUrl: string | null
  /** Who reads the server's own figures without credentials. */
  readonly metricsAccess: "local" | "user" | "all"
  /** Under which names documents have the tags that people set. */
  readonly legacyNames: LegacyNames
  /** A folder or s3://BUCKET/PREFIX; `null`: no backups are taken. */
  readonly backupTo: string | null
  readonly backupEveryMs: number
  /** Newest backups that are kept. */
  readonly backupKeep: number
  /** `null`: that of Amazon for the region. */
  readonly backupS3Endpoint: string | null
  readonly backupS3Region: string
  /** `null` if no bucket is used; likewise the secret key. */
  readonly backupS3AccessKey: string | null
  readonly backupS3SecretKey: string | null
  /** `null`: public ones only. */
  readonly allowedAddresses: AllowedAddresses | null
  /** `null` if no e-mails can be sent. */
  readonly smtpUrl: string | null
  readonly smtpFrom: string
  /** Whether an smtp:// server must offer TLS; "auto" if it is sent a password over a network. */
  readonly smtpRequireTls: "auto" | "yes" | "no"
  /** Whether the server stores its own metrics. */
  readonly selfMonitoring: "on" | "off"
  /** From this time on a query is logged. */
  readonly slowQueryMs: number
  /** Requests that are logged. */
  readonly accessLog: "off" | "errors" | "all"
  readonly logLevel: LogLevel
  /** `auto` is text if standard error is a terminal, which the root decides. */
  readonly logFormat: "auto" | "text" | "json"
  /** Sentences for the log: values in force that differ from those that were set. */
  readonly notes: readonly string[]
}

export interface ConfigSources extends SettingSources {
  /** Processor cores, for the default numbers of threads. */
  readonly cores: number
  /** Holds unless a setting limits memory. */
  readonly memoryLimit: MemoryBound
}

/** The format of log lines in force: `auto` is text on a terminal. */
export function logFormatOf(
  { logFormat }: Pick<Config, "logFormat">,
  isTerminal: boolean,
): LogFormat {
  return logFormat === "auto" ? (isTerminal ? "text" : "json") : logFormat
}

/** Settings that can be used, with their sources. */
export interface ReadSettings {
  readonly config: Config
  readonly readings: Readonly<Record<SettingKey, SettingReading>>
  /** Path of the configuration file; null without one. */
  readonly configPath: string | null
}

/** A setting as it was read. */
export interface SettingReading {
  readonly setting: Setting<unknown>
  /** Its text and source; `null` for the default. */
  readonly given: GivenText | null
  /** As parsed; `null` without a default. */
  readonly value: unknown
}

export type ConfigOutcome =
  | ReadSettings
  /** One sentence each, never with the value of a secret. */
  | { readonly problems: readonly string[] }

/** Reads all settings: flag over variable over configuration file over credential. */
export function parseConfig({ cores, memoryLimit, ...sources }: ConfigSources): ConfigOutcome {
  const given = readGivenSettings(sources)
  const problems = [...given.problems]
  const readings = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => {
      const text = given.texts.get(setting.name) ?? null
      return [key, { setting, given: text, value: valueOf(setting, text, problems) }]
    }),
  ) as Record<SettingKey, SettingReading>
  const values = Object.fromEntries(
    Object.entries(readings).map(([key, { value }]) => [key, value]),
  )
  const isComplete = sources.withoutSecrets !== true
  if (problems.length === 0) pushAll(problems, contradictions(values as Values))
  if (problems.length === 0 && isComplete) pushAll(problems, missingKeys(values as Values))
  if (problems.length > 0) return { problems }
  const memory = planOf(readings, { cores, memoryLimit })
  const config = assemble(values as Values, memory, [...given.notes])
  return { config, readings: Object.freeze(readings), configPath: given.configPath }
}

type Values = {
  [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never
}

/** The value of a text or of the default; undefined, and a problem, for a malformed text. */
function valueOf(setting: Setting<unknown>, given: GivenText | null, problems: string[]): unknown {
  const text = given?.text ?? setting.fallback
  const value = given === null && text === "" ? null : setting.parse(text)
  if (value === undefined) problems.push(malformed(setting, given!))
  return value
}

function malformed(setting: Setting<unknown>, { subject, text }: GivenText): string {
  const shown = setting.secret ? "cannot be taken (its value is not shown)" : `"${text}"`
  return `${subject} ${shown}: expected ${setting.form}`
}

/** Settings that exclude each other. */
function contradictions(values: Values): string[] {
  const flag = (key: SettingKey) => settingFlag(settings[key])
  const [queue, body] = [flag("queueBytesMax"), flag("bodyBytesMax")]
  const [cert, key] = [flag("tlsCertPath"), flag("tlsKeyPath")]
  const problems: string[] = []
  if (values.queueBytesMax < values.bodyBytesMax) {
    problems.push(
      `${queue} of ${values.queueBytesMax} bytes is less than ` +
        `${body} of ${values.bodyBytesMax}: none would fit`,
    )
  }
  const hasTls = values.tlsCertPath !== null
  if (hasTls !== (values.tlsKeyPath !== null)) {
    const [has, lacks] = hasTls ? [cert, key] : [key, cert]
    problems.push(`${has} needs ${lacks}: TLS takes a certificate and its key`)
  }
  if (!hasTls && values.httpRedirectPort !== null) {
    problems.push(`${flag("httpRedirectPort")} needs ${cert} and ${key}: it leads to https`)
  }
  if (!hasTls && values.hstsMs !== null && !values.baseUrl?.startsWith("https:")) {
    const need = `${cert}, or an https address as ${flag("baseUrl")}`
    problems.push(`${flag("hstsMs")} needs ${need}: browsers ignore it over http`)
  }
  return problems
}

/** A bucket needs its keys. */
function missingKeys(values: Values): string[] {
  if (!values.backupTo?.startsWith("s3:")) return []
  const keys = ["backupS3AccessKey", "backupS3SecretKey"] as const
  return keys
    .filter((key) => values[key] === null)
    .map((key) => `--backup-to of a bucket needs ${settingFlag(settings[key])}`)
}

/** The memory plan, with what the operator chose of it. */
function planOf(
  readings: ReadSettings["readings"],
  { cores, memoryLimit }: Pick<ConfigSources, "cores" | "memoryLimit">,
): MemoryPlan {
  const { value, given } = readings.memoryBytes
  const isAuto = value === "auto"
  const source = given?.subject ?? settingFlag(settings.memoryBytes)
  const limit = isAuto ? memoryLimit : { bytes: value as number, source }
  const chosen = Object.fromEntries(
    plannedKeys
      .filter((key) => readings[key].given !== null)
      .map((key) => [key, readings[key].value]),
  ) as Partial<ChosenParts>
  return planMemory({ limit, cores, chosen })
}

function assemble(values: Values, memory: MemoryPlan, notes: string[]): Config {
  const { retentionZeroMs, retentionPt5mMs, retentionPt1hMs, retentionPt24hMs, ...rest } = values
  const configured: Record<Resolution, number> = {
    ZERO: retentionZeroMs,
    PT5M: retentionPt5mMs,
    PT1H: retentionPt1hMs,
    PT24H: retentionPt24hMs,
  }
  const retentionMs = Object.freeze(retentionInForce(configured, values.acceptPastMs, notes))
  const { workerCount, scanWorkerCount, queueBytesMax, answerBytesMax, seriesMax } = memory
  const problem = memoryProblem(memory)
  if (problem !== null) notes.push(problem)
  return Object.freeze({
    ...rest,
    workerCount,
    scanWorkerCount,
    queueBytesMax,
    answerBytesMax,
    seriesMax,
    memory,
    retentionMs,
    notes: Object.freeze(notes),
  })
}

/**
 * A late sample corrects its bucket from the raw samples, and the coarser buckets from the finer
 * ones of that day. All of them must therefore live as long as samples are accepted, and a day
 * more.
 */
function retentionInForce(
  wanted: Readonly<Record<Resolution, number>>,
  acceptPastMs: number,
  notes: string[],
): Record<Resolution, number> {
  const leastMs = acceptPastMs + dayMs
  const inForce = { ...wanted }
  for (const resolution of resolutions) {
    if (wanted[resolution] >= leastMs) continue
    inForce[resolution] = leastMs
    notes.push(
      `Retention of ${resolution} is ${leastMs / dayMs} days instead of ` +
        `${wanted[resolution] / dayMs}: late samples are accepted for ${acceptPastMs / dayMs} days`,
    )
  }
  return inForce
}
