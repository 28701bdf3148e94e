import assert from "node:assert/strict"
import { test } from "node:test"
import { readUserBody, type RoleName } from "../../src/wire/accounts/user-document.ts"

test("the requested role is the one that differs from the current role", () => {
  const f = (user: object, current: RoleName | null, want: RoleName | null) =>
    assert.equal(readUserBody({ user }).roleOf(current), want, JSON.stringify([user, current]))

  const flags = (administrator: boolean, readOnly: boolean) => ({ administrator, readOnly })
  f({}, null, null)
  f({}, "Read Only", null)
  f({ roles: [] }, "Power User", null)
  f({ roles: ["Read Only", "Administrator"] }, "Power User", "Administrator")
  f({ roles: ["Read Only"], ...flags(true, false) }, "Administrator", "Read Only")
  f({ roles: ["Administrator"], ...flags(false, true) }, "Administrator", "Read Only")
  f({ roles: ["Administrator"], ...flags(false, false) }, "Administrator", "Power User")
  f({ roles: ["Read Only"], ...flags(false, false) }, "Read Only", "Power User")
  f({ roles: ["Power User"], ...flags(true, false) }, "Power User", "Administrator")
  f({ administrator: false }, "Read Only", null)
  f({ administrator: false }, "Power User", null)
  f({ administrator: false }, "Administrator", "Power User")
  f({ readOnly: false }, "Administrator", null)
  f({ readOnly: "true" }, "Administrator", "Read Only")
})

test("flags next to the wrapped user count if the user itself has none", () => {
  const body = { user: { email: "a@b.org" }, administrator: false, readOnly: true }
  assert.equal(readUserBody(body).roleOf(null), "Read Only")
  const inner = { user: { administrator: true, readOnly: false }, readOnly: true }
  assert.equal(readUserBody(inner).roleOf(null), "Administrator")
})

test("a user without its wrapper is the same user; null fields are absent", () => {
  const fields = { email: "a@b.org", active: null, realUser: null, properties: { a: 1 } }
  const want = { email: "a@b.org", properties: { a: "1" } }
  assert.deepEqual(readUserBody(fields).fields, want)
  assert.deepEqual(readUserBody({ user: fields }).fields, want)
})
