import assert from "node:assert/strict"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import { unreachableCause } from "../../src/command/text/unreachable.ts"
import { freePort } from "../support/network/free-port.ts"

const causeOf = (url: string, signal?: AbortSignal) =>
  fetch(url, signal === undefined ? {} : { signal }).then(
    () => assert.fail("Expected no answer"),
    (error: unknown) => unreachableCause(error),
  )

test("the cause that fetch hides is reported: code and address, or code and message", async (t) => {
  const odd = createServer((socket) => void socket.end("no HTTP\r\n\r\n")).listen(0, "127.0.0.1")
  await new Promise((resolve) => odd.once("listening", resolve))
  t.after(() => odd.close())
  const { port } = odd.address() as AddressInfo

  const nobody = `127.0.0.1:${await freePort()}`
  assert.equal(await causeOf(`http://${nobody}/`), `ECONNREFUSED ${nobody}`)
  assert.match(await causeOf(`http://127.0.0.1:${port}/`), /does not match the HTTP\/1\.1 protocol/)
  assert.match(await causeOf(`https://127.0.0.1:${port}/`), /^[A-Z_]+: ./)
  assert.equal(await causeOf("http://127.0.0.1:1/"), "bad port")
  assert.match(await causeOf(`http://127.0.0.1:${port}/`, AbortSignal.abort()), /aborted/)
})

test("of several addresses the first is reported, and IPv6 is in brackets", () => {
  const refused = (address: string) => ({ code: "ECONNREFUSED", address, port: 80 })
  const both = { errors: [refused("::1"), refused("127.0.0.1")], code: "ECONNREFUSED", message: "" }
  assert.equal(unreachableCause({ message: "fetch failed", cause: both }), "ECONNREFUSED [::1]:80")
  assert.equal(unreachableCause("odd"), "odd")
})
