import assert from "node:assert/strict"
import { test } from "node:test"
import { isLoopbackRequest } from "../../src/http/shared/is-loopback.ts"

interface Asked {
  readonly from?: string
  readonly host?: string | undefined
  readonly httpVersion?: string
  readonly headers?: Record<string, string>
}

function local({ from = "127.0.0.1", httpVersion = "1.1", headers = {}, ...rest }: Asked): boolean {
  const host = "host" in rest ? rest.host : "127.0.0.1:8080"
  return isLoopbackRequest({
    httpVersion,
    headers: { ...headers, ...(host === undefined ? {} : { host }) },
    socket: { remoteAddress: from },
  })
}

test("a request from this machine is local, whatever form its address has", () => {
  for (const from of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) {
    assert.ok(local({ from }), from)
  }
  for (const from of ["10.0.0.1", "::ffff:10.0.0.1", "192.168.127.1", "fe80::1", ""]) {
    assert.ok(!local({ from }), from)
  }
  assert.ok(!isLoopbackRequest(undefined))
})

test("its host must be an IP address or localhost: another name may be rebound by DNS", () => {
  for (const host of ["127.0.0.1", "[::1]:8080", "[::1]", "localhost", "LocalHost:1", "10.0.0.7"]) {
    assert.ok(local({ host }), host)
  }
  const others = ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.nip.io"]
  for (const host of [...others, "", undefined, "[::1", "[evil]", "::1", "127.0.0.1:x", "0x7f.1"]) {
    assert.ok(!local({ host }), host)
  }
})

test("a request that passed a proxy is not local", () => {
  const names = ["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-proto"]
  for (const name of names) assert.ok(!local({ headers: { [name]: "" } }), name)
  // As nginx asks by default: no header of its own, and the address of the server as Host.
  assert.ok(!local({ httpVersion: "1.0" }))
})
