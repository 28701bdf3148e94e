import assert from "node:assert/strict"
import { test } from "node:test"
import { openAccounts, type Accounts } from "../../src/accounts/accounts.ts"
import { trustedClock } from "../../src/base/clock.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError, type ErrorCode } from "../../src/base/errors.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { DocumentsInMemory } from "./documents-in-memory.ts"
import { TestSignIn } from "./test-sign-in.ts"

const cost = { N: 16, r: 1, p: 1 }
const presets = { adminEmail: "root@example.org", adminPassword: "root password" }
const password = "a long password"
let seed = 100

async function fixture(documents = new DocumentsInMemory(), trustsClock = trustedClock) {
  const clock = new TestClock(1_700_000_000_000)
  const told: string[] = []
  const { accounts } = await openAccounts({
    documents,
    random: seededRandom(seed++),
    clock,
    presets,
    cost,
    signIn: new TestSignIn(),
    trustsClock,
    onTenant: ({ uuid }) => told.push(uuid),
  })
  return { accounts, documents, clock, told }
}

/** The same documents, opened again, as after a restart. */
const reopened = async ({ documents }: { documents: DocumentsInMemory }) =>
  (await fixture(documents)).accounts

const basic = (email: string, text: string) =>
  `Basic ${Buffer.from(`${email}:${text}`).toString("base64")}`

const refused = (code: ErrorCode) => (error: unknown) =>
  error instanceof ServiceError && error.code === code

async function mayLogIn(accounts: Accounts, email: string, text: string): Promise<boolean> {
  try {
    await accounts.authenticate(basic(email, text))
    return true
  } catch (error) {
    assert.ok(refused("unauthenticated")(error))
    return false
  }
}

test("a clock that may have jumped removes neither keys nor links", async () => {
  const trust = { isTrusted: false }
  const one = await fixture(undefined, async () => trust.isTrusted)
  const { keys, links } = one.accounts
  const former = await keys.createWith(0, 1, {})
  const latest = await keys.rotateWithGrace(0, former.id, 60_000)
  const link = await links.create("root@example.org", 60_000)
  one.clock.advance(366 * 86_400_000)
  assert.equal(one.accounts.grantOf(former.key), undefined)
  await assert.rejects(links.use(link), { code: "unauthenticated" })
  await keys.rotate(0, latest.id)
  await links.create("root@example.org", 60_000)
  one.clock.advance(-366 * 86_400_000)
  assert.ok(one.accounts.grantOf(former.key))
  assert.equal(await links.use(link), "root@example.org")
  trust.isTrusted = true
  one.clock.advance(60_000)
  await keys.rotateWithGrace(0, (await keys.createWith(0, 1, {})).id, 60_000)
  one.clock.advance(-60_000)
  assert.equal(one.accounts.grantOf(former.key), undefined, "removed by a clock that is right")
})

test("a new user can sign in immediately, with its role, and after a restart", async () => {
  const one = await fixture()
  const { users } = one.accounts
  const ada = await users.create(0, { email: "Ada@Example.org", password, role: "Read Only" })
  assert.equal(ada.email, "ada@example.org")
  assert.equal(ada.id, 2)
  const want = { tenant: 0, user: "ada@example.org", role: "Read Only" }
  assert.deepEqual(await one.accounts.authenticate(basic(ada.email, password)), want)
  assert.deepEqual(await (await reopened(one)).authenticate(basic(ada.email, password)), want)
  assert.ok(!one.documents.dump().includes(password))
})

