/**
 * Overload run: what the real server takes at its capacity, and what it takes, refuses and holds
 * when ten times as much is sent over two thousand connections.
 */

import { existsSync, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { cpuMs } from "../../bench/load/process.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { apiKey, startServer } from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"
import { RandomChoices } from "./random-choices.ts"
import { Load } from "./overload-client.ts"
import { factor, flowOf, isRefused, requestsMin } from "./overload-laws.ts"
import type { Flow, OverloadResult } from "./overload-laws.ts"

interface OverloadOptions {
  readonly seed: number
  /** Epoch milliseconds: the samples are of the hour before. */
  readonly nowMs: number
  readonly capacityMs: number
  readonly overloadMs: number
}

const queueMiB = 32
const connections = 2_000
const minutes = 60

/**
 * 16,000 samples in 1 MB of JSON, gzipped: expensive to ingest, cheap to send. The same each time:
 * with the times of their arrival, 80 a second of each series would make every flush more expensive
 * than the one before, and neither capacity nor memory at capacity would be comparable.
 */
function request({ seed, nowMs }: OverloadOptions, key: string): Buffer {
  const dice = new RandomChoices(seed)
  const elements = Array.from({ length: 40 }, (_, e) => {
    const samples = Array.from({ length: 400 }, (_, m) => ({
      metricId: `system.metric.${m}`,
      timestamp: nowMs - (m % minutes) * 60_000,
      val: dice.below(100_000) / 100,
    }))
    return { id: `server-${e}`, type: "SERVER", samples }
  })
  const body = gzipSync(JSON.stringify(elements))
  const head = [
    `POST /ingest/${key} HTTP/1.1`,
    "Host: a",
    "Content-Encoding: gzip",
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
  const { capacityMs, overloadMs } = options
  const to = { port: Number(new URL(server.url).port), request: request(options, apiKey) }
  const { flow: calm, rssMax: rssAtCapacity } = await measureCalm(server, to, capacityMs)
  const rate = factor * calm.accepted

  const storm = new Load({ ...to, connections, rate })
  await storm.open()
  await lagMs(server)
  const rss = watchRss(server.pid)
  const cpuBefore = cpuMs(server.pid)
  await storm.run(overloadMs)
  const stormCpuMs = cpuMs(server.pid) - cpuBefore
  const answers = [...storm.answers]
  const eventLoopMsP99 = await lagMs(server)
  storm.close()
  return {
    calm,
    storm: flowOf(answers, overloadMs, stormCpuMs),
    offered: (answers.length / overloadMs) * 1000,
    broken: answers.filter((one) => one.status !== 202 && !isRefused(one)).length,
    unsent: storm.unsent,
    eventLoopMsP99,
    rssAtCapacity,
    rssMax: rss(),
    rssBound: rssAtCapacity + queueMiB * 1024 * 1024 + connections * connectionBytes,
    besideNoise: await measureNoise(server, to, rate, options),
  }
}

interface To {
  readonly port: number
  readonly request: Buffer
}

/** A busy machine takes longer for as many answers as a capacity needs. */
const calmRoundsMax = 6

/** Requests accepted from 16 connections that send after each answer, once all is compiled. */
async function measureCalm(
  server: TestServer,
  to: To,
  ms: number,
): Promise<{ flow: Flow; rssMax: number }> {
  const calm = new Load({ ...to, connections: 16 })
  await calm.open()
  await calm.run(ms / 2)
  const before = calm.answers.length
  const cpuBefore = cpuMs(server.pid)
  const rss = watchRss(server.pid)
  let measuredMs = 0
  do {
    await calm.run(ms)
    measuredMs += ms
  } while (calm.answers.length - before < requestsMin && measuredMs < ms * calmRoundsMax)
  const calmCpuMs = cpuMs(server.pid) - cpuBefore
  calm.close()
  return { flow: flowOf(calm.answers.slice(before), measuredMs, calmCpuMs), rssMax: rss() }
}

/** A key that sends a fifth of the capacity while another one sends ten times as much. */
async function measureNoise(
  server: TestServer,
  to: To,
  rate: number,
  options: OverloadOptions,
): Promise<OverloadResult["besideNoise"]> {
  const ms = options.overloadMs / 2
  const noisy = { ...to, request: request(options, await newKey(server)) }
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

/** An API key besides the one that the server was started with. */
async function newKey({ client }: TestServer): Promise<string> {
  const dataSource = { name: "Noise", type: "CUSTOM", properties: {} }
  const reply = await client.post("/datasources", { dataSource })
  const { apiId } = reply.json<{ dataSource: { apiId: string | null } }>().dataSource
  if (apiId === null) throw new Error("Expected a datasource with a key")
  return apiId
}

/** The event loop's delay since it was last asked for. */
async function lagMs({ client }: TestServer): Promise<number> {
  const { text } = await client.get("/metrics/internal")
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]
  if (seconds === undefined) throw new Error("Expected the event loop's delay among the figures")
  return Number(seconds) * 1000
}

/** Polls the memory of a process; call the result for its maximum. */
function watchRss(pid: number): () => number {
  let most = 0
  const look = () => {
    const file = `/proc/${pid}/status`
    // Without it the process has ended, which the requests will show.
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

/** Memory of a connection besides the queue: its objects and one read of the kernel. */
const connectionBytes = 64 * 1024
