import assert from "node:assert/strict"
import { test } from "node:test"
import { systemRandom } from "../../src/base/random.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { isUuid, uuidV3, uuidV4 } from "../../src/base/uuid.ts"

const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

test("uuidV3() agrees with RFC 4122 as corrected, and with its widespread examples", () => {
  const f = (namespace: string, name: string, want: string) =>
    assert.equal(uuidV3(namespace, name), want)

  // RFC 4122 appendix B with erratum 1352; RFC 9562 A.2; Python's documentation of uuid.uuid3.
  f(dns, "www.widgets.com", "3d813cbb-47fb-32ba-91df-831e1593ac29")
  f(dns, "www.example.com", "5df41881-3aed-3515-88a7-2f4a814cf09e")
  f(dns, "python.org", "6fa459ea-ee8a-3ca4-894e-db77e160355e")
})

test("uuidV3() reads its namespace in either case and its name as UTF-8", () => {
  assert.equal(uuidV3(dns.toUpperCase(), "é"), uuidV3(dns, "é"))
  assert.notEqual(uuidV3(dns, "é"), uuidV3(dns, "e"))
})

test("uuidV4() puts version and variant into its bytes", () => {
  const f = (fill: number, want: string) =>
    assert.equal(uuidV4(new Uint8Array(16).fill(fill)), want)

  f(0x00, "00000000-0000-4000-8000-000000000000")
  f(0xff, "ffffffff-ffff-4fff-bfff-ffffffffffff")
})

test("isUuid() accepts any version in either case, and nothing else", () => {
  const f = (text: string, want: boolean) => assert.equal(isUuid(text), want, text)

  f(dns, true)
  f(dns.toUpperCase(), true)
  f("00000000-0000-0000-0000-000000000000", true)
  f(`${dns} `, false)
  f(`{${dns}}`, false)
  f(dns.replaceAll("-", ""), false)
  f(dns.replace("6", "g"), false)
})

test("seededRandom() repeats itself for a seed and differs between seeds", () => {
  const f = (seed: number) => {
    const random = seededRandom(seed)
    return [...random.bytes(8), random.uuid(), random.uuid()].join()
  }
  assert.equal(f(1), f(1))
  assert.notEqual(f(1), f(2))
})

test("Random.uuid() gives distinct UUIDs of version 4, system and seeded alike", () => {
  for (const random of [systemRandom, seededRandom(7)]) {
    const uuids = Array.from({ length: 1000 }, () => random.uuid())
    assert.equal(new Set(uuids).size, 1000)
    for (const uuid of uuids) assert.match(uuid, /^.{8}-.{4}-4.{3}-[89ab].{3}-.{12}$/)
    assert.ok(uuids.every(isUuid))
    assert.equal(random.bytes(5).length, 5)
  }
})
