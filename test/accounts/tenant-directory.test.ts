import assert from "node:assert/strict"
import { test } from "node:test"
import { TenantDirectory } from "../../src/accounts/tenant-directory.ts"
import { tenantsMax } from "../../src/base/limits/accounts.ts"
import { seededRandom } from "../support/run/seeded-random.ts"

test("an entry set by one thread is read by another one that started before or after", () => {
  const random = seededRandom(1)
  const [one, other] = [random.uuid(), random.uuid()]
  const written = new TenantDirectory()
  written.set(0, one)
  const read = new TenantDirectory(structuredClone(written.memory))
  assert.equal(read.uuidOf(0), one)
  written.set(tenantsMax - 1, other)
  assert.equal(read.uuidOf(tenantsMax - 1), other)
  assert.equal(read.uuidOf(0), one)
})

test("reading a tenant that was never set is an assertion failure", () => {
  const directory = new TenantDirectory()
  assert.throws(() => directory.uuidOf(1), /known tenant/)
  assert.throws(() => directory.set(tenantsMax, seededRandom(1).uuid()), /at most/)
})
