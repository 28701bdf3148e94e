/** What `tidegauge demo` was asked for: a running server to use, a server of its own, or a fleet. */

import { parseSimulatedTime, type SimulatedTime } from "../base/simulated-clock.ts"
import type { DemoAddress } from "./demo-client.ts"
import { fleetMetrics, fleetMetricsMin } from "./fleet-metrics.ts"
import { fleetElementsMin, incidentDay } from "./fleet.ts"

export interface FleetArguments {
  readonly time: SimulatedTime
  readonly days: number
  readonly elements: number
  readonly metrics: number
  /** Where the store is kept; null: in a temporary folder. */
  readonly folder: string | null
}

export type DemoArguments =
  | { readonly address: DemoAddress }
  | { readonly ownServer: true }
  | { readonly fleet: FleetArguments }
  | { readonly help: string }
  | { readonly problem: string }

/** Of a demonstration with a clock; one question may ask for two weeks at most. */
const daysMax = 14
/** The incident is over by noon. */
const daysMin = incidentDay - 0.5
const elementsDefault = 40
const metricsMax = fleetMetrics.length
/** What one part of a closing holds. */
const elementsMax = 256

export const demoHelp = `tidegauge demo: a day of 20 servers × 30 metrics, posted and read back.

Without --url it starts a server of its own on a free port, with a store that it removes afterwards.
With --clock that server runs on a simulated clock, policies watch a fleet to which something
happens on the ninth day, and what was found is told and judged.

  --url URL          a running server to use, such as http://127.0.0.1:8080
  --user EMAIL       default: the variable TIDEGAUGE_ADMIN_EMAIL
  --password TEXT    default: the variable TIDEGAUGE_ADMIN_PASSWORD
  --api-key KEY      default: the variable TIDEGAUGE_API_KEY
  --clock TIME,xN    where the clock starts, and how fast it runs: 2026-01-05T00:00:00Z,x300
  --days N           ${daysMin} to ${daysMax} days of the fleet, halves too; default ${daysMax}
  --elements N       ${fleetElementsMin} to ${elementsMax}; default ${elementsDefault}
  --metrics N        of each element, ${fleetMetricsMin} to ${metricsMax}; default ${metricsMax}
  --data FOLDER      keeps the fleet's store there; empty or missing before
  --help             this text
`

const variables = {
  "--user": "TIDEGAUGE_ADMIN_EMAIL",
  "--password": "TIDEGAUGE_ADMIN_PASSWORD",
  "--api-key": "TIDEGAUGE_API_KEY",
} as const
const serverFlags = ["--url", ...Object.keys(variables)]
const fleetFlags = ["--clock", "--days", "--elements", "--metrics", "--data"]
const flags = [...serverFlags, ...fleetFlags]

/** Reads flags and variables; a flag wins. No message repeats a value, which may be a secret. */
export function readDemoArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (argv.includes("--help") || argv.includes("-h")) return { help: demoHelp }
  const given = new Map<string, string>()
  for (let i = 0; i < argv.length; i++) {
    const [, flag = "", inline] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argv[i]!) ?? []
    if (!flags.includes(flag)) {
      return { problem: `Argument ${i + 1} of demo: expected one of ${flags.join(", ")}, --help` }
    }
    const value = inline ?? argv[++i]
    if (value === undefined || value === "") return { problem: `${flag} needs a value` }
    given.set(flag, value)
  }
  if (given.has("--clock")) return withClock(given)
  const url = given.get("--url")
  const ofFleet = fleetFlags.find((flag) => given.has(flag))
  if (ofFleet !== undefined) return { problem: `${ofFleet} needs --clock beside it` }
  if (url !== undefined) return withUrl(url, given, env)
  const lonely = [...given.keys()][0]
  return lonely === undefined ? { ownServer: true } : { problem: `${lonely} needs --url beside it` }
}

interface Count {
  readonly min: number
  readonly max: number
  readonly usual: number
  readonly step?: number
}

function withClock(given: ReadonlyMap<string, string>): DemoArguments {
  const foreign = serverFlags.find((flag) => given.has(flag))
  if (foreign !== undefined) return { problem: `${foreign} cannot stand beside --clock` }
  const time = parseSimulatedTime(given.get("--clock")!)
  if (time === undefined) {
    return { problem: "--clock: expected a start and a speed, as 2026-01-05T00:00:00Z,x300" }
  }
  const problems: string[] = []
  const count = (flag: string, { min, max, usual, step = 1 }: Count) => {
    const text = given.get(flag) ?? String(usual)
    const value = /^\d{1,6}(?:\.5)?$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max && Number.isInteger(value / step)) return value
    problems.push(`${flag}: expected a number from ${min} to ${max} in steps of ${step}`)
    return usual
  }
  const fleet: FleetArguments = {
    time,
    days: count("--days", { min: daysMin, max: daysMax, usual: daysMax, step: 0.5 }),
    elements: count("--elements", {
      min: fleetElementsMin,
      max: elementsMax,
      usual: elementsDefault,
    }),
    metrics: count("--metrics", {
      min: fleetMetricsMin,
      max: metricsMax,
      usual: metricsMax,
    }),
    folder: given.get("--data") ?? null,
  }
  return problems.length > 0 ? { problem: problems.join("\n") } : { fleet }
}

function withUrl(
  url: string,
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (!/^https?:\/\/[^/]/.test(url)) return { problem: "--url: expected http:// or https://" }
  const values: Record<string, string> = {}
  for (const [flag, variable] of Object.entries(variables)) {
    const value = given.get(flag) ?? env[variable]
    if (value === undefined || value === "") {
      return { problem: `--url needs ${flag} or ${variable} beside it` }
    }
    values[flag] = value
  }
  return {
    address: {
      url: url.replace(/\/+$/, ""),
      user: values["--user"]!,
      password: values["--password"]!,
      apiKey: values["--api-key"]!,
    },
  }
}
