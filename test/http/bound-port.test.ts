import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { test } from "node:test"
import { bindError, bindPort } from "../../src/http/ingest/bound-port.ts"

const clock = { nowMs: () => Date.UTC(2026, 0, 1) }

test("each reason why an address cannot be listened on names the setting to change", () => {
  const f = (code: string): string => {
    const cause = Object.assign(new Error("listen failed"), { code })
    return bindError(cause, { port: 80, host: "example.test" }).message
  }

  assert.equal(f("EADDRINUSE"), "Port 80 is in use; choose another with --port")
  assert.match(f("EACCES"), /^This user may not listen on port 80; .* --port$/)
  assert.match(f("EADDRNOTAVAIL"), /address "example\.test"; .* --host$/)
  assert.match(f("ENOTFOUND"), /host name "example\.test" .* --host$/)
  assert.match(f("EAFNOSUPPORT"), /"example\.test"; .* --host$/)
  assert.match(f("EMFILE"), /EMFILE.*--port and --host$/)
})

test("until the server takes over, each connection is answered 503 with Retry-After", async () => {
  const bound = await bindPort({ port: 0, host: "127.0.0.1" }, clock)
  const socket = connect(bound.address.port, "127.0.0.1")
  let text = ""
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece))
  socket.write("GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n")
  await once(socket, "close")
  await bound.close()

  assert.match(text, /^HTTP\/1\.1 503 /)
  assert.match(text, /\r\nRetry-After: 1\r\n/)
  assert.match(text, /\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n/)
  const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n"))) as { errors: string[] }
  assert.deepEqual(body.errors, ["The server is starting; nothing was stored"])
})

test("the port is bound once: a second one is refused, after close it is free", async () => {
  const first = await bindPort({ port: 0, host: "127.0.0.1" }, clock)
  const at = { port: first.address.port, host: "127.0.0.1" }
  await assert.rejects(bindPort(at, clock), /is in use/)
  await first.close()
  await (await bindPort(at, clock)).close()
})
