/** The servers that are measured: how each is started, what it reads, how it is asked to finish. */

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout as wait } from "node:timers/promises"
import type { BodyFormat } from "./bodies.ts"
import type { HttpTarget } from "./connection.ts"

export interface Launch {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Where the requests of the load go. */
  readonly target: HttpTarget
  /** An address that answers 2xx once the server is ready. */
  readonly readyUrl: string
}

export interface Subject {
  readonly name: string
  readonly format: BodyFormat
  /** `ports` are free ones, as many as it may need. */
  launch(folder: string, ports: readonly number[]): Launch
  /** After each first start. */
  prepare?(launch: Launch): Promise<void>
  /** Asks it to write what it holds in memory. */
  flush?(launch: Launch): Promise<void>
  /** Throws if it has not finished its background work. */
  check?(launch: Launch): Promise<void>
  /** How long its background work may wait for quiet before it begins. */
  readonly graceSeconds: number
}

const json = { "Content-Type": "application/json" }
const local = (port: number) => `127.0.0.1:${port}`
const apiKey = "0123456789abcdef0123456789abcdef"
export const administrator = { email: "bench@example.com", password: "bench-password-1" }

export const basicAuthorization = `Basic ${Buffer.from(
  `${administrator.email}:${administrator.password}`,
).toString("base64")}`

interface TidegaugeOptions {
  readonly name?: string
  readonly node?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** `entry` is the file that `node` runs. Two weeks of yesterday's samples need more than the default period. */
export function tidegauge(
  entry: string,
  { name = "Tidegauge", node = process.execPath, environment = {} }: TidegaugeOptions = {},
): Subject {
  return {
    name,
    format: "tidegauge",
    graceSeconds: 2,
    launch: (folder, [port = 0]) => ({
      command: [node, ...(entry.endsWith(".ts") ? ["--import", "tsx"] : []), entry],
      environment: {
        TIDEGAUGE_PORT: String(port),
        TIDEGAUGE_DATA: join(folder, "data"),
        TIDEGAUGE_API_KEY: apiKey,
        TIDEGAUGE_ADMIN_EMAIL: administrator.email,
        TIDEGAUGE_ADMIN_PASSWORD: administrator.password,
        TIDEGAUGE_ACCEPT_PAST: "P20D",
        // A million series come with their elements, faster than in a minute.
        TIDEGAUGE_SERIES_LIMIT: "2000000",
        TIDEGAUGE_NEW_SERIES_LIMIT: "2000000",
        TIDEGAUGE_LOG_LEVEL: "warn",
        ...environment,
      },
      target: { port, path: `/ingest/${apiKey}`, headers: json },
      readyUrl: `http://${local(port)}/health/ready`,
    }),
  }
}

export const victoriaMetrics: Subject = {
  name: "VictoriaMetrics",
  format: "opentsdb",
  graceSeconds: 2,
  launch: (folder, [port = 0, putPort = 0]) => ({
    command: [
      "victoria-metrics",
      `-storageDataPath=${join(folder, "data")}`,
      `-httpListenAddr=${local(port)}`,
      `-opentsdbHTTPListenAddr=${local(putPort)}`,
      "-retentionPeriod=100y",
      "-loggerLevel=ERROR",
    ],
    environment: {},
    target: { port: putPort, path: "/api/put", headers: json },
    readyUrl: `http://${local(port)}/health`,
  }),
  flush: async ({ readyUrl }) => {
    await fetch(new URL("/internal/force_flush", readyUrl))
  },
}

/** The same by its JSON import: many samples of a series on one line, the best of its texts. */
export const victoriaMetricsImport: Subject = {
  ...victoriaMetrics,
  name: "VictoriaMetrics import",
  format: "import",
  launch: (folder, ports) => {
    const launch = victoriaMetrics.launch(folder, ports)
    const [port = 0] = ports
    return { ...launch, target: { port, path: "/api/v1/import", headers: json } }
  },
}

const influxColdSeconds = 5

export const influxDb: Subject = {
  name: "InfluxDB",
  format: "line",
  graceSeconds: 2,
  launch: (folder, [port = 0, adminPort = 0]) => {
    const configPath = join(folder, "influx.conf")
    writeFileSync(configPath, influxConfig(join(folder, "data"), port, adminPort))
    return {
      command: ["influxd", "-config", configPath],
      environment: {},
      target: { port, path: "/write?db=bench", headers: {} },
      readyUrl: `http://${local(port)}/ping`,
    }
  },
  prepare: async ({ readyUrl }) => {
    const body = new URLSearchParams({ q: "CREATE DATABASE bench" })
    await fetch(new URL("/query", readyUrl), { method: "POST", body })
  },
  // It has no call for this: its cache is written once it is cold.
  flush: () => wait((influxColdSeconds + 2) * 1000),
}

/** Shipped defaults, which fsync each write; without request log, self-monitoring and limits of series. */
function influxConfig(folder: string, port: number, adminPort: number): string {
  return `reporting-disabled = true
bind-address = "${local(adminPort)}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
  max-series-per-database = 0
  max-values-per-tag = 0
  cache-max-memory-size = "4g"
  cache-snapshot-write-cold-duration = "${influxColdSeconds}s"
[monitor]
  store-enabled = false
[http]
  bind-address = "${local(port)}"
  log-enabled = false
[logging]
  level = "warn"
`
}

/** Reads our bodies and keeps nothing. */
const floor = floorSubject("floor", () => [])

/** Has our bodies on the disk before it answers, and does nothing else with them. */
const durableFloor = floorSubject("durable floor", (folder) => [join(folder, "data", "bodies")])

export const floors: readonly Subject[] = [floor, durableFloor]

function floorSubject(name: string, files: (folder: string) => string[]): Subject {
  return {
    name,
    format: "tidegauge",
    graceSeconds: 0,
    launch: (folder, [port = 0]) => {
      mkdirSync(join(folder, "data"), { recursive: true })
      const entry = fileURLToPath(new URL("./floor-server.ts", import.meta.url))
      return {
        command: [process.execPath, "--import", "tsx", entry, String(port), ...files(folder)],
        environment: {},
        target: { port, path: "/", headers: json },
        readyUrl: `http://${local(port)}/`,
      }
    },
  }
}
