/** `tidegauge health`: exit status and sentence by the answer of a server. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Server } from "node:net"
import { pipeline, Readable } from "node:stream"
import { after, test } from "node:test"
import { healthUrl, runHealth } from "../../../src/command/health/health.ts"
import { makeCertificate } from "../../support/network/certificate.ts"
import { makeFolder, removeFolder } from "../../support/machine/folder.ts"
import { freePort } from "../../support/network/free-port.ts"
import { runProgram, startServer } from "../../support/server/server.ts"

const folder = makeFolder("tidegauge-health")
const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
  removeFolder(folder)
})

async function portOf(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

async function ask(url: string) {
  const [printed, problems] = [[] as string[], [] as string[]]
  const deps = {
    print: (text: string) => void printed.push(text),
    printError: (text: string) => void problems.push(text),
  }
  return { status: await runHealth(url, deps), printed, problems }
}

const notReady: RequestListener = (request, response) => {
  response.statusCode = request.url === "/base/health/ready" ? 503 : 404
  response.end("the disk is full")
}

test("0 and the answer of a server that is ready, at the address of its settings", async () => {
  const port = await freePort()
  const server = await startServer({ folder, flags: ["--port", String(port)] })
  const { status, output } = await runProgram(["health", "--url", server.url])
  assert.deepEqual([status, JSON.parse(output).status], [0, "ready"])
  await server.stop()
  const stopped = await runProgram(["health", "--url", server.url])
  assert.equal(stopped.status, 1)
  assert.match(
    stopped.output,
    /^tidegauge: http:.*\/health\/ready: ECONNREFUSED 127\.0\.0\.1:\d+\n$/,
  )
})

test("1 and the reason if it answers anything else, below a base path too", async () => {
  const port = await portOf(createServer(notReady))
  const { status, printed, problems } = await ask(`http://127.0.0.1:${port}/base/`)
  assert.deepEqual([status, printed], [1, []])
  const url = `http://127.0.0.1:${port}/base/health/ready`
  assert.deepEqual(problems, [`tidegauge: ${url} answered 503: the disk is full`])
})

test("a certificate that has expired is taken", async () => {
  const pair = makeCertificate({ toMs: Date.now() - 1000 })
  const server = createTlsServer(pair, (_, response) => void response.end("ready"))
  const { status, printed } = await ask(`https://127.0.0.1:${await portOf(server)}`)
  assert.deepEqual([status, printed], [0, ["ready"]])
})

test("an answer without an end is broken off", async () => {
  function* pieces() {
    while (true) yield "x".repeat(10_000)
  }
  const endless: RequestListener = (_, response) => {
    pipeline(Readable.from(pieces()), response, () => {})
  }
  const { status, problems } = await ask(`http://127.0.0.1:${await portOf(createServer(endless))}`)
  assert.equal(status, 1)
  assert.match(problems[0]!, /the answer is too long$/)
})

test("the address is this machine's if the server listens on all of them", () => {
  const at = (host: string, tlsCertPath: string | null = null) =>
    healthUrl({ host, port: 8080, tlsCertPath })
  assert.equal(at("0.0.0.0"), "http://127.0.0.1:8080")
  assert.equal(at("::", "/cert.pem"), "https://[::1]:8080")
  assert.equal(at("monitor.example.org"), "http://monitor.example.org:8080")
  assert.throws(() => healthUrl({ host: "::", port: 0, tlsCertPath: null }), /--url/)
})

test("an address that is none is refused with the name of the option", async () => {
  const { status, output } = await runProgram(["health", "--url", "tide.example.org"])
  assert.deepEqual([status, output], [1, "tidegauge: --url: expected http:// or https://\n"])
})
