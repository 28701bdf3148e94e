/**
 * Flags and environment become one frozen `Config`, or a list of what is wrong with them. Pure: the
 * roots hand in what they read from the process.
 */

import type { LogLevel } from "./base/log.ts"
import type { SimulatedTime } from "./base/simulated-clock.ts"
import { dayMs, resolutions, type Resolution } from "./model/resolution.ts"
import type { AllowedAddresses } from "./outbound/addresses.ts"
import { configHelp } from "./config-help.ts"
import {
  settingFlag,
  settingList,
  settings,
  settingVariable,
  type Setting,
  type SettingKey,
} from "./config-settings.ts"

export interface Config {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly dataPath: string
  /** `null` where the first start shall make one; likewise the two below. */
  readonly apiKey: string | null
  readonly adminEmail: string | null
  readonly adminPassword: string | null
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  readonly cycleGraceMs: number
  /** What is in force: each at least `acceptPastMs` and a day. */
  readonly retentionMs: Readonly<Record<Resolution, number>>
  readonly bodyBytesMax: number
  readonly queueBytesMax: number
  /** Of an API key whose own document names no rate; 0 is no limit. */
  readonly keyPayloadsPerMinute: number
  readonly keySamplesPerMinute: number
  readonly seriesMax: number
  readonly newSeriesPerMinuteMax: number
  /** Free space below which no samples are taken. */
  readonly diskFloorBytes: number
  /** Null: the machine's clock. */
  readonly clock: SimulatedTime | null
  /** Cycles of an outage that are closed afterwards. */
  readonly missedCyclesMax: number
  /** How long a silent element is still filled sparsely and computed. */
  readonly inactiveAfterMs: number
  /** Query threads. */
  readonly workerCount: number
  /** Threads that help query threads. */
  readonly helperCount: number
  /** Without a slash at the end; `null` where the address that is listened on will do. */
  readonly baseUrl: string | null
  /** Who reads the server's own figures without credentials. */
  readonly metricsAccess: "local" | "user" | "all"
  /** `null`: public ones only. */
  readonly allowedAddresses: AllowedAddresses | null
  /** `null` where no e-mails can be sent. */
  readonly smtpUrl: string | null
  readonly smtpFrom: string
  readonly logLevel: LogLevel
  /** `auto` is text where standard error is a terminal; the root knows. */
  readonly logFormat: "auto" | "text" | "json"
  /** Sentences for the log: where a value in force differs from the one that was set. */
  readonly notes: readonly string[]
}

export interface ConfigSources {
  /** Arguments after the script's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Processor cores, for the default numbers of threads. */
  readonly cores: number
}

export type ConfigOutcome =
  | { readonly config: Config }
  /** `--help` was asked for: the text to print. */
  | { readonly help: string }
  /** One sentence each, never with the value of a secret. */
  | { readonly problems: readonly string[] }

/** Reads all settings; a flag wins over its variable, and an empty variable counts as not set. */
export function parseConfig(sources: ConfigSources): ConfigOutcome {
  if (sources.argv.some((argument) => argument === "--help" || argument === "-h")) {
    return { help: configHelp() }
  }
  const problems: string[] = []
  const given = new Map([
    ...readEnvironment(sources.env, problems),
    ...readFlags(sources.argv, problems),
  ])
  const values = readValues(given, problems)
  if (values.queueBytesMax! < values.bodyBytesMax!) {
    problems.push(
      `${settingFlag(settings.queueBytesMax)} of ${values.queueBytesMax} bytes is less than ` +
        `${settingFlag(settings.bodyBytesMax)} of ${values.bodyBytesMax}: none would fit`,
    )
  }
  if (problems.length > 0) return { problems }
  return { config: assemble(values as Values, sources.cores) }
}

/** A text that somebody gave for a setting, and what to call it in a message. */
interface Given {
  readonly text: string
  readonly source: string
}

