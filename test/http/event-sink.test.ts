/** Streams on connections of node:http. */

import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { openEventSink } from "../../src/http/live/event-sink.ts"
import { Wire } from "./ingest-fixture.ts"

test("a client that left before its stream begins is reported immediately", async (t) => {
  const left = new Promise<number>((resolve) => {
    const server = createServer((_, outgoing) => {
      outgoing.once("close", () => {
        let told = 0
        const sink = openEventSink(outgoing, {})
        sink.write("event: time\ndata: {}\n\n")
        sink.onClose(() => told++)
        resolve(told)
      })
      wire.socket.destroy()
    })
    t.after(() => server.close())
    let wire: Wire
    server.listen(0, "127.0.0.1", () => {
      wire = new Wire((server.address() as AddressInfo).port)
      wire.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    })
  })
  assert.equal(await left, 1)
})

for (const how of ["ends its side", "is destroyed"] as const) {
  test(`a stream closes as soon as its client ${how}, though nothing is written`, async (t) => {
    // As the service's own server, which answers clients that ended their side.
    const server = Object.assign(createServer(), { httpAllowHalfOpen: true })
    t.after(() => server.close())
    const closed = new Promise<void>((resolve) => {
      server.once("request", (_, outgoing) => openEventSink(outgoing, {}).onClose(resolve))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { socket } = new Wire((server.address() as AddressInfo).port)
    t.after(() => socket.destroy())
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await once(socket, "data")
    if (how === "is destroyed") socket.destroy()
    else socket.end()
    await closed
  })
}
