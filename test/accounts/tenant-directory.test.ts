import assert from "node:assert/strict"
import { test } from "node:test"
import { TenantDirectory } from "../../src/accounts/tenant-directory.ts"
import { tenantsMax } from "../../src/base/limits.ts"
import { seededRandom } from "../../src/base/random.ts"

test("what one thread sets, another reads from the same memory, before and after it began", () => {
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

test("a tenant that nobody set is our own mistake", () => {
  const directory = new TenantDirectory()
  assert.throws(() => directory.uuidOf(1), /known tenant/)
  assert.throws(() => directory.set(tenantsMax, seededRandom(1).uuid()), /at most/)
})