test("changes take effect immediately, whatever was cached", async () => {
  const { accounts } = await fixture()
  const { users } = accounts
  const { id, email } = await users.create(0, { email: "a@b.org", password, role: "Power User" })
  assert.ok(await mayLogIn(accounts, email, password))

  await users.update(0, id, { role: "Read Only" })
  assert.equal((await accounts.authenticate(basic(email, password))).role, "Read Only")
  await users.update(0, id, { active: false })
  assert.ok(!(await mayLogIn(accounts, email, password)))
  await users.update(0, id, { active: true, password: "another password" })
  assert.ok(!(await mayLogIn(accounts, email, password)))
  assert.ok(await mayLogIn(accounts, email, "another password"))
  await users.update(0, id, { email: "new@b.org" })
  assert.ok(!(await mayLogIn(accounts, email, "another password")))
  assert.ok(await mayLogIn(accounts, "new@b.org", "another password"))
  await users.remove(0, id)
  assert.ok(!(await mayLogIn(accounts, "new@b.org", "another password")))
  assert.throws(() => users.get(0, id), refused("missing"))
})

test("a verification begun before a change is not cached after it", async () => {
  const { accounts } = await fixture()
  const { id, email } = await accounts.users.create(0, {
    email: "a@b.org",
    password,
    role: "Power User",
  })
  const early = accounts.authenticate(basic(email, password)).catch(() => null)
  await accounts.users.update(0, id, { active: false })
  await early
  assert.ok(!(await mayLogIn(accounts, email, password)))
})

