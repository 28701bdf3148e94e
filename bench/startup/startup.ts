/**
 * `npm run bench:startup`: from the start of the process to the first 200 of /health/ready, and the
 * first query after that, each on a start of its own.
 *
 *   npm run bench:startup -- [--only NAMES] [--runs 9] [--stores FOLDER] [--phases] [-- COMMAND …]
 *
 * COMMAND is `node dist/main.js` if absent; several, with `--` between them, run in turn. FOLDER
 * keeps the filled stores for later runs; without it they are made each time.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { machineLine } from "../machine.ts"
import { markdownTable } from "../table.ts"
import { measureStart, type Query, type StartFigures } from "./run.ts"
import {
  copyStore,
  fill,
  filledStore,
  queryElements,
  queryMetric,
  userOf,
  type StoreName,
} from "./stores.ts"

interface Case {
  readonly name: string
  /** Absent: a new, empty folder. */
  readonly store?: StoreName
  /** The second start of a new store. */
  readonly isSecond?: boolean
  readonly queries?: readonly Query[]
}

const dayMs = 86_400_000
const login: Query = { name: "login", path: "/users/current" }

function queriesNow(): readonly Query[] {
  const endMs = Date.now()
  const window = { startTime: iso(endMs - dayMs), endTime: iso(endMs) }
  const search = new URLSearchParams({ fqn: queryMetric, rollup: "PT5M", ...window })
  const path = `/metrics/statistics?${search}`
  const last = `host-${queryElements - 1}`
  return [
    { name: "names", path: "/metrics/fqns" },
    { name: "one series", path, body: [last] },
    { name: "day of 1,000", path },
  ]
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function casesOf(only: readonly string[]): Case[] {
  const asking = (store: StoreName, how: string, before: readonly Query[]): Case[] =>
    queriesNow().map((one) => ({
      name: `${one.name}, ${how}`,
      store,
      queries: [...before, one],
    }))
  const all: Readonly<Record<string, readonly Case[]>> = {
    new: [{ name: "new store" }],
    empty: [{ name: "empty store", isSecond: true }],
    "200k": [{ name: "200,000 series", store: "200k" }],
    "1m": [{ name: "1,000,000 series", store: "1m" }],
    "1m-killed": [{ name: "the same, after kill -9", store: "1m-killed" }],
    generated: asking("queries", "generated password", []),
    chosen: asking("queries-chosen", "chosen password", []),
    known: asking("queries-chosen", "logged in", [login]),
  }
  return (only.length === 0 ? Object.keys(all) : only).flatMap((name) => all[name] ?? [])
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", default: "" },
      runs: { type: "string", default: "9" },
      stores: { type: "string" },
      phases: { type: "boolean", default: false },
      // How this script fills a store in another process.
      fill: { type: "string" },
      in: { type: "string" },
    },
  })
  if (values.fill !== undefined) return fill(values.fill as StoreName, values.in!)
  const only = values.only.split(",").filter((name) => name !== "")
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-startup-"))
  const { stores = folder, phases } = values
  const options = { folder, stores, phases, runs: Number(values.runs) }
  mkdirSync(stores, { recursive: true })
  try {
    console.log(`${machineLine()}, load ${readFileSync("/proc/loadavg", "utf8").trim()}`)
    const commands = commandsOf(positionals)
    for (const one of casesOf(only)) await measureCase(one, commands, options)
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 })
  }
}

/** Commands of words, with `--` between them. */
function commandsOf(words: readonly string[]): string[][] {
  const commands: string[][] = [[]]
  for (const word of words) {
    if (word === "--") commands.push([])
    else commands.at(-1)!.push(word)
  }
  const given = commands.filter((command) => command.length > 0)
  return given.length > 0 ? given : [[process.execPath, "dist/main.js"]]
}

interface Options {
  readonly folder: string
  readonly stores: string
  readonly runs: number
  readonly phases: boolean
}

/** Starts the commands in turn, after one start each that is not counted. */
async function measureCase(
  one: Case,
  commands: readonly (readonly string[])[],
  { folder, stores, runs, phases }: Options,
): Promise<void> {
  const figures = commands.map((): StartFigures[] => [])
  for (let run = -1; run < runs; run++) {
    for (const [index, command] of commands.entries()) {
      const store = join(folder, "store")
      rmSync(store, { recursive: true, force: true })
      let user = ""
      if (one.store !== undefined) {
        copyStore(await filledStore(one.store, stores, command), store)
        user = userOf(one.store, stores)
      }
      if (one.isSecond === true) await measureStart({ command, store })
      const queries = one.queries ?? []
      const start = await measureStart({ command, store, user, queries })
      if (run >= 0) figures[index]!.push(start)
    }
  }
  // So that stores can be filled alone.
  if (runs === 0) return
  const head = ["", "ready", "least", "CPU", ...(one.queries ?? []).map(({ name }) => name)]
  const rows = commands.map((command, index) => rowOf(nameOf(command), figures[index]!))
  console.log(`\n${one.name}, ms\n\n${markdownTable(head, rows)}`)
  if (phases) console.log(`\n${phaseTable(commands.map(nameOf), figures)}`)
}

/** `node26 main.js`, as far as it tells commands apart. */
function nameOf(command: readonly string[]): string {
  return command.map((word) => word.split("/").slice(-3).join("/") || basename(word)).join(" ")
}

function rowOf(name: string, starts: readonly StartFigures[]): string[] {
  const ready = starts.map(({ readyMs }) => readyMs)
  const asked = starts[0]!.queriesMs.map((_, at) => starts.map((one) => one.queriesMs[at]!))
  const cpu = starts.map(({ cpuMs }) => cpuMs)
  return [name, whole(median(ready)), whole(Math.min(...ready)), whole(median(cpu))].concat(
    asked.map((times) => whole(median(times))),
  )
}

/** When each phase ended, in the order of the first command. */
function phaseTable(
  names: readonly string[],
  figures: readonly (readonly StartFigures[])[],
): string {
  const timesOf = (starts: readonly StartFigures[], phase: string) =>
    starts.flatMap(({ phases }) => phases.get(phase) ?? [])
  const ends = (phase: string) => figures.map((starts) => median(timesOf(starts, phase)))
  const phases = [...new Set(figures.flat().flatMap((one) => [...one.phases.keys()]))]
  const rows = phases.map((phase) => ({ phase, ends: ends(phase) }))
  rows.sort((left, right) => left.ends[0]! - right.ends[0]!)
  return markdownTable(
    ["phase ended", ...names],
    rows.map((row) => [row.phase, ...row.ends.map(whole)]),
  )
}

function median(values: readonly number[]): number {
  return (
    [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
  )
}

function whole(ms: number): string {
  return Number.isNaN(ms) ? "–" : ms.toFixed(0)
}

await main()
