/**
 * A server in a control group with a limit of memory, under a steady load:
 * `npm run bench:sizing [-- --memory 512 --series 100000 --rate 2000 --minutes 60]`.
 *
 * Prints once a minute what the group uses, and at the end the peak, the processes that the system
 * killed for want of memory, and the times of posts and queries. Needs Linux, and the right to
 * make control groups.
 */

import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createMemoryCgroup, type MemoryCgroup } from "../test/support/machine/memory-cgroup.ts"
import { cpuSeconds, diskBytes } from "./load/process.ts"
import { killServers, startServer, type Server } from "./load/server.ts"
import { tidegauge, type Subject } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { introduce, run, type FleetFigures, type FleetOptions } from "./sizing/fleet.ts"
import { markdownTable, shortNumber } from "./table.ts"
import { MemoryWatch, type Watched } from "./sizing/memory-watch.ts"

const { values } = parseArgs({
  options: {
    memory: { type: "string", default: "512" },
    series: { type: "string", default: "100000" },
    rate: { type: "string", default: "2000" },
    minutes: { type: "string", default: "60" },
    node: { type: "string", default: process.execPath },
    server: { type: "string", default: join(import.meta.dirname, "..", "dist", "main.js") },
  },
})
const memoryMib = Number(values.memory)
const fleet: FleetOptions = {
  series: Number(values.series),
  samplesPerSecond: Number(values.rate),
  minutes: Number(values.minutes),
}

const scratch = mkdtempSync(join(tmpdir(), "tidegauge-sizing-"))
process.on("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const group = createMemoryCgroup(memoryMib * 1024 ** 2)
if (group === null) throw new Error("Expected the right to make control groups with a limit")
const server = await startServer(subjectIn(group), { folder: scratch, processors: "0,1" })
const watch = new MemoryWatch(group, server.pid)
const atStart = group.figures()
await introduce(server, fleet)
const cpuBefore = cpuSeconds(server.pid)
const figures = await run(server, fleet)
const cores = (cpuSeconds(server.pid) - cpuBefore) / (fleet.minutes * 60)
const watched = watch.stop()
const text = await (await fetch(new URL("/metrics/internal", server.launch.readyUrl))).text()
console.log(report(server, { figures, watched, cores, text, startBytes: atStart.anonymousBytes }))
await server.stop()
group.remove()
if (watched.kills > 0) process.exitCode = 1

function subjectIn(one: MemoryCgroup): Subject {
  const base = tidegauge(values.server, { node: values.node })
  return {
    ...base,
    launch: (folder, ports) => {
      const { environment, ...launch } = base.launch(folder, ports)
      // The limit of series is part of what is tried.
      const { TIDEGAUGE_SERIES_LIMIT: _, ...settings } = environment
      return { ...launch, environment: settings, command: one.enter(launch.command) }
    },
  }
}

interface Outcome {
  readonly figures: FleetFigures
  readonly watched: Watched
  /** Processor seconds a second, queries and closings included. */
  readonly cores: number
  /** The server's own metrics at the end. */
  readonly text: string
  readonly startBytes: number
}

function report(one: Server, { figures, watched, cores, text, startBytes }: Outcome): string {
  const metric = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:{.*})? (.*)$`, "gm"))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  const rows = [
    ["limit of the control group", `${memoryMib} MiB`],
    ["series, samples a second", `${fleet.series}, ${fleet.samplesPerSecond}`],
    ["posts, refused", `${figures.posts}, ${figures.refused}`],
    ["post p50, p99, longest", ms(figures.p50Ms, figures.p99Ms, figures.maxMs)],
    ["queries, refused", `${figures.queries}, ${figures.queriesRefused}`],
    ["longest query", ms(figures.queryMaxMs)],
    ["anonymous memory at the start", mib(startBytes)],
    ["anonymous memory, mean of the second half", mib(watched.settledBytes)],
    ["anonymous memory, peak", mib(watched.anonymousPeakBytes)],
    ["resident memory of the process, peak", mib(watched.residentPeakBytes)],
    ["charged to the group, peak (page cache included)", mib(watched.peakBytes)],
    ["processes killed for want of memory", String(watched.kills)],
    ["cycles closed", String(metric("tidegauge_cycle_seconds_count"))],
    ["seconds in closings", shortNumber(metric("tidegauge_cycle_seconds_sum"))],
    ["times that memory was short", String(metric("tidegauge_memory_short_total"))],
    ["cores", cores.toFixed(3)],
    ["store's folder", mib(diskBytes(one.dataFolder))],
  ]
  const table = markdownTable(["what", "value"], rows)
  return `Machine: ${machineLine()}, server on ${nodeVersion()}\n\n${table}\n`
}

function nodeVersion(): string {
  return `node ${execFileSync(values.node, ["--version"], { encoding: "utf8" }).trim()}`
}

function ms(...times: readonly number[]): string {
  return times.map((one) => `${shortNumber(one)} ms`).join(", ")
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
