import assert from "node:assert/strict"
import { test } from "node:test"
import type { UserDocument } from "../../src/accounts/documents.ts"
import { Logins } from "../../src/accounts/logins.ts"
import {
  decoyHash,
  defaultCost,
  hashPassword,
  HashGate,
  isPassword,
} from "../../src/accounts/password.ts"
import { TestClock } from "../../src/base/clock.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { seededRandom } from "../../src/base/random.ts"

const cost = { N: 16, r: 1, p: 1 }
const salt = new Uint8Array(16)

/** Counts full checks: each asks for the user once. */
async function rig() {
  const clock = new TestClock(1_700_000_000_000)
  const passwordHash = await hashPassword("right", salt, cost)
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
  let checks = 0
  const logins = new Logins({
    userOf: (email) => {
      checks++
      return email === "ada@example.org" ? ada : undefined
    },
    decoy: decoyHash(seededRandom(2), cost),
    clock,
    random: seededRandom(1),
  })
  return { logins, clock, checks: () => checks }
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString("base64")}`
}

const right = basic("ada@example.org:right")
const isRefused = (error: unknown) =>
  error instanceof ServiceError && error.code === "unauthenticated"

test("right credentials are an identity, in whatever case scheme and e-mail come", async () => {
  const { logins } = await rig()
  const want = { tenant: 2, user: "ada@example.org", role: "Power User" }
  for (const header of [right, right.replace("Basic", "bAsIc "), basic("Ada@Example.ORG:right")]) {
    assert.deepEqual(await logins.authenticate(header), want)
  }
})

test("everything else is refused, and never in words that tell which part was wrong", async () => {
  const { logins } = await rig()
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

test("a success vouches for a minute, a failure for nothing", async () => {
  const { logins, clock, checks } = await rig()
  await logins.authenticate(right)
  clock.advance(59_999)
  await logins.authenticate(right)
  assert.equal(checks(), 1)
  clock.advance(1)
  await logins.authenticate(right)
  assert.equal(checks(), 2)

  for (let time = 0; time < 3; time++) {
    await assert.rejects(logins.authenticate(basic("ada@example.org:wrong")), isRefused)
  }
  assert.equal(checks(), 5)
})

test("connections that log in at the same moment share one hash", async () => {
  const { logins, checks } = await rig()
  await Promise.all(Array.from({ length: 30 }, () => logins.authenticate(right)))
  assert.equal(checks(), 1)
})

test("a flood of guesses is throttled, while who logged in before is not", async () => {
  const { logins } = await rig()
  await logins.authenticate(right)
  const guesses = Array.from({ length: 100 }, (_, index) =>
    logins.authenticate(basic(`ada@example.org:${index}`)).then(
      () => "in",
      (error: ServiceError) => error.code,
    ),
  )
  assert.equal((await logins.authenticate(right)).tenant, 2)
  const outcomes = await Promise.all(guesses)
  assert.equal(outcomes.filter((outcome) => outcome === "unauthenticated").length, 18)
  assert.equal(outcomes.filter((outcome) => outcome === "throttled").length, 82)
})

test("HashGate runs as many as it may, in order, and goes on after a failure", async () => {
  const gate = new HashGate({ runningMax: 2, waitingMax: 10 })
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (index: number) => async () => {
    most = Math.max(most, ++running)
    order.push(index)
    await new Promise(setImmediate)
    running--
    if (index === 1) throw new Error("one fails")
  }
  const all = Array.from({ length: 8 }, (_, index) => gate.run(work(index)))
  const settled = await Promise.allSettled(all)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7])
  assert.equal(most, 2)
  assert.equal(settled.filter(({ status }) => status === "rejected").length, 1)
})

test("a stored hash tells its cost and salt, and knows its password only", async () => {
  const stored = await hashPassword("pässword", seededRandom(3).bytes(16), cost)
  assert.match(stored, /^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.equal(await isPassword("pässword", stored), true)
  assert.equal(await isPassword("pa\u0308ssword", stored), true)
  assert.equal(await isPassword("password", stored), false)
})

test("the default cost is 32 MiB a hash", async () => {
  assert.equal(128 * defaultCost.N * defaultCost.r, 32 * 1024 * 1024)
  assert.equal(await isPassword("x", await hashPassword("x", salt)), true)
})
