/**
 * `npm run package:startup`: time from the start of the process to the first 200 of /health/ready,
 * on a store that it makes and on an empty one that is there. Ten starts each; the median, and the
 * CPU of all threads until then. `npm run package:startup -- node dist/main.js` for another command.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { get } from "node:http"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { rootFolder } from "./bundle.ts"

const rounds = 10
const pollMs = 2

const { version } = JSON.parse(readFileSync(join(rootFolder, "package.json"), "utf8"))
const argv = process.argv.slice(2)
const command =
  argv.length > 0 ? argv : [join(rootFolder, `build/tidegauge-${version}-linux-${process.arch}`)]

interface Start {
  readonly readyMs: number
  readonly cpuMs: number
}

async function measure(store: string): Promise<Start> {
  const port = await freePort()
  const flags = ["--port", String(port), "--data", store, "--log-format", "json"]
  const startMs = performance.now()
  const child = spawn(command[0]!, [...command.slice(1), ...flags], { stdio: "ignore" })
  let isRunning = true
  const ended = once(child, "exit").finally(() => (isRunning = false))
  while (isRunning && (await readyStatus(port)) !== 200) await sleep(pollMs)
  if (!isRunning) throw new Error("The server ended before it was ready")
  const start = { readyMs: performance.now() - startMs, cpuMs: cpuMsOf(child.pid!) }
  child.kill("SIGTERM")
  await ended
  return start
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function readyStatus(port: number): Promise<number> {
  return new Promise((resolve) => {
    const options = { port, host: "127.0.0.1", path: "/health/ready", agent: false }
    get(options, (answer) => {
      answer.resume()
      answer.on("end", () => resolve(answer.statusCode ?? 0))
    }).on("error", () => resolve(0))
  })
}

/** The first number of `schedstat` is nanoseconds on a core. */
function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`
  const times = readdirSync(folder).map((thread) => {
    const text = readFileSync(join(folder, thread, "schedstat"), "utf8")
    return Number(text.split(" ")[0]) / 1e6
  })
  return times.reduce((sum, ms) => sum + ms, 0)
}

function median(values: readonly number[]): string {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(0)
}

async function measureAll(name: string, storeOf: (round: number) => string): Promise<void> {
  const starts: Start[] = []
  for (let round = 0; round < rounds; round++) starts.push(await measure(storeOf(round)))
  const ready = starts.map(({ readyMs }) => readyMs)
  const least = Math.min.apply(null, ready).toFixed(0)
  const cpu = median(starts.map(({ cpuMs }) => cpuMs))
  console.log(`${name}: ready after ${median(ready)} ms (least ${least}), CPU ${cpu} ms`)
}

const folder = mkdtempSync(join(tmpdir(), "tidegauge-startup-"))
try {
  await measureAll("new store", (round) => join(folder, `new-${round}`))
  await measureAll("empty store", () => join(folder, "new-0"))
  console.log(`load ${readFileSync("/proc/loadavg", "utf8").trim()}`)
} finally {
  rmSync(folder, { recursive: true })
}