test("the last active administrator cannot be demoted, disabled or removed", async () => {
  const { accounts } = await fixture()
  const { users } = accounts
  const isRefused = refused("invalid")
  await assert.rejects(users.remove(0, 1), isRefused)
  await assert.rejects(users.update(0, 1, { role: "Power User" }), isRefused)
  await assert.rejects(users.update(0, 1, { active: false }), isRefused)
  const role = "Administrator"
  const other = await users.create(0, { email: "b@c.org", password, role, active: false })
  await assert.rejects(users.remove(0, 1), isRefused)
  await users.update(0, other.id, { active: true })
  // Both concurrently: one of them must fail.
  const outcomes = await Promise.allSettled([users.remove(0, 1), users.remove(0, other.id)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
  assert.equal(users.list(0).length, 1)
})

test("e-mails are unique across accounts, and ids are never reused", async () => {
  const one = await fixture()
  const { users, tenants } = one.accounts
  const taken = { email: "root@example.org", password, role: "Power User" } as const
  await assert.rejects(users.create(0, taken), refused("invalid"))
  const wantedTenant = { name: "Two", adminEmail: "ROOT@example.org", adminPassword: password }
  await assert.rejects(tenants.create(wantedTenant), refused("invalid"))
  const { id } = await users.create(0, { ...taken, email: "x@y.org" })
  await users.remove(0, id)
  const again = await (await reopened(one)).users.create(0, { ...taken, email: "x@y.org" })
  assert.equal(again.id, id + 1)
})

test("unusable e-mails and passwords are rejected; nothing is stored", async () => {
  const { accounts, documents } = await fixture()
  const before = documents.dump()
  const f = async (email: string, text: string) => {
    const made = accounts.users.create(0, { email, password: text, role: "Power User" })
    await assert.rejects(made, (error) => {
      assert.ok(refused("invalid")(error))
      return !(error as Error).message.includes(text)
    })
  }
  await f("no address", password)
  await f("a:b@example.org", password)
  await f(`${"a".repeat(250)}@b.org`, password)
  await f("a@b.org", "elevenchars")
  await f("a@b.org", "Sunshine2026!")
  await f("a@b.org", "x".repeat(1025))
  assert.equal(documents.dump(), before)
})

test("a tenant created at run time has an administrator, a key and a UUID", async () => {
  const one = await fixture()
  const { accounts, told } = one
  const made = { name: "Two", adminEmail: "two@example.org", adminPassword: password }
  const { tenant, apiKey } = await accounts.tenants.create(made)
  assert.equal(tenant.document.index, 1)
  assert.notEqual(tenant.uuid, accounts.tenantUuid(0))
  assert.equal(told.at(-1), tenant.uuid)
  assert.equal(accounts.tenantOfKey(apiKey), 1)
  assert.equal((await accounts.authenticate(basic("two@example.org", password))).tenant, 1)
  assert.deepEqual(
    accounts.users.list(1).map(({ email }) => email),
    ["two@example.org"],
  )
  assert.throws(() => accounts.users.get(1, 1), refused("missing"))
  assert.ok(!one.documents.dump().includes(apiKey))
  const later = await reopened(one)
  assert.equal(later.tenantOfKey(apiKey), 1)
  assert.equal(later.tenantUuid(1), tenant.uuid)
  assert.equal((await later.authenticate(basic(presets.adminEmail, "root password"))).tenant, 0)
})

test("users and keys of a disabled tenant are rejected until it is enabled", async () => {
  const { accounts } = await fixture()
  const made = { name: "Two", adminEmail: "two@example.org", adminPassword: password }
  const { tenant, apiKey } = await accounts.tenants.create(made)
  assert.equal(accounts.tenantOfKey(apiKey), 1)
  assert.ok(await mayLogIn(accounts, "two@example.org", password))
  await accounts.tenants.setEnabled(tenant.uuid, false)
  assert.equal(accounts.tenantOfKey(apiKey), undefined)
  assert.ok(!(await mayLogIn(accounts, "two@example.org", password)))
  await accounts.tenants.setEnabled("1", true)
  assert.equal(accounts.tenantOfKey(apiKey), 1)
  assert.ok(await mayLogIn(accounts, "two@example.org", password))
})

test("a deleted tenant cannot be restored, and its index is not reused", async () => {
  const one = await fixture()
  const { tenants } = one.accounts
  const made = { name: "Two", adminEmail: "two@example.org", adminPassword: password }
  const { apiKey } = await tenants.create(made)
  await tenants.remove("1")
  for (const accounts of [one.accounts, await reopened(one)]) {
    assert.equal(accounts.tenantOfKey(apiKey), undefined)
    assert.ok(!(await mayLogIn(accounts, "two@example.org", password)))
    assert.equal(accounts.tenants.list().length, 1)
    assert.throws(() => accounts.tenants.find("1"), refused("missing"))
  }
  assert.equal((await tenants.create(made)).tenant.document.index, 2)
  await assert.rejects(tenants.remove("0"), refused("invalid"))
  await assert.rejects(tenants.setEnabled("0", false), refused("invalid"))
})

test("creating, rotating, disabling and removing keys takes effect immediately", async () => {
  const one = await fixture()
  const { accounts } = one
  const { keys } = accounts
  const { key, id } = await accounts.createKey(0, 7)
  assert.match(key, /^[0-9a-f]{32}$/)
  assert.deepEqual({ ...accounts.grantOf(key)!, limit: null }.datasourceId, 7)
  const next = await keys.rotate(0, id.slice(0, 12))
  assert.equal(accounts.grantOf(key), undefined)
  assert.equal(accounts.grantOf(next.key)!.datasourceId, 7)
  const kept = await keys.rotate(0, next.id, true)
  assert.ok(accounts.grantOf(next.key) && accounts.grantOf(kept.key))

  await keys.setDatasourceEnabled(0, 7, false)
  assert.equal(accounts.grantOf(kept.key), undefined)
  await keys.setDatasourceEnabled(0, 7, true)
  assert.ok(accounts.grantOf(kept.key))
  assert.equal(accounts.grantOf(key), undefined, "Expected a replaced key to stay away")
  await keys.update(0, kept.id, { enabled: false })
  assert.equal(accounts.grantOf(kept.key), undefined)
  assert.equal((await reopened(one)).grantOf(kept.key), undefined)
  await keys.removeDatasource(0, 7)
  assert.equal(keys.list(0, 7).length, 0)
  assert.equal(keys.list(0).length, 1)
})

test("related changes are stored with a change of keys, or neither is", async () => {
  const { accounts, documents } = await fixture()
  const also = [{ kind: "datasource", id: "7", document: { name: "x" } }]
  await accounts.createKey(0, 7, () => also)
  assert.deepEqual(await documents.get("datasource", "7"), { name: "x" })
  documents.failAfterPuts = 0
  await assert.rejects(accounts.keys.setDatasourceEnabled(0, 7, false), /power cut/)
  assert.ok(accounts.keys.list(0, 7).every(({ enabled }) => enabled))
})

test("a key of another account is missing, and an ambiguous id is rejected", async () => {
  const { accounts } = await fixture()
  const { id } = await accounts.createKey(1, 7)
  assert.throws(() => accounts.keys.find(0, id), refused("missing"))
  assert.throws(() => accounts.keys.find(0, ""), refused("missing"))
  for (let i = 0; i < 17; i++) await accounts.createKey(0, 7)
  const starts = accounts.keys.list(0).map((one) => one.id[0]!)
  const shared = starts.find((start, at) => starts.indexOf(start) !== at)!
  assert.throws(() => accounts.keys.find(0, shared), refused("invalid"))
})

test("a key's own rates override the server's, and can be reset", async () => {
  const { accounts } = await fixture()
  const { id, key } = await accounts.createKey(0, 7)
  assert.equal(accounts.grantOf(key)!.limit, null)
  await accounts.keys.update(0, id, { payloadsPerMinute: 1 })
  accounts.grantOf(key)!.limit!.chargePayload()
  assert.throws(() => accounts.grantOf(key)!.limit!.chargePayload(), refused("throttled"))
  await accounts.keys.update(0, id, { payloadsPerMinute: null })
  assert.equal(accounts.grantOf(key)!.limit, null)
  await assert.rejects(
    async () => accounts.keys.update(0, id, { samplesPerMinute: -1 }),
    refused("invalid"),
  )
})

test("users of version 1 get ids, oldest first, and keep everything else", async () => {
  const documents = new DocumentsInMemory()
  await fixture(documents)
  const { passwordHash } = (await documents.get("user", "root@example.org")) as {
    passwordHash: string
  }
  const former = { version: 1, tenant: 0, role: "Administrator", passwordHash }
  await documents.put("counter", "user", null)
  await documents.put("user", "root@example.org", { ...former, createdMs: 5 })
  await documents.put("user", "older@example.org", { ...former, createdMs: 1 })
  const { accounts } = await fixture(documents)
  assert.deepEqual(
    accounts.users.list(0).map(({ id, email, active }) => [id, email, active]),
    [
      [1, "older@example.org", true],
      [2, "root@example.org", true],
    ],
  )
  assert.ok(await mayLogIn(accounts, "older@example.org", "root password"))
})

test("the administrator of the settings is restored, whatever was done to it", async () => {
  const one = await fixture()
  const { users } = one.accounts
  await users.create(0, { email: "b@c.org", password, role: "Administrator" })
  await users.remove(0, 1)
  assert.ok(await mayLogIn(await reopened(one), presets.adminEmail, presets.adminPassword))
  const { id } = users.byEmail(0, "b@c.org")
  await users.update(0, id, { email: "c@d.org" })
  assert.equal((await reopened(one)).users.byEmail(0, "c@d.org").id, id)
})

test("a feature is recorded once and kept", async () => {
  const one = await fixture()
  const identity = await one.accounts.authenticate(basic(presets.adminEmail, presets.adminPassword))
  const { users } = one.accounts
  await users.recordFeatureUse(identity, "createdDashboard")
  await users.recordFeatureUse(identity, "createdPolicy")
  const dump = one.documents.dump()
  await users.recordFeatureUse(identity, "createdPolicy")
  assert.equal(one.documents.dump(), dump)
  const { featuresUsed } = (await reopened(one)).users.get(0, 1)
  assert.deepEqual(featuresUsed, ["createdPolicy", "createdDashboard"])
})
