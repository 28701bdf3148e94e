/** The command line of `npm run demo`: a running server, a server of its own, or a fleet. */

import { parseSimulatedTime, type SimulatedTime } from "../../src/base/clock.ts"
import type { DemoAddress } from "./demo-client.ts"
import { fleetMetrics, fleetMetricsMin } from "./fleet-metrics.ts"
import { fleetElementsMin, incidentDay } from "./fleet.ts"
import type { CommandSpec, CommandTable, OptionSpec } from "../../src/command/line/spec.ts"

export interface FleetArguments {
  readonly time: SimulatedTime
  readonly days: number
  readonly elements: number
  readonly metrics: number
  /** Where the store is kept; null: in a temporary folder. */
  readonly folder: string | null
}

/** A server that stays, with a fleet. */
export interface ServeArguments extends Omit<FleetArguments, "time"> {
  readonly port: number
}

export type DemoArguments =
  | { readonly serve: ServeArguments }
  | { readonly address: DemoAddress }
  | { readonly ownServer: true }
  | { readonly fleet: FleetArguments }
  | { readonly problem: string }

/** Of a demonstration with a clock; one query may span at most two weeks. */
const daysMax = 14
/** The incident is over by noon. */
const daysMin = incidentDay - 0.5
/** It holds the incident that is still going on. */
const servedDaysMin = 0.5
const elementsDefault = 40
const metricsMax = fleetMetrics.length
/** Elements of one batch of a closing. */
const elementsMax = 256

const variables = {
  user: "TIDEGAUGE_ADMIN_EMAIL",
  password: "TIDEGAUGE_ADMIN_PASSWORD",
  "api-key": "TIDEGAUGE_API_KEY",
} as const

const serverOptions: readonly OptionSpec[] = [
  { name: "url", value: "URL", meaning: "A running server to use, as http://127.0.0.1:8080." },
  { name: "user", value: "EMAIL", meaning: "User of that server.", variable: variables.user },
  {
    name: "password",
    value: "TEXT",
    meaning: "Password of the user.",
    variable: variables.password,
    isSecret: true,
  },
  {
    name: "api-key",
    value: "KEY",
    meaning: "API key to post with.",
    variable: variables["api-key"],
    isSecret: true,
  },
]

const fleetOptions: readonly OptionSpec[] = [
  {
    name: "clock",
    value: "TIME,xN",
    meaning: "Where the clock starts, and how fast it runs: 2026-01-05T00:00:00Z,x300.",
  },
  {
    name: "days",
    value: "NUMBER",
    meaning:
      `Days of the fleet, halves too: from ${daysMin} to ${daysMax}, ` +
      `with --serve from ${servedDaysMin}.`,
    fallback: String(daysMax),
  },
  {
    name: "elements",
    value: "NUMBER",
    meaning: `Elements of the fleet, from ${fleetElementsMin} to ${elementsMax}.`,
    fallback: String(elementsDefault),
  },
  {
    name: "metrics",
    value: "NUMBER",
    meaning: `Metrics of each element, from ${fleetMetricsMin} to ${metricsMax}.`,
    fallback: String(metricsMax),
  },
  {
    name: "serve",
    meaning: "Leaves a server with days of a fleet running, to look at in a browser.",
  },
  {
    name: "port",
    value: "NUMBER",
    meaning: "Port of that server; 0 is any free one.",
    fallback: "8080",
  },
  {
    name: "data",
    value: "PATH",
    meaning: "Keeps the fleet's store in this folder, which is empty or missing before.",
    completes: "folder",
  },
]

const demoCommand: CommandSpec = {
  name: "demo",
  meaning: "Posts a day of 20 servers × 30 metrics and reads it back.",
  details: `
Without --url it starts a server of its own on a free port, with a store that it removes afterwards.
With --clock that server runs on a simulated clock, policies watch a fleet to which something
happens on the ninth day, and what was found is printed and judged. With --serve two weeks with
incidents pass on a fast clock; then the server stays until Ctrl C.
`,
  options: [...serverOptions, ...fleetOptions],
  examples: ["demo", "demo --clock 2026-01-05T00:00:00Z,x300 --days 8.5", "demo --serve"],
}

