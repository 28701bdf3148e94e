/** One start of the server as a process: when it was ready, its phases, and its first query. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { get, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuMs } from "../load/process.ts"
import { freePort } from "../../test/support/network/free-port.ts"

const pollMs = 2
const readySecondsMax = 60

export interface Query {
  readonly name: string
  readonly path: string
  /** Posted as JSON; absent: a GET. */
  readonly body?: unknown
}

export interface StartedOptions {
  readonly command: readonly string[]
  readonly store: string
  /** `email:password` of the queries. */
  readonly user?: string
  /** Put one after the other as soon as the server is ready, each on a connection of its own. */
  readonly queries?: readonly Query[]
}

export interface StartFigures {
  /** From the start of the process to the first 200 of /health/ready. */
  readonly readyMs: number
  /** Of all threads until then. */
  readonly cpuMs: number
  /** Milliseconds from the start of the process to the end of each phase; the latest thread's. */
  readonly phases: ReadonlyMap<string, number>
  readonly queriesMs: readonly number[]
  readonly output: string
}

/** Starts the server, asks, and stops it in order. Throws if it is not ready within a minute. */
export async function measureStart(options: StartedOptions): Promise<StartFigures> {
  const { command, store, user = "", queries = [] } = options
  const port = await freePort()
  const flags = ["--port", String(port), "--data", store, "--log-format", "json"]
  const [program = "", ...first] = command
  const startedMs = performance.timeOrigin + performance.now()
  const elapsedMs = () => performance.timeOrigin + performance.now() - startedMs
  const env = { ...process.env, NODE_DEBUG: "tidegauge" }
  const child = spawn(program, [...first, ...flags], { stdio: ["ignore", "pipe", "pipe"], env })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  let isRunning = true
  const ended = once(child, "close").finally(() => (isRunning = false))
  try {
    while (isRunning && (await readyStatus(port)) !== 200) {
      if (elapsedMs() > readySecondsMax * 1000) throw new Error(`not ready:\n${output}`)
      await sleep(pollMs)
    }
    if (!isRunning) throw new Error(`The server ended before it was ready:\n${output}`)
    const readyMs = elapsedMs()
    const spentMs = cpuMs(child.pid!)
    const queriesMs: number[] = []
    for (const query of queries) queriesMs.push(await ask(port, user, query))
    return { readyMs, cpuMs: spentMs, queriesMs, ...(await stopped()) }
  } finally {
    child.kill("SIGKILL")
    await ended
  }

  async function stopped(): Promise<Pick<StartFigures, "phases" | "output">> {
    child.kill("SIGTERM")
    await ended
    return { phases: phasesOf(output, startedMs), output }
  }
}

/** Lines of src/base/log.ts. */
function phasesOf(output: string, startedMs: number): Map<string, number> {
  const phases = new Map<string, number>()
  for (const [, atMs, phase] of output.matchAll(/^TIDEGAUGE \d+: start ([\d.]+) (.+)$/gm)) {
    phases.set(phase!, Math.max(phases.get(phase!) ?? 0, Number(atMs) - startedMs))
  }
  return phases
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

/** Milliseconds until the whole answer is there. Throws unless it is a 200. */
function ask(port: number, user: string, { path, body }: Query): Promise<number> {
  const startedMs = performance.now()
  const headers = {
    Authorization: `Basic ${Buffer.from(user).toString("base64")}`,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  }
  const method = body === undefined ? "GET" : "POST"
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, method, headers, agent: false })
    sent.on("error", reject)
    sent.on("response", (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedMs)
        else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`))
      })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
