import assert from "node:assert/strict"
import { test } from "node:test"
import type { UserDocument } from "../../src/accounts/documents.ts"
import { Authenticator } from "../../src/accounts/authenticator.ts"
import {
  defaultCost,
  deriveSync,
  deriveInPool,
  hashPassword,
  isPassword,
} from "../../src/accounts/password.ts"
import { Semaphore } from "../../src/base/async.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { credentialCacheMs } from "../../src/base/limits/accounts.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { TestSignIn } from "./test-sign-in.ts"

const cost = { N: 16, r: 1, p: 1 }
const salt = new Uint8Array(16)

async function fixture() {
  const clock = new TestClock(1_700_000_000_000)
  const deps = new TestSignIn()
  const derive = deriveInPool
  const passwordHash = await hashPassword("right", salt, { cost, derive })
  const ada: UserDocument = {
    version: 1,
    id: 7,
    tenant: 2,
    role: "Power User",
    active: true,
    properties: {},
    customElementTypeIcons: {},
    featuresUsed: [],
    passwordHash,
    createdMs: 0,
  }
  const bob = { ...ada, id: 8, passwordHash: await hashPassword("bob's", salt, { cost, derive }) }
  const users = new Map([
    ["ada@example.org", ada],
    ["bob@example.org", bob],
  ])
  const logins = new Authenticator({
    userOf: (email) => users.get(email),
    clock,
    random: seededRandom(1),
    deps,
    hashSlots: new Semaphore(1),
  })
  return { logins, clock, deps, users }
}

type Fixture = Awaited<ReturnType<typeof fixture>>

