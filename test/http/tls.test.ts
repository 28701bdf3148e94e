/** TLS of the server: versions, a changed certificate, handshakes that do not end. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { test } from "node:test"
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls"
import { bindPort } from "../../src/http/http.ts"
import { TlsAcceptor } from "../../src/http/shared/tls-acceptor.ts"
import { makeCertificate } from "../support/network/certificate.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { goodKey, startFixture, Wire } from "./ingest-fixture.ts"
import { eventually } from "../support/time/eventually.ts"

const tls = makeCertificate()
const post = `POST /ingest/${goodKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]`

async function handshake(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connectTls({ port, host: "127.0.0.1", ...options })
  await once(socket, "secureConnect")
  return socket
}

test("TLS 1.2 and 1.3 are spoken, 1.1 is not, and HTTP/1.1 is agreed", async (t) => {
  const { port } = await startFixture(t, { tls })
  const f = async (version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3") => {
    const versions = { minVersion: version, maxVersion: version } as const
    // OpenSSL takes version 1.1 at the lowest level of security only.
    const ciphers = { ciphers: "DEFAULT@SECLEVEL=0" }
    const ALPNProtocols = ["h2", "http/1.1"]
    return handshake(port, { ca: tls.cert, ...versions, ...ciphers, ALPNProtocols })
  }
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    const socket = await f(version)
    assert.deepEqual([socket.getProtocol(), socket.alpnProtocol], [version, "http/1.1"])
    socket.destroy()
  }
  await assert.rejects(f("TLSv1.1"))
})

test("a changed certificate is that of later connections; open ones go on", async (t) => {
  const [before, after] = [makeCertificate({ serial: 1 }), makeCertificate({ serial: 2 })]
  const acceptor = new TlsAcceptor({ material: before })
  const port = await bindPort({ port: 0, host: "127.0.0.1" }, new TestClock(0), acceptor)
  const sockets: TLSSocket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    return port.close()
  })
  acceptor.onSecure = (socket) => void socket.on("data", (bytes) => socket.write(bytes))
  const serialOf = async (ca: string) => {
    const socket = await handshake(port.address.port, { ca })
    sockets.push(socket)
    return { socket, serial: socket.getPeerCertificate().serialNumber }
  }
  const first = await serialOf(before.cert)
  acceptor.use(after)
  const second = await serialOf(after.cert)
  assert.deepEqual([first.serial, second.serial], ["01", "02"])
  first.socket.write("still here")
  const [echoed] = (await once(first.socket, "data")) as [Buffer]
  assert.equal(String(echoed), "still here")
  assert.throws(() => acceptor.use({ cert: before.cert, key: after.key }), /key values mismatch/)
  assert.throws(() => acceptor.use({ cert: "no certificate", key: after.key }))
  assert.equal((await serialOf(after.cert)).serial, "02")
})

test("until the server takes over, a TLS connection is answered 503", async (t) => {
  const acceptor = new TlsAcceptor({ material: tls })
  const port = await bindPort({ port: 0, host: "127.0.0.1" }, new TestClock(0), acceptor)
  t.after(() => port.close())
  const wire = new Wire(port.address.port, tls)
  wire.write(post)
  await wire.closed
  assert.deepEqual(wire.statuses, [503])
})

test("a handshake that does not end is closed, and keeps no server from closing", async (t) => {
  const { port } = await startFixture(t, { tls, handshakeTimeoutMs: 50 })
  const slow = connect(port, "127.0.0.1").on("error", () => {})
  await once(slow, "close")

  const { port: other, server } = await startFixture(t, { tls })
  const silent = connect(other, "127.0.0.1").on("error", () => {})
  await once(silent, "connect")
  const wire = new Wire(other, tls)
  wire.write(post)
  await wire.until(() => wire.statuses.length === 1)
  await server.close(60_000)
})

test("plain HTTP is not answered, and the server goes on", async (t) => {
  const { port, bodies } = await startFixture(t, { tls })
  const plain = new Wire(port)
  plain.write(post)
  await plain.closed
  assert.deepEqual([plain.statuses, bodies.length], [[], 0])
  const wire = new Wire(port, tls)
  wire.write(post)
  await eventually(() => wire.statuses[0] === 202)
  wire.socket.destroy()
})
