/** A real server over TLS: its certificate, redirect, HSTS, and what SIGHUP changes. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { request as openRequest, type IncomingMessage } from "node:http"
import { request as openTlsRequest } from "node:https"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { TLSSocket } from "node:tls"
import { makeCertificate, type TestCertificate } from "../support/network/certificate.ts"
import { eventually } from "../support/time/eventually.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { freePort } from "../support/network/free-port.ts"
import { apiKey, runProgram, startServer, storyProgram } from "../support/server/server.ts"

interface Answer {
  readonly status: number
  readonly hsts: string | undefined
  readonly serial: string
}

async function ask(
  url: string,
  { cert }: TestCertificate,
  { body, origin }: { body?: string; origin?: string } = {},
): Promise<Answer> {
  const path = body === undefined ? "/health/live" : `/ingest/${apiKey}`
  const headers = {
    "content-length": body?.length ?? 0,
    ...(origin === undefined ? {} : { origin }),
  }
  const method = body === undefined ? "GET" : "POST"
  const sent = openTlsRequest(new URL(path, url), { ca: cert, method, headers, agent: false })
  sent.end(body)
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber
  response.resume()
  await once(response, "end")
  const hsts = response.headers["strict-transport-security"]
  return { status: response.statusCode!, hsts, serial }
}

test("SIGHUP takes over certificate, limits and log level; a port is logged", async (t) => {
  const folder = makeFolder("tidegauge-reload")
  t.after(() => removeFolder(folder))
  const [conf, cert, key] = ["conf", "cert", "key"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const [first, second] = [makeCertificate({ serial: 1 }), makeCertificate({ serial: 2 })]
  const redirectPort = await freePort()
  const write = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  const writeConf = (lines: string) =>
    write(conf, `tls-cert = ${cert}\ntls-key = ${key}\nhttp-redirect = ${redirectPort}\n${lines}`)
  write(cert, first.cert)
  write(key, first.key)
  writeConf("")
  const store = join(folder, "store")
  const flags = ["--config", conf]
  const server = await startServer({ folder: store, flags, program: storyProgram() })
  t.after(() => server.stop())

  assert.match(server.url, /^https:/)
  const large = JSON.stringify([{ id: "e", samples: [], attributes: [], x: "y".repeat(2_000) }])
  assert.deepEqual(await ask(server.url, first), { status: 200, hsts: undefined, serial: "01" })
  assert.equal((await ask(server.url, first, { body: large })).status, 202)
  const plain = openRequest({ port: redirectPort, path: "/docs", host: "127.0.0.1" }).end()
  const [redirected] = (await once(plain, "response")) as [IncomingMessage]
  assert.equal(redirected.statusCode, 308)
  assert.equal(redirected.headers.location, `${server.url}/docs`)
  redirected.resume()

  write(cert, second.cert)
  write(key, second.key)
  writeConf("hsts = P1D\nbody-limit = 1KiB\nkey-payloads-per-minute = 2\nworkers = 3\n")
  server.signal("SIGHUP")
  await eventually(() => server.output().includes('"settings reloaded"'))
  const hsts = "max-age=86400"
  assert.deepEqual(await ask(server.url, second), { status: 200, hsts, serial: "02" })
  assert.deepEqual(await ask(server.url, second, { body: large }), {
    status: 413,
    hsts,
    serial: "02",
  })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await ask(server.url, second, { body: "[]" })).status)
  assert.deepEqual(statuses, [202, 202, 429])
  assert.match(
    server.output(),
    /"setting":"workers",.*"configured":"3","msg":"setting needs a rest/,
  )

  writeConf("prot = 1\n")
  server.signal("SIGHUP")
  await eventually(() => server.output().includes('"settings not reloaded"'))
  assert.match(server.output(), /conf:4: unknown name prot, did you mean port/)
  assert.equal((await ask(server.url, second)).hsts, hsts)

  writeConf("log-level = error\n")
  server.signal("SIGHUP")
  await eventually(async () => (await ask(server.url, second)).hsts === undefined)
  const written = server.output().length
  assert.equal(await server.stop(), 0)
  assert.equal(server.output().slice(written), "")
})

test("a certificate that cannot be used is one sentence, and makes nothing", async (t) => {
  const folder = makeFolder("tidegauge-reload")
  t.after(() => removeFolder(folder))
  const flags = ["--port", "0", "--data", join(folder, "store")]
  const { status, output } = await runProgram([...flags, "--tls-cert=/no", "--tls-key=/no"])
  assert.equal(status, 1)
  assert.match(output, /\ntidegauge: --tls-cert: "\/no" does not exist\n$/)
})

test("config prints what serve would use, and refuses what it would refuse", async (t) => {
  const folder = makeFolder("tidegauge-config")
  t.after(() => removeFolder(folder))
  const conf = join(folder, "conf")
  const template = await runProgram(["config", "--template"])
  assert.equal(template.status, 0)
  writeFileSync(conf, `${template.output}\nport = 9000\n`)
  const shown = await runProgram(["config", "--config", conf, "--host", "::1"])
  assert.equal(shown.status, 0)
  const lines = shown.output.split("\n").map((line) => line.split(/ {2,}/))
  const row = (name: string) => lines.find((line) => line[0] === name)?.slice(1)
  assert.equal(row("port")![0], "9000")
  assert.ok(row("port")![1]!.startsWith(`${conf}:`))
  assert.deepEqual(row("host"), ["::1", "--host"])
  assert.deepEqual(row("api-key"), ["(secret)", "TIDEGAUGE_API_KEY"])
  assert.ok(!shown.output.includes(apiKey))
  writeFileSync(conf, "prot = 1\n")
  const refused = await runProgram(["config", "--config", conf])
  assert.equal(refused.status, 64)
  assert.equal(
    refused.output,
    `tidegauge: ${conf}:1: unknown name prot, did you mean port? ` +
      "`tidegauge config --template` lists all\n",
  )
})
