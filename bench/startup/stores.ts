/**
 * Stores whose start is measured: each is filled once, and gets its accounts by a start of the
 * server.
 */

import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import { openWriteStore } from "../../src/store/open.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { fillStore, metricsPerElement } from "../catalog-data.ts"
import { measureStart } from "./run.ts"

export const storeNames = ["queries", "queries-chosen", "200k", "1m", "1m-killed"] as const
export type StoreName = (typeof storeNames)[number]

const dayMs = 86_400_000
const minuteMs = 60_000
export const queryElements = 1_000
export const queryMetric = "m0"
/** Minutes of one append. */
const minutesPerAppend = 60

/** The login of queries to a store whose administrator has chosen a password. */
const chosen = { email: "admin@tidegauge.local", password: "seven herons at low water" }

/** Stores that are a copy of another one, to which something is done. */
const origins: Readonly<Partial<Record<StoreName, StoreName>>> = {
  "queries-chosen": "queries",
  "1m-killed": "1m",
}

/** Writes the samples of a store, in a process of its own. */
export function fill(name: StoreName, folder: string): void {
  const nowMs = Date.now()
  if (name === "queries") fillQueries(folder, nowMs)
  if (name === "200k") fillStore(folder, { elements: 200_000 / metricsPerElement, nowMs })
  if (name === "1m") fillStore(folder, { elements: 1_000_000 / metricsPerElement, nowMs })
  if (name === "1m-killed") leaveUnflushed(folder, nowMs)
}

/** The path of the filled store below `folder`, which keeps it for later runs. */
export async function filledStore(
  name: StoreName,
  folder: string,
  command: readonly string[],
): Promise<string> {
  const path = join(folder, name)
  if (existsSync(path)) return path
  // LMDB takes a name with a dot for that of a file.
  const partial = `${path}-partial`
  rmSync(partial, { recursive: true, force: true })
  const origin = origins[name]
  if (origin === undefined) {
    fillElsewhere(name, partial)
    const { output } = await measureStart({ command, store: partial })
    writeFileSync(`${path}.user`, generatedUser(output))
  } else copyStore(await filledStore(origin, folder, command), partial)
  if (name === "1m-killed") fillElsewhere(name, partial)
  if (name === "queries-chosen") {
    const flags = ["--admin-email", chosen.email, "--admin-password", chosen.password]
    await measureStart({ command: [...command, ...flags], store: partial })
  }
  renameSync(partial, path)
  return path
}

/** With the times of files, by which the server knows a store that was closed in order. */
export function copyStore(from: string, to: string): void {
  execFileSync("cp", ["--archive", from, to])
}

/** `email:password` of the administrator of such a store. */
export function userOf(name: StoreName, folder: string): string {
  if (name === "queries-chosen") return `${chosen.email}:${chosen.password}`
  return readFileSync(join(folder, `${origins[name] ?? name}.user`), "utf8")
}

/** The login that the first start made, from its output. */
function generatedUser(output: string): string {
  const [, email, password] = /administrator +(\S+)\n +password +(\S+)/.exec(output) ?? []
  if (email === undefined) throw new Error(`Expected the secrets of a first start:\n${output}`)
  return `${email}:${password}`
}

function fillElsewhere(name: StoreName, folder: string): void {
  const program = [...process.execArgv, process.argv[1]!]
  try {
    execFileSync(process.execPath, [...program, "--fill", name, "--in", folder])
  } catch (error) {
    // That store is left by a process that was killed.
    if ((error as { readonly signal?: string }).signal !== "SIGKILL") throw error
  }
}

const storeOptions = {
  retentionMs: { ZERO: 15 * dayMs, PT5M: 90 * dayMs, PT1H: 395 * dayMs, PT24H: 1825 * dayMs },
  cycleGraceMs: minuteMs,
  elapsedMs: () => performance.now(),
  warn: () => {},
}

/** Two days and the hours of today, a sample a minute, of one metric of each element. */
function fillQueries(folder: string, nowMs: number): void {
  const store = openWriteStore({ folder, ...storeOptions })
  const series = Array.from({ length: queryElements }, (_, index) => {
    const element = store.catalogue.upsertElement(0, `host-${index}`, { nowMs })
    return store.catalogue.upsertSeries(element, queryMetric, {})
  })
  const startMs = Math.floor(nowMs / dayMs - 2) * dayMs
  const stepMs = minutesPerAppend * minuteMs
  for (let fromMs = startMs; fromMs < nowMs - minuteMs; fromMs += stepMs) {
    const toMs = Math.min(fromMs + stepMs, nowMs - minuteMs)
    appendMinutes(store, series, { fromMs, toMs })
    maintainAll(store, nowMs)
  }
  void store.close()
}

function appendMinutes(
  store: WriteStore,
  series: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): void {
  const columns = new SampleBatchBuilder()
  columns.startRequest()
  for (let timeMs = fromMs; timeMs < toMs; timeMs += minuteMs) {
    for (const one of series) columns.push(one, timeMs, Math.sin(timeMs / 1e6 + one) * 50 + 50)
  }
  store.append({ columns })
}

function maintainAll(store: WriteStore, nowMs: number): void {
  while (store.maintain({ nowMs, budgetMs: 1_000, idle: true }).moreDue) continue
}

/** One unflushed sample of each of the series, and the end of a process that is killed. */
function leaveUnflushed(folder: string, nowMs: number): void {
  const store = openWriteStore({ folder, ...storeOptions })
  const { seriesCount } = store.catalogue
  const seriesPerAppend = 10_000
  for (let from = 0; from < seriesCount; from += seriesPerAppend) {
    const columns = new SampleBatchBuilder()
    columns.startRequest()
    const to = Math.min(from + seriesPerAppend, seriesCount)
    for (let one = from; one < to; one++) columns.push(one, nowMs - minuteMs, one)
    store.append({ columns })
  }
  process.kill(process.pid, "SIGKILL")
}
