import assert from "node:assert/strict"
import { test } from "node:test"
import { openAccounts } from "../../src/accounts/accounts.ts"
import type { AccountPresets } from "../../src/accounts/accounts.ts"
import { deriveInPool, hashPassword } from "../../src/accounts/password.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { isUuid } from "../../src/base/uuid.ts"
import { DocumentsInMemory } from "./documents-in-memory.ts"
import { TestSignIn } from "./test-sign-in.ts"

const clock = new TestClock(1_700_000_000_000)
/** Cheap, so that tests are fast; production uses the default cost. */
const cost = { N: 16, r: 1, p: 1 }
let seed = 1

function open(
  documents: DocumentsInMemory,
  presets: AccountPresets = {},
  signIn = new TestSignIn(),
) {
  return openAccounts({
    documents,
    random: seededRandom(seed++),
    clock,
    presets,
    cost,
    signIn,
  })
}

function basic(email: string, password: string): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`
}

const isRefused = (error: unknown) =>
  error instanceof ServiceError && error.code === "unauthenticated"

test("the first start creates tenant, administrator and key, and shows them once", async () => {
  const documents = new DocumentsInMemory()
  const { accounts, firstStart } = await open(documents)
  assert.ok(firstStart)
  assert.equal(firstStart.adminEmail, "admin@tidegauge.local")
  assert.match(firstStart.adminPassword, /^([a-z2-9]{4}-){4}[a-z2-9]{4}$/)
  assert.match(firstStart.apiKey, /^[0-9a-f]{32}$/)
  assert.equal(accounts.tenantOfKey(firstStart.apiKey), 0)
  assert.ok(isUuid(accounts.tenantUuid(0)))
  const identity = await accounts.authenticate(
    basic(firstStart.adminEmail, firstStart.adminPassword),
  )
  assert.deepEqual(identity, { tenant: 0, user: "admin@tidegauge.local", role: "Administrator" })
  assert.deepEqual([...documents.byKind.get("integration")!.keys()], ["1"])

  const again = await open(documents)
  assert.equal(again.firstStart, undefined)
  assert.equal(again.accounts.tenantOfKey(firstStart.apiKey), 0)
  assert.equal(again.accounts.tenantUuid(0), accounts.tenantUuid(0))
  const header = basic("Admin@Tidegauge.Local", firstStart.adminPassword)
  assert.equal((await again.accounts.authenticate(header)).tenant, 0)
})

test("a generated password has a short hash, a chosen one that of the options", async () => {
  const hashes = async (presets: AccountPresets) => {
    const documents = new DocumentsInMemory()
    await open(documents, presets)
    const users = [...documents.byKind.get("user")!.values()] as { passwordHash: string }[]
    return users.map(({ passwordHash }) => passwordHash.split("$").slice(0, 4).join("$"))
  }
  assert.deepEqual(await hashes({}), ["scrypt$1024$8$1"])
  assert.deepEqual(await hashes({ adminPassword: "chosen by hand" }), ["scrypt$16$1$1"])
})

test("a password that the start has made or checked is signed in with without a hash", async () => {
  const documents = new DocumentsInMemory()
  const presets = { adminPassword: "chosen by hand" }
  for (const _ of ["first start", "second start"]) {
    const signIn = new TestSignIn()
    const { accounts } = await open(documents, presets, signIn)
    const { hashes } = signIn
    await accounts.authenticate(basic("admin@tidegauge.local", presets.adminPassword))
    assert.equal(signIn.hashes, hashes)
  }
  const signIn = new TestSignIn()
  const { accounts } = await open(documents, {}, signIn)
  await accounts.authenticate(basic("admin@tidegauge.local", presets.adminPassword))
  assert.equal(signIn.hashes, 1)
})

test("no stored document has a secret in plaintext", async () => {
  const documents = new DocumentsInMemory()
  const { firstStart } = await open(documents)
  assert.ok(!documents.dump().includes(firstStart!.apiKey))
  assert.ok(!documents.dump().includes(firstStart!.adminPassword))
})

test("presets of the operator are used at the first start", async () => {
  const wanted = {
    apiKey: "k".repeat(16),
    adminEmail: "Ada@Example.org",
    adminPassword: "längst:zwölf",
  }
  const { accounts, firstStart } = await open(new DocumentsInMemory(), wanted)
  assert.deepEqual(firstStart, {
    ...wanted,
    adminEmail: "ada@example.org",
    signInLink: null,
  })
  assert.equal(accounts.tenantOfKey(wanted.apiKey), 0)
  assert.equal((await accounts.authenticate(basic("ada@example.org", "längst:zwölf"))).tenant, 0)
})

test("a later preset key is added; a preset password or e-mail replaces the old one", async () => {
  const documents = new DocumentsInMemory()
  const first = (await open(documents)).firstStart!
  const second = "second-key-of-this-account"
  const named = { apiKey: second, adminEmail: "root@example.org", adminPassword: "a new password" }
  const { accounts } = await open(documents, named)
  assert.equal(accounts.tenantOfKey(first.apiKey), 0)
  assert.equal(accounts.tenantOfKey(second), 0)
  assert.equal((await accounts.authenticate(basic("root@example.org", "a new password"))).tenant, 0)
  const old = basic(first.adminEmail, first.adminPassword)
  await assert.rejects(accounts.authenticate(old), isRefused)
  await assert.rejects(accounts.authenticate(basic(first.adminEmail, "a new password")), isRefused)

  const before = documents.dump()
  await open(documents, named)
  assert.equal(documents.dump(), before)
  await open(documents, { apiKey: null, adminEmail: null, adminPassword: null })
  assert.equal(documents.dump(), before)
})

test("unusable presets are rejected, without repeating them", async () => {
  const f = async (wanted: AccountPresets) =>
    assert.rejects(open(new DocumentsInMemory(), wanted), (error) => {
      assert.ok(error instanceof ServiceError && error.code === "invalid")
      const values = Object.values(wanted).filter((value) => value !== "")
      return values.every((value) => !error.message.includes(value as string))
    })
  await f({ apiKey: "tooshort" })
  await f({ apiKey: "with/slash/and/more/of/it" })
  await f({ apiKey: "" })
  await f({ adminEmail: "a:b@example.org" })
  await f({ adminEmail: "" })
  await f({ adminPassword: "elevenchars" })
  await f({ adminPassword: "Password12345!" })
})

test("a password set before the current rules keeps working", async () => {
  const documents = new DocumentsInMemory()
  const { firstStart } = await open(documents)
  const [user] = await documents.list("user")
  const derive = deriveInPool
  const passwordHash = await hashPassword("password", new Uint8Array(16), { cost, derive })
  await documents.put("user", user!.id, { ...(user!.document as object), passwordHash })
  const { accounts } = await open(documents, { adminPassword: "password" })
  const header = basic(firstStart!.adminEmail, "password")
  assert.equal((await accounts.authenticate(header)).tenant, 0)
})

test("a first start interrupted anywhere is repeated, and its first key is void", async () => {
  for (let puts = 0; puts < 4; puts++) {
    const documents = new DocumentsInMemory()
    documents.failAfterPuts = puts
    await assert.rejects(open(documents, { apiKey: "key-of-the-first-attempt" }), /power cut/)
    documents.failAfterPuts = Infinity
    const { accounts, firstStart } = await open(documents)
    assert.ok(firstStart, `after ${puts} documents`)
    assert.equal(accounts.tenantOfKey("key-of-the-first-attempt"), undefined)
    assert.equal(accounts.tenantOfKey(firstStart.apiKey), 0)
    const header = basic(firstStart.adminEmail, firstStart.adminPassword)
    assert.equal((await accounts.authenticate(header)).tenant, 0)
  }
})

test("a renaming interrupted anywhere is completed at the next start", async () => {
  for (let puts = 0; puts < 3; puts++) {
    const documents = new DocumentsInMemory()
    await open(documents, { adminPassword: "the first of all" })
    documents.failAfterPuts = puts
    await assert.rejects(open(documents, { adminEmail: "new@example.org" }), /power cut/)
    documents.failAfterPuts = Infinity
    const { accounts } = await open(documents, { adminEmail: "new@example.org" })
    assert.equal(
      (await accounts.authenticate(basic("new@example.org", "the first of all"))).tenant,
      0,
    )
  }
})

test("unknown, disabled and overlong keys have no tenant", async () => {
  const documents = new DocumentsInMemory()
  const { firstStart } = await open(documents)
  const [entry] = await documents.list("apiKey")
  await documents.put("apiKey", entry!.id, { ...(entry!.document as object), enabled: false })
  const { accounts } = await open(documents)
  const f = (key: string) => assert.equal(accounts.tenantOfKey(key), undefined)
  f(firstStart!.apiKey)
  f("")
  f("x".repeat(100_000))
  f(entry!.id)
})

test("a preset key that was disabled stays disabled", async () => {
  const documents = new DocumentsInMemory()
  const wanted = { apiKey: "a-key-that-was-disabled" }
  await open(documents, wanted)
  const [entry] = await documents.list("apiKey")
  await documents.put("apiKey", entry!.id, { ...(entry!.document as object), enabled: false })
  const { accounts } = await open(documents, wanted)
  assert.equal(accounts.tenantOfKey(wanted.apiKey), undefined)
})
