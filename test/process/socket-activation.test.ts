/**
 * A socket that a service manager listens on while the server restarts. The manager is a shell that
 * starts the server again whenever it ends; it never accepts a connection.
 */

import assert from "node:assert/strict"
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { Agent, request as openRequest, type IncomingMessage } from "node:http"
import { connect, createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { bindPort } from "../../src/http/ingest/bound-port.ts"
import { makeCertificate } from "../support/network/certificate.ts"
import { createClient } from "../support/server/client.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { deliveredProgram } from "../support/project-paths.ts"
import { adminEmail, adminPassword, apiKey } from "../support/server/server.ts"
import { sized } from "../support/run/sizes.ts"

const connections = 200

/** `$1` is the folder, the rest the program; each start writes its process id to `pid`. */
const managerScript = `
  folder=$1; shift
  until [ -e "$folder/end" ]; do
    /bin/sh -c 'folder=$1; shift; echo $$ > "$folder/pid"; export LISTEN_PID=$$; exec "$@"' \\
      sh "$folder" "$@"
  done
`

interface Manager {
  readonly url: string
  readonly child: ChildProcess
  readonly log: () => string
}

/** Ends the server, and with it the manager. */
async function end(folder: string, { child }: Manager): Promise<void> {
  writeFileSync(join(folder, "end"), "")
  process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGTERM")
  await once(child, "close")
}

/** Starts the manager with a listening socket as its descriptor 3. */
async function startManager(folder: string, more: readonly string[] = []): Promise<Manager> {
  const listener = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1024 })
  await once(listener, "listening")
  const { port } = listener.address() as AddressInfo
  // The descriptor of a listening socket is in its handle alone.
  const { fd } = (listener as unknown as { _handle: { fd: number } })._handle
  const flags = ["--port", "1", "--data", join(folder, "store"), ...more]
  const program = [process.execPath, ...deliveredProgram(), ...flags]
  const child = spawn("/bin/sh", ["-c", managerScript, "sh", folder, ...program], {
    stdio: ["ignore", "pipe", "pipe", fd],
    env: {
      PATH: process.env["PATH"],
      LISTEN_FDS: "1",
      LISTEN_FDNAMES: "http",
      TIDEGAUGE_API_KEY: apiKey,
      TIDEGAUGE_ADMIN_EMAIL: adminEmail,
      TIDEGAUGE_ADMIN_PASSWORD: adminPassword,
      TIDEGAUGE_LOG_FORMAT: "json",
    },
  })
  // Only the manager keeps the socket: this process must not accept.
  listener.close()
  let text = ""
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (piece: string) => (text += piece))
  }
  return { url: `http://127.0.0.1:${port}`, child, log: () => text }
}

function starts({ log }: Manager): number {
  return log().split('"msg":"listening"').length - 1
}

async function until(isTrue: () => boolean, { child, log }: Manager): Promise<void> {
  while (!isTrue()) {
    assert.equal(child.exitCode, null, log())
    await sleep(20)
  }
}

interface Outcomes {
  readonly accepted: Set<number>
  refused: number
  /** Connections that broke, and answers other than 202: the client tries again. */
  repeated: number
}

/** Posts the next value over and over, until it is accepted, on a connection of its own. */
async function post(url: string, next: () => number | null, outcomes: Outcomes): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let val = next(); val !== null; val = next()) {
    const body = bodyOf(val)
    while ((await statusOf(url, body, agent, outcomes)) !== 202) {
      outcomes.repeated++
      await sleep(20)
    }
    outcomes.accepted.add(val)
  }
  agent.destroy()
}

const startMs = Date.now() - 3_600_000

function bodyOf(val: number): string {
  const samples = [{ metricId: "m", timestamp: startMs + val, val }]
  return JSON.stringify([{ id: "e", type: "T", samples }])
}

/** 0 for a connection that breaks. */
async function statusOf(url: string, body: string, agent: Agent, outcomes: Outcomes) {
  const headers = { "Content-Type": "application/json" }
  const sent = openRequest(`${url}/ingest/${apiKey}`, { method: "POST", agent, headers })
  try {
    sent.end(body)
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    response.resume()
    await once(response, "end")
    return response.statusCode
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") outcomes.refused++
    return 0
  }
}

const signals = sized<readonly NodeJS.Signals[]>({
  quick: ["SIGTERM"],
  long: ["SIGTERM", "SIGKILL", "SIGTERM"],
})

test("restarts under 200 connections refuse none; clients that retry lose nothing", async (t) => {
  const folder = makeFolder("tidegauge-sockets")
  const manager = await startManager(folder)
  t.after(() => removeFolder(folder))
  t.after(() => manager.child.kill("SIGKILL"))
  const pid = () => Number(readFileSync(join(folder, "pid"), "utf8"))
  const outcomes: Outcomes = { accepted: new Set(), refused: 0, repeated: 0 }
  let isOver = false
  let last = 0
  const next = () => (isOver ? null : last++)
  // The first connections wait for the first start.
  const load = Promise.all(
    Array.from({ length: connections }, () => post(manager.url, next, outcomes)),
  )
  for (const signal of signals) {
    const before = outcomes.accepted.size
    await until(() => outcomes.accepted.size > before + 3 * connections, manager)
    const count = starts(manager)
    process.kill(pid(), signal)
    await until(() => starts(manager) > count, manager)
  }
  const before = outcomes.accepted.size
  await until(() => outcomes.accepted.size > before + connections, manager)
  isOver = true
  await load

  assert.equal(outcomes.refused, 0)
  assert.equal(outcomes.accepted.size, last)
  const client = createClient({
    url: manager.url,
    apiKey,
    user: adminEmail,
    password: adminPassword,
  })
  const params = { fqn: "m", rollup: "ZERO", duration: "PT2H", showValues: true }
  const reply = await client.get("/metrics/statistics", params)
  client.close()
  const [metric] = reply.json<{ metrics: { data: number[] }[] }>().metrics
  assert.deepEqual(
    [...metric!.data].sort((a, b) => a - b),
    Array.from({ length: last }, (_, i) => i),
  )
  await end(folder, manager)
  t.diagnostic(`${last} samples, ${outcomes.repeated} requests repeated`)
  assert.ok(!existsSync(`/proc/${pid()}`))
})

test("a request that comes before the server is ready waits for it, over TLS too", async (t) => {
  const folder = makeFolder("tidegauge-sockets")
  t.after(() => removeFolder(folder))
  const { cert, key } = makeCertificate()
  const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  writeFileSync(certPath, cert)
  writeFileSync(keyPath, key, { mode: 0o600 })
  const secure = ["--tls-cert", certPath, "--tls-key", keyPath]
  for (const [name, flags] of Object.entries({ plain: [], secure })) {
    const own = join(folder, name)
    mkdirSync(own)
    const manager = await startManager(own, flags)
    t.after(() => manager.child.kill("SIGKILL"))
    const { port } = new URL(manager.url)
    const at = { host: "127.0.0.1", port: Number(port) }
    const socket = name === "plain" ? connect(at) : connectTls({ ...at, ca: cert })
    let text = ""
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece))
    socket.write("GET /health/ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await once(socket, "close")
    assert.match(text, /^HTTP\/1\.1 200 /)
    await end(own, manager)
  }
})

test("a descriptor that is no TCP socket is refused with its number", async () => {
  const descriptor = openSync("/dev/null", "r")
  const at = { port: 0, host: "127.0.0.1", descriptor }
  await assert.rejects(
    bindPort(at, { nowMs: () => 0 }),
    new RegExp(`LISTEN_FDS: descriptor ${descriptor} is no TCP socket`),
  )
})
