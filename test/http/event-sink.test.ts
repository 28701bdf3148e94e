/** Streams on connections of node:http. */

import assert from "node:assert/strict"
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
