import assert from "node:assert/strict"
import { test } from "node:test"
import { trustedClock } from "../../src/base/clock.ts"
import { loginSessionKind, type UserDocument } from "../../src/accounts/documents.ts"
import { LoginSessions } from "../../src/accounts/sessions/login-sessions.ts"
import { loginSessionsPerUserMax, sessionIdleMs } from "../../src/base/limits/accounts.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { DocumentsInMemory } from "./documents-in-memory.ts"

const email = "jo@example.com"
const remembered = { idleMs: 2 * sessionIdleMs, maxMs: 100 * sessionIdleMs }

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

function fixture() {
  const clock = new TestClock(1_700_000_000_000)
  const documents = new DocumentsInMemory()
  const user = { tenant: 0, role: "Read Only", passwordHash: "a hash" } as Writable<UserDocument>
  const userOf = () => user
  const random = seededRandom(1)
  const options = { documents, clock, random, remembered, trustsClock: trustedClock, userOf }
  const sessions = new LoginSessions(options)
  const open = (remember = false) =>
    sessions.open({ email, remember, userAgent: "", address: "192.0.2.1" })
  const storedIds = async () => (await documents.list(loginSessionKind)).map(({ id }) => id)
  return { clock, options, sessions, open, storedIds, user }
}

test("a session that is over makes room before one that is not", async () => {
  const { clock, sessions, open, storedIds } = fixture()
  const lasting = await open(true)
  for (let i = 1; i < loginSessionsPerUserMax; i++) await open()
  clock.advance(sessionIdleMs)

  const latest = await open()
  assert.deepEqual(await storedIds(), [lasting.session.id, latest.session.id].sort())
  assert.ok(sessions.find(lasting.token))
})

test("without one that is over, the oldest session of the user makes room", async () => {
  const { sessions, open } = fixture()
  const oldest = await open()
  const second = await open()
  for (let i = 2; i < loginSessionsPerUserMax; i++) await open()
  assert.ok(sessions.find(oldest.token))

  await open()
  assert.equal(sessions.find(oldest.token), null)
  assert.ok(sessions.find(second.token))
})

test("a clock that may have jumped ends no session for good", async () => {
  const { clock, options, open, storedIds } = fixture()
  const { token } = await open()
  const trust = { isTrusted: false }
  const guarded = new LoginSessions({ ...options, trustsClock: async () => trust.isTrusted })
  clock.advance(100 * sessionIdleMs)
  await guarded.load()
  assert.equal(guarded.find(token), null)
  await guarded.open({ email, remember: false, userAgent: "", address: "192.0.2.1" })
  clock.advance(-100 * sessionIdleMs)
  assert.ok(guarded.find(token))
  assert.equal((await storedIds()).length, 2)
  trust.isTrusted = true
  clock.advance(sessionIdleMs)
  await guarded.load()
  assert.equal((await storedIds()).length, 1, "that of the clock ahead is younger")
})

test("a use by a clock that was ahead does not keep a session idle for longer", async () => {
  const { clock, sessions, open } = fixture()
  const { token } = await open(true)
  clock.advance(sessionIdleMs)
  assert.ok(sessions.find(token))
  clock.advance(-sessionIdleMs)
  assert.ok(sessions.find(token))
  clock.advance(2 * sessionIdleMs)
  assert.equal(sessions.find(token), null)
})

test("a start removes the sessions that ended meanwhile", async () => {
  const { clock, options, open, storedIds } = fixture()
  await open()
  const lasting = await open(true)
  clock.advance(sessionIdleMs)

  const restarted = new LoginSessions(options)
  await restarted.load()
  assert.deepEqual(await storedIds(), [lasting.session.id])
  assert.ok(restarted.find(lasting.token))
})

test("sessions of a changed role or password are removed from the store", async () => {
  const { sessions, open, storedIds, user } = fixture()
  await open()
  user.role = "Power User"
  await sessions.endStale(email)
  assert.deepEqual(await storedIds(), [])

  const kept = await open()
  await open()
  await sessions.keepThrough(kept.session.id, async () => {
    user.passwordHash = "another hash"
    await sessions.endStale(email)
    assert.deepEqual(await storedIds(), [kept.session.id])
  })
  assert.ok(sessions.find(kept.token))
  await sessions.endStale(email)
  assert.deepEqual(await storedIds(), [kept.session.id])
})