/** A table of the one command, by which the program's own parser reads the line. */
export const demoCommands: CommandTable = { commands: [demoCommand], groups: [] }

/** Judges options together with variables; an option wins. No message repeats a value. */
export function readDemoArguments(
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (given.has("serve")) return withServe(given)
  if (given.has("clock")) return withClock(given)
  const url = given.get("url")
  const ofFleet = fleetOptions.find(({ name }) => given.has(name))
  if (ofFleet !== undefined)
    return { problem: `--${ofFleet.name} needs --clock or --serve beside it` }
  if (url !== undefined) return withUrl(url, given, env)
  const [lonely] = given.keys()
  if (lonely === undefined) return { ownServer: true }
  return { problem: `--${lonely} needs --url beside it` }
}

/** A fleet that two cores close in time on the fast clock of the two weeks. */
const servedDefault = { elements: 24, metrics: 12 }
const portMax = 65_535

function withServe(given: ReadonlyMap<string, string>): DemoArguments {
  const foreign = [...serverOptions, { name: "clock" }]
  const lonely = foreign.find(({ name }) => given.has(name))
  if (lonely !== undefined) return { problem: `--${lonely.name} cannot stand beside --serve` }
  const problems: string[] = []
  const count = countsOf(given, problems)
  const [days, elements, metrics] = [
    count("days", { min: servedDaysMin, max: daysMax, usual: daysMax, step: 0.5 }),
    count("elements", { min: fleetElementsMin, max: elementsMax, usual: servedDefault.elements }),
    count("metrics", { min: fleetMetricsMin, max: metricsMax, usual: servedDefault.metrics }),
  ]
  const port = count("port", { min: 0, max: portMax, usual: 8080 })
  const folder = given.get("data") ?? null
  if (problems.length > 0) return { problem: problems.join("\n") }
  return { serve: { days, elements, metrics, folder, port } }
}

interface Count {
  readonly min: number
  readonly max: number
  readonly usual: number
  readonly step?: number
}

function withClock(given: ReadonlyMap<string, string>): DemoArguments {
  const foreign = serverOptions.find(({ name }) => given.has(name))
  if (foreign !== undefined) return { problem: `--${foreign.name} cannot stand beside --clock` }
  const time = parseSimulatedTime(given.get("clock")!)
  // This one runs on while what was found is read.
  if (time === undefined || time.endMs !== Infinity) {
    return { problem: "--clock: expected a start and a speed, as 2026-01-05T00:00:00Z,x300" }
  }
  const problems: string[] = []
  const count = countsOf(given, problems)
  const fleet: FleetArguments = {
    time,
    days: count("days", { min: daysMin, max: daysMax, usual: daysMax, step: 0.5 }),
    elements: count("elements", {
      min: fleetElementsMin,
      max: elementsMax,
      usual: elementsDefault,
    }),
    metrics: count("metrics", {
      min: fleetMetricsMin,
      max: metricsMax,
      usual: metricsMax,
    }),
    folder: given.get("data") ?? null,
  }
  return problems.length > 0 ? { problem: problems.join("\n") } : { fleet }
}

/** Reads options that are numbers; adds a problem for each that is out of bounds. */
function countsOf(given: ReadonlyMap<string, string>, problems: string[]) {
  return (name: string, { min, max, usual, step = 1 }: Count): number => {
    const text = given.get(name) ?? String(usual)
    const value = /^\d{1,6}(?:\.5)?$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max && Number.isInteger(value / step)) return value
    problems.push(`--${name}: expected a number from ${min} to ${max} in steps of ${step}`)
    return usual
  }
}

function withUrl(
  url: string,
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  if (!/^https?:\/\/[^/]/.test(url)) return { problem: "--url: expected http:// or https://" }
  const values: Record<string, string> = {}
  for (const [name, variable] of Object.entries(variables)) {
    const value = given.get(name) ?? env[variable]
    if (value === undefined || value === "") {
      return { problem: `--url needs --${name} or ${variable} beside it` }
    }
    values[name] = value
  }
  return {
    address: {
      url: url.replace(/\/+$/, ""),
      user: values["user"]!,
      password: values["password"]!,
      apiKey: values["api-key"]!,
    },
  }
}