type Values = {
  [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never
}

const prefix = "TIDEGAUGE_"
const settingsByFlag = new Map(settingList.map((setting) => [settingFlag(setting), setting]))
const settingsByVariable = new Map(
  settingList.map((setting) => [settingVariable(setting), setting]),
)

/** Of commands beside serving (command/package-address.ts), which one shell may have set for all. */
export const variablesOfCommands: ReadonlySet<string> = new Set(["TIDEGAUGE_URL"])

function readEnvironment(
  env: ConfigSources["env"],
  problems: string[],
): Map<Setting<unknown>, Given> {
  const given = new Map<Setting<unknown>, Given>()
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || text === undefined) continue
    const setting = settingsByVariable.get(name)
    if (variablesOfCommands.has(name)) continue
    if (setting === undefined) {
      problems.push(
        `Unknown variable ${name}: expected one of ${[...settingsByVariable.keys()].join(", ")}`,
      )
    } else if (text !== "") given.set(setting, { text, source: name })
  }
  return given
}

/**
 * A message never repeats more of an argument than the name of a flag: what stands where no flag is
 * known may be half of a password.
 */
function readFlags(argv: readonly string[], problems: string[]): Map<Setting<unknown>, Given> {
  const given = new Map<Setting<unknown>, Given>()
  let unknown = false
  for (let i = 0; i < argv.length; i++) {
    const [, flag, inline] = /^(--[a-z0-9-]+)(?:=(.*))?$/s.exec(argv[i]!) ?? []
    const setting = flag === undefined ? undefined : settingsByFlag.get(flag)
    if (flag === undefined || setting === undefined) {
      // Of neighbours that are unknown, the later ones are most likely values of the first.
      if (!unknown) problems.push(unknownArgument(i, flag))
      unknown = true
      continue
    }
    unknown = false
    const text = inline ?? argv[i + 1]
    // A secret may begin with hyphens, so it takes whatever follows.
    if (text === undefined || (inline === undefined && !setting.secret && text.startsWith("--"))) {
      problems.push(`${flag} needs a value: expected ${setting.form}`)
      continue
    }
    if (inline === undefined) i++
    given.set(setting, { text, source: flag })
  }
  return given
}

function unknownArgument(index: number, flag: string | undefined): string {
  const what = flag === undefined ? `Argument ${index + 1} is no flag` : `Unknown flag ${flag}`
  return `${what}: expected one of ${[...settingsByFlag.keys()].join(", ")}, --help`
}

function readValues(given: Map<Setting<unknown>, Given>, problems: string[]): Partial<Values> {
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings) as [SettingKey, Setting<unknown>][]) {
    const said = given.get(setting)
    const text = said?.text ?? setting.fallback
    const value = said === undefined && text === "" ? null : setting.parse(text)
    if (value === undefined) problems.push(malformed(setting, said!))
    values[key] = value
  }
  return values as Partial<Values>
}

function malformed(setting: Setting<unknown>, said: Given): string {
  const shown = setting.secret ? "cannot be taken (its value is not shown)" : `"${said.text}"`
  return `${said.source} ${shown}: expected ${setting.form}`
}

function assemble(values: Values, cores: number): Config {
  const { retentionZeroMs, retentionPt5mMs, retentionPt1hMs, retentionPt24hMs, ...rest } = values
  const asked: Record<Resolution, number> = {
    ZERO: retentionZeroMs,
    PT5M: retentionPt5mMs,
    PT1H: retentionPt1hMs,
    PT24H: retentionPt24hMs,
  }
  const notes: string[] = []
  const retentionMs = Object.freeze(retentionInForce(asked, values.acceptPastMs, notes))
  const workerCount = values.workerCount ?? Math.max(1, cores - 1)
  return Object.freeze({
    ...rest,
    workerCount,
    // All cores for one question.
    helperCount: values.helperCount ?? Math.min(workerCount, cores - 1),
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
  asked: Readonly<Record<Resolution, number>>,
  acceptPastMs: number,
  notes: string[],
): Record<Resolution, number> {
  const leastMs = acceptPastMs + dayMs
  const inForce = { ...asked }
  for (const resolution of resolutions) {
    if (asked[resolution] >= leastMs) continue
    inForce[resolution] = leastMs
    notes.push(
      `Retention of ${resolution} is ${leastMs / dayMs} days instead of ` +
        `${asked[resolution] / dayMs}: late samples are accepted for ${acceptPastMs / dayMs} days`,
    )
  }
  return inForce
}
