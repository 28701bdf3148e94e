import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { cleanFqn, elementUuid, metricUuid } from "../../src/model/fqn.ts"

test("cleanFqn() keeps the alphabet, turns spaces into underscores and drops the rest", () => {
  const f = (raw: string, want: string) => assert.equal(cleanFqn(raw), want)

  f("web-01.example_A", "web-01.example_A")
  f("my host", "my_host")
  f("  a  ", "__a__")
  f("disk./dev/sda1.used%", "disk.devsda1.used")
  f("a\tb\nc", "abc")
  f("naïve", "nave")
  f("a😀b", "ab")
  f("", "")
  f("日本", "")
})

test("cleanFqn() agrees with its rule, and keeps cleaned names", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (raw) => {
      const clean = cleanFqn(raw)
      assert.equal(clean, raw.replaceAll(" ", "_").replace(/[^a-zA-Z0-9._-]/g, ""))
      assert.equal(cleanFqn(clean), clean)
    }),
  )
})

const tenant = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

test("element and metric UUIDs never change", () => {
  assert.equal(elementUuid(tenant, "www.example.com"), "5df41881-3aed-3515-88a7-2f4a814cf09e")
  assert.equal(metricUuid(tenant, "web", "cpu.user"), "86e2fd1c-116e-399b-b057-5f7164e010b8")
})

test("different pairs of names never have the same UUID", () => {
  const uuids = [
    metricUuid(tenant, "a", "bc"),
    metricUuid(tenant, "ab", "c"),
    metricUuid(tenant, "abc", ""),
    elementUuid(tenant, "abc"),
    elementUuid(elementUuid(tenant, "other"), "abc"),
  ]
  assert.equal(new Set(uuids).size, uuids.length)
})
