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
import { Disturbance } from "./disturbance.ts"
import { Load } from "./overload-client.ts"
import type { Answered } from "./overload-client.ts"
import { factor, flowsOf, isRefused, judged } from "./overload-judge.ts"
import type { Flows, OverloadResult } from "./overload-judge.ts"

export interface OverloadOptions {
  readonly seed: number
  readonly capacityMs: number
  readonly overloadMs: number
}

const queueMiB = 32
const connections = 2_000

/** 16,000 samples in 1 MB of JSON, gzipped: dear to take, cheap to send. */
function request(seed: number, key: string): Buffer {
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
    `POST /ingest/${key} HTTP/1.1`,
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
  const to = { port: Number(new URL(server.url).port), request: request(seed, apiKey) }
  const { flows: calm, rssMax: rssAtCapacity } = await measureCalm(server, to, capacityMs)
  const rate = factor * judged(calm).accepted

  const storm = new Load({ ...to, connections, rate })
  await storm.open()
  await lagMs(server)
  const watched = watch(server)
  await storm.run(overloadMs)
  const answers = [...storm.answers]
  const { flows, rssMax } = watched(answers)
  const eventLoopMsP99 = await lagMs(server)
  storm.close()
  return {
    calm,
    storm: flows,
    offered: (answers.length / overloadMs) * 1000,
    broken: answers.filter((one) => one.status !== 202 && !isRefused(one)).length,
    unsent: storm.unsent,
    eventLoopMsP99,
    rssAtCapacity,
    rssMax,
    rssBound: rssAtCapacity + queueMiB * 1024 * 1024 + connections * connectionBytes,
    besideNoise: await measureNoise(server, to, { rate, ms: overloadMs / 2, seed }),
  }
}

interface To {
  readonly port: number
  readonly request: Buffer
}

/** What is taken of 16 connections that each send when they are answered, once all is compiled. */
async function measureCalm(server: TestServer, to: To, ms: number) {
  const calm = new Load({ ...to, connections: 16 })
  await calm.open()
  await calm.run(ms / 2)
  const before = calm.answers.length
  const watched = watch(server)
  await calm.run(ms)
  calm.close()
  return watched(calm.answers.slice(before))
}

/** A key that sends a fifth of the capacity while another one sends ten times as much. */
async function measureNoise(
  server: TestServer,
  to: To,
  { rate, ms, seed }: { rate: number; ms: number; seed: number },
): Promise<OverloadResult["besideNoise"]> {
  const noisy = { ...to, request: request(seed, await newKey(server)) }
  const noise = new Load({ ...noisy, connections: connections - quietConnections, rate })
  const quiet = new Load({ ...to, connections: quietConnections, rate: rate / factor / 5 })
  await Promise.all([noise.open(), quiet.open()])
  await Promise.all([noise.run(ms), quiet.run(ms)])
  await quiet.settle(5_000)
  noise.close()
  quiet.close()
  const accepted = quiet.answers.filter(({ status }) => status === 202).length
  return { due: quiet.sent + quiet.unsent, accepted }
}

const quietConnections = 100

/** An API key beside the one that the server was started with. */
async function newKey({ client }: TestServer): Promise<string> {
  const dataSource = { name: "Noise", type: "CUSTOM", properties: {} }
  const reply = await client.post("/datasources", { dataSource })
  const { apiId } = reply.json<{ dataSource: { apiId: string | null } }>().dataSource
  if (apiId === null) throw new Error("Expected a datasource with a key")
  return apiId
}

/** Watches memory and processors; call the result with what was answered meanwhile. */
function watch({ pid }: TestServer): (answers: readonly Answered[]) => Watched {
  const rss = watchRss(pid)
  const others = new Disturbance(pid)
  return (answers) => {
    others.stop()
    return { flows: flowsOf(answers, others), rssMax: rss() }
  }
}

interface Watched {
  readonly flows: Flows
  readonly rssMax: number
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
