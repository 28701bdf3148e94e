/**
 * Overload run: what the real server takes at its capacity, and what it takes, refuses and holds
 * when ten times as much is sent over two thousand connections.
 */

import { existsSync, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { makeFolder, removeFolder } from "../support/folder.ts"
import { apiKey, startServer } from "../support/server.ts"
import type { TestServer } from "../support/server.ts"
import { Dice } from "./dice.ts"
import { Load } from "./overload-client.ts"

export interface OverloadOptions {
  readonly seed: number
  readonly capacityMs: number
  readonly overloadMs: number
}

export interface OverloadResult {
  /** Requests a second at 16 connections. */
  readonly capacity: number
  readonly offered: number
  readonly accepted: number
  readonly refused: number
  /** Neither taken nor refused: the connection ended. */
  readonly broken: number
  readonly unsent: number
  readonly refusedMsP50: number
  readonly refusedMsP99: number
  readonly eventLoopMsP99: number
  readonly rssAtCapacity: number
  readonly rssMax: number
  readonly queueBytesMax: number
}

export const queueMiB = 32
const connections = 2_000
const factor = 10

/** 16,000 samples in 1 MB of JSON, gzipped: dear to take, cheap to send. */
function request(seed: number): Buffer {
  const dice = new Dice(seed)
  const elements = Array.from({ length: 40 }, (_, e) => {
    const samples = Array.from({ length: 400 }, (_, m) => ({
      metricId: `system.metric.${m}`,
      val: dice.below(100_000) / 100,
    }))
    return { id: `server-${e}`, type: "SERVER", samples }
  })
  const body = gzipSync(JSON.stringify(elements))
  const head = [
    `POST /ingest/${apiKey} HTTP/1.1`,
    "Host: a",
    "Content-Encoding: gzip",
    "X-Service-Api-Options: INJECT_TIMESTAMP",
    `Content-Length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body])
}

export async function overloadRun(options: OverloadOptions): Promise<OverloadResult> {
  const folder = makeFolder("tidegauge-overload")
  const server = await startServer({ folder, flags: ["--queue-limit", `${queueMiB}MiB`] })
  try {
    return await measure(server, options)
  } catch (cause) {
    const { message } = cause as Error
    const state = server.isRunning() ? "runs" : `ended with ${await server.ended()}`
    const words = server.output().slice(-2000)
    throw new Error(`${message}; the server ${state} and wrote: ${words}`, { cause })
  } finally {
    await server.stop()
    removeFolder(folder)
  }
}

async function measure(server: TestServer, options: OverloadOptions): Promise<OverloadResult> {
  const { capacityMs, overloadMs, seed } = options
  const to = { port: Number(new URL(server.url).port), request: request(seed) }
  const calm = new Load({ ...to, connections: 16 })
  await calm.open()
  await calm.run(capacityMs / 2)
  const before = calm.count(202)
  const rssCalm = watchRss(server.pid)
  await calm.run(capacityMs)
  const capacity = ((calm.count(202) - before) / capacityMs) * 1000
  calm.close()
  const rssAtCapacity = rssCalm()

  const storm = new Load({ ...to, connections, rate: factor * capacity })
  await storm.open()
  await lagMs(server)
  const rssStorm = watchRss(server.pid)
  await storm.run(overloadMs)
  const seen = new Map(storm.statuses)
  const eventLoopMsP99 = await lagMs(server)
  const rssMax = rssStorm()
  storm.close()
  const count = (...statuses: number[]) =>
    statuses.reduce((sum, status) => sum + (seen.get(status) ?? 0), 0)
  const total = [...seen.values()].reduce((sum, one) => sum + one, 0)
  const refusedMs = storm.refusedMs.sort((left, right) => left - right)
  return {
    capacity,
    offered: (total / overloadMs) * 1000,
    accepted: (count(202) / overloadMs) * 1000,
    refused: (count(429, 503) / overloadMs) * 1000,
    broken: total - count(202, 429, 503),
    unsent: storm.unsent,
    refusedMsP50: refusedMs[refusedMs.length >> 1] ?? 0,
    refusedMsP99: refusedMs[Math.floor(refusedMs.length * 0.99)] ?? 0,
    eventLoopMsP99,
    rssAtCapacity,
    rssMax,
    queueBytesMax: queueMiB * 1024 * 1024,
  }
}

/** The event loop's delay since it was last asked for. */
async function lagMs({ client }: TestServer): Promise<number> {
  const { text } = await client.get("/metrics/internal")
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]
  if (seconds === undefined) throw new Error("Expected the event loop's delay among the figures")
  return Number(seconds) * 1000
}

/** Looks at a process every now and then; call the result for the most it had. */
function watchRss(pid: number): () => number {
  let most = 0
  const look = () => {
    const file = `/proc/${pid}/status`
    // Without it the process is gone, which the requests will tell.
    const status = existsSync(file) ? readFileSync(file, "latin1") : ""
    most = Math.max(most, Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024)
  }
  const timer = setInterval(look, 100).unref()
  look()
  return () => {
    clearInterval(timer)
    return most
  }
}

/** What a connection may take beside the queue: its objects and what the kernel hands over at once. */
const connectionBytes = 64 * 1024

/**
 * What holds whatever else the machine does: bounds, and an answer to everything. One sentence for
 * each that does not.
 */
export function brokenLaws(result: OverloadResult): string[] {
  const memory = result.rssAtCapacity + result.queueBytesMax + connections * connectionBytes
  return unkept([
    ["some is accepted and some refused", result.accepted > 0 && result.refused > 0],
    ["memory stays within its bound and 10 %", result.rssMax <= 1.1 * memory],
    ["every request is answered", result.broken === 0],
  ])
}

/** What is promised beside the laws, where nothing else disturbs the machine; likewise. */
export function brokenPromises(result: OverloadResult): string[] {
  const { capacity, accepted, offered, refusedMsP99, eventLoopMsP99 } = result
  const promises = unkept([
    [`at least ${factor / 2} times the capacity is answered`, offered >= 5 * capacity],
    ["90 % of the capacity is accepted", accepted >= 0.9 * capacity],
    ["99 % of the refused are told within 50 ms", refusedMsP99 <= 50],
    ["the event loop's p99 delay is at most 100 ms", eventLoopMsP99 <= 100],
  ])
  return [...brokenLaws(result), ...promises]
}

function unkept(promises: readonly [promise: string, isKept: boolean][]): string[] {
  return promises.filter(([, isKept]) => !isKept).map(([promise]) => `Broken: ${promise}`)
}

export function overloadText(result: OverloadResult): string {
  const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`
  const { capacity, offered, accepted, refused } = result
  const share = ((accepted / capacity) * 100).toFixed(0)
  return [
    `capacity ${capacity.toFixed(0)}/s, answered ${offered.toFixed(0)}/s`,
    `accepted ${accepted.toFixed(0)}/s (${share} %), refused ${refused.toFixed(0)}/s`,
    `${result.broken} broken, ${result.unsent} unsent`,
    `refused in ${result.refusedMsP50.toFixed(1)} ms p50, ${result.refusedMsP99.toFixed(1)} p99`,
    `event loop p99 ${result.eventLoopMsP99.toFixed(0)} ms`,
    `memory ${mib(result.rssAtCapacity)} at capacity, ${mib(result.rssMax)} at most`,
  ].join("; ")
}
