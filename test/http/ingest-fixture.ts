/** Ingest over a real server on loopback, with a queue whose shard is simulated by the test. */

import { channel, subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { test, type TestContext } from "node:test"
import type { RateLimit } from "../../src/accounts/rate-limit.ts"
import { makeCertificate } from "../support/network/certificate.ts"
import { eventually } from "../support/time/eventually.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { IngestQueue } from "../../src/engine/ingest-queue.ts"
import type { IngestQueueLimits, IngestQueueOptions } from "../../src/engine/ingest-queue.ts"
import {
  requestFlags,
  requestInts,
  requestLength,
  requestOffset,
} from "../../src/engine/shard-protocol.ts"
import type { IngestAnswer, IngestTask } from "../../src/engine/shard-protocol.ts"
import { createRequestIds } from "../../src/http/shared/request-ids.ts"
import { createNodeRequestHandler } from "../../src/http/ingest/node-handler.ts"
import { IngestRoute, type IngestRouteDeps } from "../../src/http/ingest/ingest-route.ts"
import { IngestActivity } from "../../src/http/live/ingest-activity.ts"
import { defaultHttpLimits } from "../../src/http/shared/limits.ts"
import type { HttpLimits } from "../../src/http/shared/limits.ts"
import { createServer } from "../../src/http/server.ts"
import { TlsAcceptor, type TlsMaterial } from "../../src/http/shared/tls-acceptor.ts"

export const goodKey = "0123456789abcdef0123456789abcdef"
export const nowMs = 1_700_000_000_123
/** The most that a timer takes: a test that waits for it does not end. */
export const foreverMs = 2 ** 31 - 1

export interface FixtureOptions {
  /** Rate limit of the one valid key; none if absent. */
  readonly limit?: RateLimit
  readonly limits?: Partial<HttpLimits>
  readonly intakeLimits?: Partial<IngestQueueLimits>
  /** Plays the shard; by default every body has three elements and is stored. */
  readonly run?: (task: IngestTask) => Promise<IngestAnswer>
  /** Valid keys in addition to `goodKey`. */
  readonly keys?: readonly string[]
  readonly delay?: IngestQueueOptions["delay"]
  /** Serves TLS with it. */
  readonly tls?: TlsMaterial
  readonly hstsMs?: number
  readonly handshakeTimeoutMs?: number
  /** Stores the events of bodies; by default they are gone. */
  readonly storeEvents?: IngestRouteDeps["storeEvents"]
  readonly listener?: (request: IncomingMessage, response: ServerResponse) => void
}

export type Over = Pick<FixtureOptions, "tls" | "hstsMs">

const overs = {
  TCP: {},
  TLS: { tls: makeCertificate(), hstsMs: 3_600_000 },
} as const satisfies Record<string, Over>

/** Each law holds over plain connections and over TLS. */
export function law(title: string, check: (t: TestContext, over: Over) => Promise<void>): void {
  for (const [name, over] of Object.entries(overs)) {
    test(`${title}, over ${name}`, (t) => check(t, over))
  }
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Starts a server that ends with the test. */
export async function startFixture(t: TestContext, options: FixtureOptions = {}) {
  const bodies: Buffer[] = []
  const flags: number[] = []
  const logged: string[] = []
  const counted: number[] = []
  const limits = { ...defaultHttpLimits, ...options.limits }
  const grant = { id: "5ec2e7a4", tenant: 0, datasourceId: 1, limit: options.limit ?? null }
  const intake = new IngestQueue({
    run: (task) => {
      remember(task, bodies, flags)
      return (options.run ?? accept)(task)
    },
    schedule: setImmediate,
    clock: new TestClock(nowMs),
    limits: options.intakeLimits ?? {},
    ...(options.delay === undefined ? {} : { delay: options.delay }),
  })
  const write = (fields: object, message: string) => logged.push(describe(fields, message))
  const log = { error: write }
  const bytes = (count: number) => new Uint8Array(count).fill(0xab)
  const random = { bytes, uuid: () => "" }
  const clock = new TestClock(nowMs)
  const requestIds = createRequestIds(log, random)
  const ingest = new IngestRoute({
    ingestQueue: intake,
    grantOf: (key) => (key === goodKey || options.keys?.includes(key) === true ? grant : undefined),
    limits,
    clock,
    startRequest: () => 0,
    countRequest: (_, status) => counted.push(status),
    requestIds,
    activity: new IngestActivity(),
    storeEvents: options.storeEvents ?? (async () => {}),
    onKeyUse: () => {},
    access: { shows: () => false, write: () => {} },
  })
  const listener = options.listener ?? ((_, response) => response.writeHead(404).end("hono"))
  const live = { hstsMs: options.hstsMs ?? null }
  const nodeHandler = createNodeRequestHandler({
    ingest,
    listener,
    limits,
    live,
    clock,
    requestIds,
  })
  const server = createServer({ nodeHandler, ingest, limits, live, clock, requestIds })
  const { tls: material } = options
  const { handshakeTimeoutMs = 10_000 } = options
  const tls =
    material === undefined ? {} : { tls: new TlsAcceptor({ material, handshakeTimeoutMs }) }
  const { port } = await server.listen({ port: 0, host: "127.0.0.1", ...tls })
  if ("tls" in tls) announceSecure(tls.tls!)
  t.after(() => server.close(0))
  return { port, tls: material, intake, server, nodeHandler, bodies, flags, logged, counted }
}

function describe(fields: object, message: string): string {
  const error = (fields as { err?: Error }).err
  return `${message} ${JSON.stringify(fields)} ${error?.stack ?? ""}`
}

function remember(task: IngestTask, bodies: Buffer[], flags: number[]): void {
  for (let row = 0; row < task.requests.length; row += requestInts) {
    const start = task.requests[row + requestOffset]!
    bodies.push(Buffer.from(task.bytes.slice(start, start + task.requests[row + requestLength]!)))
    flags.push(task.requests[row + requestFlags]!)
  }
}

export async function accept(task: IngestTask): Promise<IngestAnswer> {
  return answerFor(task, 202)
}

export function answerFor(task: IngestTask, status: number): IngestAnswer {
  const count = task.requests.length / requestInts
  const figures = {
    samples: count,
    newSeries: 0,
    unflushedSamples: 0,
    hasUnflushedSeries: false,
    commitMs: 1,
  }
  const statuses = new Uint16Array(count).fill(status)
  const requestSamples = new Int32Array(count).fill(1)
  const elements = new Int32Array(count).fill(3)
  const latestTimesMs = new Float64Array(count).fill(1_000)
  const columns = { statuses, elements, requestSamples, latestTimesMs }
  return { ...columns, refusals: [], leftOut: [], ...figures }
}

interface SendOptions {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

/** One request on a connection of its own. */
export async function send(port: number, options: SendOptions = {}): Promise<Reply> {
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    method: options.method ?? "POST",
    path: options.path ?? `/ingest/${goodKey}`,
    headers: { "content-length": Buffer.byteLength(options.body ?? ""), ...options.headers },
    agent: false,
  })
  request.on("error", () => {})
  request.end(options.body)
  const [response] = (await once(request, "response")) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return { status: response.statusCode!, headers: response.headers, text }
}

/** A fixture announces its TLS sockets here, as node:net does plain ones. */
const secureChannel = "test.tls.socket"

function announceSecure(acceptor: TlsAcceptor): void {
  const { onSecure } = acceptor
  acceptor.onSecure = (socket) => {
    channel(secureChannel).publish({ socket })
    onSecure(socket)
  }
}

/** A socket that is written to byte by byte; everything it receives is kept. */
export class Wire {
  readonly socket: Socket
  received = ""
  readonly closed: Promise<unknown>
  /** The server's end of the connection, once it is accepted; the server is in this process. */
  peer: Socket | null = null

  /** With `tls` it trusts that certificate alone. */
  constructor(port: number, tls?: TlsMaterial) {
    const to = { port, host: "127.0.0.1" }
    this.socket = tls === undefined ? connect(to) : connectTls({ ...to, ca: tls.cert })
    const accept = (message: unknown): void => {
      const { socket } = message as { socket: Socket }
      if (socket.remotePort === this.socket.localPort) this.peer = socket
    }
    const accepted = tls === undefined ? "net.server.socket" : secureChannel
    subscribe(accepted, accept)
    this.socket.on("close", () => unsubscribe(accepted, accept))
    this.socket.on("data", (chunk) => (this.received += chunk.toString("latin1")))
    this.socket.on("error", () => {})
    this.closed = new Promise((resolve) => this.socket.on("close", resolve))
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text)
  }

  /** Resolves once `done` holds of what was received. */
  async until(done: (received: string) => boolean): Promise<string> {
    while (!done(this.received)) {
      if (this.socket.destroyed) throw new Error(`Connection ended after: ${this.received}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return this.received
  }

  /** Resolves when the server has read all that was written, or has stopped to read. */
  async delivered(): Promise<void> {
    const { socket } = this
    await eventually(() => {
      const { peer } = this
      if (peer === null || socket.writableLength > 0) return false
      return peer.isPaused() || peer.bytesRead >= socket.bytesWritten
    })
  }

  /** Status codes received so far, in order. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))
  }
}
