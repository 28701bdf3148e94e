/**
 * The cost of closing a cycle: `npm run bench:cycles [-- --elements 2000 --minutes 3]`.
 *
 * A server on a clock of ten times the speed, 50 metrics an element of which 5 are sparse, 20
 * policies; every element posts again and again at a steady rate. Each closing is timed by the
 * server itself, and the answers to ingest are split into those during a closing and the others.
 */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Connection, postRequest } from "./load/connection.ts"
import { killServers, startServer, type Server } from "./load/server.ts"
import { basicAuthorization, tidegauge, type Subject } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"

const metricsPerElement = 50
const sparsePerElement = 5
const policyCount = 20
const connections = 32
const requestsPerSecond = 400
/** Simulated: a cycle takes half a minute, a closing in it is as long as ever. */
const speed = 10
const lookMs = 100

const { values } = parseArgs({
  options: {
    elements: { type: "string", default: "2000" },
    minutes: { type: "string", default: "3" },
  },
})
const elements = Number(values.elements)
const seconds = Number(values.minutes) * 60

interface Timed {
  readonly fromMs: number
  readonly toMs: number
}

const scratch = mkdtempSync(join(tmpdir(), "tidegauge-cycles-"))
process.on("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true })
})
const base = tidegauge(join(import.meta.dirname, "..", "dist", "main.js"))
const subject: Subject = {
  ...base,
  launch: (folder, ports) => {
    const launch = base.launch(folder, ports)
    const TIDEGAUGE_CLOCK = `${new Date().toISOString()},x${speed}`
    return { ...launch, environment: { ...launch.environment, TIDEGAUGE_CLOCK } }
  },
}
const server = await startServer(subject, { folder: scratch, processors: "0,1" })
await makePolicies(server)
const requests = makeRequests(server)
await send(server, requests, { rate: Infinity, count: requests.length })
const closings = watchClosings(server)
const answers = await send(server, requests, {
  rate: requestsPerSecond,
  count: requestsPerSecond * seconds,
})
const { found, stop } = closings
stop()
console.log(report(answers, found))
await server.stop()

function report(answers: readonly Timed[], found: readonly Timed[]): string {
  const during = answers.filter((one) =>
    found.some((it) => one.toMs > it.fromMs && one.fromMs < it.toMs),
  )
  const quiet = answers.filter((one) => !during.includes(one))
  const rows = [
    ["closing, longest of " + found.length, ms(Math.max(...found.map(lengthOf))), "≤ 5,000 ms"],
    ["closing, median", ms(quantile(found, 0.5)), ""],
    ["ingest p50, quiet", ms(quantile(quiet, 0.5)), ""],
    ["ingest p99, quiet", ms(quantile(quiet, 0.99)), ""],
    ["ingest p50, during a closing", ms(quantile(during, 0.5)), ""],
    ["ingest p99, during a closing", ms(quantile(during, 0.99)), "≤ 2 × quiet"],
  ]
  const metrics = elements * metricsPerElement
  const about = `${metrics} metrics, ${policyCount} policies, ${answers.length} requests`
  const table = markdownTable(["what", "value", "target"], rows)
  return `Machine: ${machineLine()}\n\n${about}\n\n${table}\n`
}

function ms(value: number): string {
  return `${shortNumber(value)} ms`
}

function lengthOf({ fromMs, toMs }: Timed): number {
  return toMs - fromMs
}

function quantile(timed: readonly Timed[], part: number): number {
  const sorted = Float64Array.from(timed, lengthOf).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN
}

/** One request an element; values drift with the element, so that some policies find something. */
function makeRequests({ launch }: Server): Buffer[] {
  const headers = { ...launch.target.headers, "X-Service-Api-Options": "INJECT_TIMESTAMP" }
  return Array.from({ length: elements }, (_, element) => {
    const metrics = Array.from({ length: metricsPerElement }, (_, i) => {
      const sparseDataStrategy = i < sparsePerElement ? "ReplaceWithZero" : undefined
      return { id: `metric.${i}`, unit: "percent", sparseDataStrategy }
    })
    const samples = metrics
      .slice(element < elements / 2 ? sparsePerElement : 0)
      .map(({ id }, i) => ({ metricId: id, val: (element * 7 + i * 13) % 1000 }))
    const body = [{ id: `element-${element}`, type: "SERVER", metrics, samples }]
    return postRequest({ ...launch.target, headers }, JSON.stringify(body))
  })
}

async function makePolicies({ launch }: Server): Promise<void> {
  for (let i = 0; i < policyCount; i++) {
    const condition = { metric: `metric.${10 + i}`, analytic: "actual", operator: ">", level: 990 }
    const policy = {
      name: `policy ${i}`,
      duration: 300 * (1 + (i % 3)),
      scope: { elementType: "SERVER" },
      conditions: [condition],
      actions: [{ type: "event", category: 2 }],
    }
    const answer = await fetch(`http://127.0.0.1:${launch.target.port}/policies`, {
      method: "POST",
      headers: { authorization: basicAuthorization, "content-type": "application/json" },
      body: JSON.stringify({ policy }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

async function send(
  { launch }: Server,
  requests: readonly Buffer[],
  { rate, count }: { readonly rate: number; readonly count: number },
): Promise<Timed[]> {
  const open = Array.from({ length: connections }, () => Connection.open(launch.target.port))
  const workers = await Promise.all(open)
  const startedMs = performance.now()
  const answers: Timed[] = []
  let next = 0
  await Promise.all(
    workers.map(async (connection) => {
      while (next < count) {
        const index = next++
        const dueMs = startedMs + (index * 1000) / rate
        const early = dueMs - performance.now()
        if (early > 1) await wait(early)
        const fromMs = Math.max(dueMs, rate === Infinity ? performance.now() : dueMs)
        const { status, body } = await connection.send(requests[index % requests.length]!)
        if (status !== 202) throw new Error(`${status} ${body}`)
        answers.push({ fromMs, toMs: performance.now() })
      }
      connection.close()
    }),
  )
  return answers
}

/** Asks the server's own figures; a closing that was counted lasted for what the sum grew by. */
function watchClosings({ launch }: Server): { readonly found: Timed[]; stop: () => void } {
  const found: Timed[] = []
  let last = { count: NaN, sum: NaN }
  let isOver = false
  const look = async (): Promise<void> => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${launch.target.port}/metrics/internal`)
      const text = await answer.text()
      const figure = (name: string) =>
        Number(new RegExp(`^tidegauge_cycle_seconds_${name} (.*)$`, "m").exec(text)?.[1])
      const now = { count: figure("count"), sum: figure("sum") }
      if (now.count > last.count) {
        const toMs = performance.now()
        found.push({ fromMs: toMs - (now.sum - last.sum) * 1000 - lookMs, toMs })
      }
      last = now
      await wait(lookMs)
    }
  }
  void look()
  return { found, stop: () => (isOver = true) }
}
