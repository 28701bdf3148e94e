/**
 * Bytes on disk by table, from one whole day of a server on a fast clock: what a series takes for
 * as long as a resolution is kept. `npm run bench:sizing:disk`, two minutes and a half.
 *
 *   22:00 ─► midnight ─► a day of a sample a minute, closings with bands ─► midnight ─► 01:30
 *                                                     compacted when it ended an hour ago
 */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openTables, recordTables, type Tables } from "../../src/store/lmdb/disk/tables.ts"
import { Connection, getRequest, postRequest } from "../load/connection.ts"
import { killServers, startServer, type Server } from "../load/server.ts"
import { basicAuthorization, tidegauge } from "../load/subjects.ts"
import { machineLine } from "../machine.ts"
import { markdownTable } from "../table.ts"

const elements = 200
const metricsPerElement = 3
const series = elements * metricsPerElement
const minuteMs = 60_000
const dayMs = 86_400_000
const speed = 1_200
const startMs = Date.UTC(2026, 0, 5, 22)
/** The whole day that is measured. */
const day = Math.floor(startMs / dayMs) + 1
const endMs = (day + 1) * dayMs + 90 * minuteMs
/** A block is compacted when it was quiet for ten seconds. */
const quietMs = 20_000
const retentionDays = { raw: 15, cells: 90, bands: 90, hours: 395, days: 1825 }

const scratch = mkdtempSync(join(tmpdir(), "tidegauge-sizing-"))
process.on("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true })
})
const server = await startServer(
  tidegauge(join(import.meta.dirname, "..", "..", "dist", "main.js"), {
    environment: { TIDEGAUGE_CLOCK: `${new Date(startMs).toISOString()},x${speed}` },
  }),
  { folder: scratch, processors: "0,1" },
)
await postAll(server)
await wait(quietMs)
await server.stop()
const tables = openTables(server.dataFolder)
console.log(report(tables))
await tables.root.close()

/** Posts a sample of each series for each minute, when the server's clock has come to it. */
async function postAll(one: Server): Promise<void> {
  const connection = await Connection.open(one.launch.target.port)
  for (let atMs = startMs; atMs < endMs; atMs += minuteMs) {
    while ((await timeOf(one, connection)) < atMs) await wait(minuteMs / speed / 4)
    const { status, body } = await connection.send(bodyAt(one, atMs))
    if (status !== 202) throw new Error(`${status} ${body.slice(0, 300)}`)
  }
  connection.close()
}

async function timeOf({ launch }: Server, connection: Connection): Promise<number> {
  const headers = { Authorization: basicAuthorization }
  const { port } = launch.target
  const { body } = await connection.send(getRequest({ port, path: "/time", headers }))
  return Number(/\d{13}/.exec(body)?.[0] ?? Number.NaN)
}

/** Hundredths around a level of the hour, as loads and latencies have them. */
function bodyAt({ launch }: Server, atMs: number): Buffer {
  const level = 40 + 30 * Math.sin((atMs / dayMs) * 2 * Math.PI)
  const fleet = Array.from({ length: elements }, (_, element) => ({
    id: `host-${element}`,
    type: "SERVER",
    samples: Array.from({ length: metricsPerElement }, (__, i) => ({
      metricId: `metric-${i}`,
      timestamp: atMs,
      val: Math.round((level + 20 * Math.random()) * 100) / 100,
    })),
  }))
  return postRequest(launch.target, JSON.stringify(fleet))
}

function report(all: Tables): string {
  const rows = recordTables.map((name) => [name, bytesOfDay(all, name)] as const)
  const samples = series * (dayMs / minuteMs)
  const lines = rows
    .filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => {
      const days = retentionDays[name as keyof typeof retentionDays]
      const perDay = bytes / series
      return [name, perDay.toFixed(1), String(days ?? ""), days ? kib(perDay * days) : ""]
    })
  const whole = rows.reduce(
    (sum, [name, bytes]) =>
      sum + (bytes / series) * (retentionDays[name as keyof typeof retentionDays] ?? 0),
    0,
  )
  const raw = rows.find(([name]) => name === "raw")![1]
  const head = ["table", "bytes a series and day", "days kept", "a series for that long"]
  return [
    `Machine: ${machineLine()}`,
    `${series} series, a sample a minute in hundredths, one whole day on a clock x${speed}`,
    markdownTable(head, lines),
    `raw: ${(raw / samples).toFixed(2)} bytes a sample`,
    `all: ${kib(whole)} a series for the default retention`,
  ].join("\n\n")
}

/** Bytes of keys and values of the day's rows; LMDB's pages hold them to two thirds and more. */
function bytesOfDay(all: Tables, name: (typeof recordTables)[number]): number {
  const cyclesPerDay = 288
  const perDay = name.startsWith("recent") ? cyclesPerDay : name === "raw" ? 4 : 1
  let bytes = 0
  for (const { key, value } of all[name].getRange({})) {
    const period = key.readUInt32BE(0)
    if (Math.floor(period / perDay) === day) bytes += key.length + value.length
  }
  return bytes
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`
}