/** The outcome of a sign-in, "in" or the code of its error, and its duration in milliseconds. */
async function tried({ logins, deps }: Fixture, credentials: string, address = "192.0.2.1") {
  const beganMs = deps.nowMs
  const code = await logins.authenticate(basic(credentials), address).then(
    () => "in",
    (error: ServiceError) => error.code,
  )
  return { code, tookMs: deps.nowMs - beganMs }
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`
}

const right = basic("ada@example.org:right")
const isRefused = (error: unknown) =>
  error instanceof ServiceError && error.code === "unauthenticated"

test("right credentials give a principal, ignoring the case of scheme and e-mail", async () => {
  const { logins } = await fixture()
  const want = { tenant: 2, user: "ada@example.org", role: "Power User" }
  for (const header of [right, right.replace("Basic", "bAsIc "), basic("Ada@Example.ORG:right")]) {
    assert.deepEqual(await logins.authenticate(header), want)
  }
})

test("wrong credentials are rejected without revealing which part was wrong", async () => {
  const { logins } = await fixture()
  for (const header of [
    undefined,
    "",
    "Basic",
    "Basic ",
    "Basic !!!",
    "Bearer abc",
    basic("ada@example.org"),
    basic(`${"a".repeat(9_000)}:x`),
  ]) {
    await assert.rejects(logins.authenticate(header), isRefused, header)
  }
  const words = new Set<string>()
  for (const bad of ["ada@example.org:wrong", "ada@example.org:", "eve@example.org:right", ":"]) {
    await assert.rejects(logins.authenticate(basic(bad)), (error) => {
      words.add((error as Error).message)
      return isRefused(error)
    })
  }
  assert.equal(words.size, 1)
})

test("right credentials are cached for a day after their use, wrong ones never", async () => {
  const { logins, clock, deps } = await fixture()
  await logins.authenticate(right)
  for (let use = 0; use < 3; use++) {
    clock.advance(credentialCacheMs - 1)
    await logins.authenticate(right)
  }
  assert.equal(deps.hashes, 1)
  clock.advance(credentialCacheMs)
  await logins.authenticate(right)
  assert.equal(deps.hashes, 2)

  for (const wrong of ["one", "two", "three"]) {
    await assert.rejects(logins.authenticate(basic(`ada@example.org:${wrong}`)), isRefused)
  }
  assert.equal(deps.hashes, 5)
})

test("a failure is answered after a second, whether the account exists or not", async () => {
  const one = await fixture()
  for (const email of ["ada@example.org", "eve@example.org"]) {
    assert.deepEqual(await tried(one, `${email}:no`), { code: "unauthenticated", tookMs: 1_000 })
  }
  assert.equal(one.deps.hashes, 1)
})

test("connections that log in at the same moment share one hash", async () => {
  const { logins, deps } = await fixture()
  await Promise.all(Array.from({ length: 30 }, () => logins.authenticate(right)))
  assert.equal(deps.hashes, 1)
})

test("guesses are throttled, but not at an address the account signed in from before", async () => {
  const one = await fixture()
  const { logins } = one
  await logins.authenticate(right, "192.0.2.1")
  const guesses = Array.from({ length: 100 }, (_, index) => tried(one, `ada@example.org:${index}`))
  assert.equal((await logins.authenticate(right, "192.0.2.1")).tenant, 2)
  const codes = (await Promise.all(guesses)).map(({ code }) => code)
  assert.equal(codes.filter((code) => code === "unauthenticated").length, 3)
  assert.equal(codes.filter((code) => code === "throttled").length, 97)
})

test("under a flood of unknown accounts a right login of that address gets in", async () => {
  const one = await fixture()
  const flood = Array.from({ length: 40 }, (_, index) => tried(one, `x${index}@example.org:x`))
  assert.equal((await tried(one, "ada@example.org:right")).code, "in")
  await Promise.all(flood)
  const { code, tookMs } = await tried(one, "bob@example.org:bob's")
  assert.equal(code, "in")
  assert.ok(tookMs <= 2_000, `${tookMs} ms`)
  assert.equal(one.deps.hashes, 2)
})

test("the wait after wrong passwords grows, for the pair alone, with Retry-After", async () => {
  const one = await fixture()
  for (const wrong of ["1", "2", "3"]) await tried(one, `ada@example.org:${wrong}`)
  // The answer to the third came a second after it began.
  for (const [index, seconds] of [2, 4, 8, 16].entries()) {
    assert.equal((await tried(one, `ada@example.org:more${index}`)).code, "unauthenticated")
    await assert.rejects(one.logins.authenticate(right, "192.0.2.1"), (error: ServiceError) => {
      assert.equal(error.code, "throttled")
      assert.equal(error.retryAfterSeconds, seconds - 1)
      return true
    })
    one.deps.nowMs += seconds * 1_000
  }
  for (const wrong of ["1", "2"]) await tried(one, `ada@example.org:again${wrong}`)
  assert.equal((await tried(one, "ada@example.org:right")).code, "throttled")
  assert.equal((await tried(one, "ada@example.org:right", "192.0.2.2")).code, "in")
  assert.equal((await tried(one, "bob@example.org:bob's")).code, "in")
})

test("repeating a wrong password is no new guess and does not delay the right one", async () => {
  const one = await fixture()
  for (let time = 0; time < 20; time++) {
    assert.equal((await tried(one, "ada@example.org:old")).code, "unauthenticated")
  }
  assert.equal(one.deps.hashes, 1)
  assert.equal((await tried(one, "ada@example.org:right")).code, "in")
})

test("a password that was wrong is right once the user has changed", async () => {
  const one = await fixture()
  await tried(one, "ada@example.org:bob's")
  one.users.set("ada@example.org", { ...one.users.get("bob@example.org")!, id: 7 })
  one.logins.invalidate("ada@example.org")
  assert.equal((await tried(one, "ada@example.org:bob's")).code, "in")
})

test("each outcome is reported with account, address and tenant, without a password", async () => {
  const one = await fixture()
  await tried(one, "ada@example.org:right", "2001:db8:1:2:3::4")
  await tried(one, "eve@example.org:guess")
  const address = "2001:db8:1:2::/64"
  assert.deepEqual(one.deps.outcomes, [
    { result: "right", account: "ada@example.org", address, tenant: 2 },
    { result: "wrong", account: "eve@example.org", address: "192.0.2.1", tenant: null },
  ])
})

const how = { cost, derive: deriveInPool }

test("a stored hash has its cost and salt, and verifies its password only", async () => {
  const stored = await hashPassword("pässword", seededRandom(3).bytes(16), how)
  assert.match(stored, /^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.equal(await isPassword("pässword", stored, deriveInPool), true)
  assert.equal(await isPassword("pa\u0308ssword", stored, deriveInPool), true)
  assert.equal(await isPassword("password", stored, deriveInPool), false)
})

test("the default cost is 32 MiB per hash", async () => {
  assert.equal(128 * defaultCost.N * defaultCost.r, 32 * 1024 * 1024)
  const stored = await hashPassword("x", salt, { derive: deriveInPool })
  assert.equal(await isPassword("x", stored, async (key) => deriveSync(key)), true)
})
