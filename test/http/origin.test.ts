/** Who may send what changes something: the server's own pages, and what is no browser. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ServiceError } from "../../src/base/errors.ts"
import { requireSameOrigin, type OriginHeaders } from "../../src/http/shared/origin.ts"

const none: OriginHeaders = { site: undefined, origin: undefined, host: "here:8080" }

function passes(
  headers: Partial<OriginHeaders>,
  baseUrl: string | null = null,
  isSecure = false,
): boolean {
  try {
    requireSameOrigin({ ...none, ...headers }, { baseUrl, isSecure })
    return true
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === "forbidden", String(error))
    return false
  }
}

test("a request without headers of a browser passes, whatever its host", () => {
  assert.ok(passes({}))
  assert.ok(passes({ host: undefined }))
})

test("Sec-Fetch-Site passes as same-origin and none, in no other form", () => {
  const f = (site: string, want: boolean) => assert.equal(passes({ site }), want, site)
  f("same-origin", true)
  f("none", true)
  for (const site of ["cross-site", "same-site", "", "null", "SAME-ORIGIN", "none, cross-site"]) {
    f(site, false)
  }
})

test("Origin passes with the host of the request, by any of its spellings", () => {
  const f = (origin: string, host: string | undefined, want: boolean) =>
    assert.equal(passes({ origin, host }), want, `${origin} ${host}`)
  f("http://here:8080", "here:8080", true)
  f("https://here", "here:443", true)
  f("http://here:80", "here", true)
  f("http://HERE:8080", "Here:8080", true)
  // TLS ends at a proxy, so that the scheme says nothing.
  f("https://here:8080", "here:8080", true)
  f("http://[::1]:8080", "[::1]:8080", true)
  f("http://here:8081", "here:8080", false)
  f("http://here", "here:8080", false)
  f("http://127.0.0.1:8080", "localhost:8080", false)
  f("http://here:8080.evil.example", "here:8080", false)
  f("http://here:8080@evil.example", "here:8080", false)
  f("http://here:8080", undefined, false)
  f("http://here:8080", "", false)
  f("http://here:8080, http://evil.example", "here:8080", false)
  for (const origin of ["null", "", "here:8080", "file://", "data:here:8080"]) {
    f(origin, "here:8080", false)
  }
})

test("with TLS of the server's own, a page of the same host over http is another's", () => {
  const f = (origin: string, baseUrl: string | null, want: boolean) =>
    assert.equal(passes({ origin, host: "here:8443" }, baseUrl, true), want, origin)
  f("https://here:8443", null, true)
  f("http://here:8443", null, false)
  f("https://tide.example", "https://tide.example", true)
  f("http://tide.example", "https://tide.example", false)
})

test("Origin passes as the origin of --base-url, with its scheme", () => {
  const baseUrl = "https://tide.example/under/here"
  const f = (origin: string, want: boolean) =>
    assert.equal(passes({ origin, host: "backend:8080" }, baseUrl), want, origin)
  f("https://tide.example", true)
  f("https://tide.example:443", true)
  f("http://tide.example", false)
  f("https://tide.example:8443", false)
  f("https://tide.example.evil.example", false)
  f("http://backend:8080", true)
  assert.ok(!passes({ site: "cross-site", origin: "https://tide.example" }, baseUrl))
})

test("no origin of another host passes", () => {
  const host = fc.domain()
  fc.assert(
    fc.property(host, host, fc.constantFrom("http", "https"), (own, other, scheme) => {
      fc.pre(own !== other)
      assert.ok(passes({ origin: `${scheme}://${own}`, host: own }))
      assert.ok(!passes({ origin: `${scheme}://${other}`, host: own }))
    }),
  )
})
