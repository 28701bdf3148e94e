/** Users as the API shows and changes them (spec/accounts §5). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import type { Reply } from "../support/server/client.ts"
import { adminPassword, useServer } from "../support/server/server.ts"

const client = useServer()
const admin = (): TestCaller => callerOf(client())

interface UserAnswer {
  readonly id: number
  readonly email: string
  readonly roles: readonly string[]
  readonly [field: string]: unknown
}

function userOf(reply: Reply): UserAnswer {
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ user: UserAnswer }>().user
}

async function create(user: Record<string, unknown>, flags = {}): Promise<UserAnswer> {
  const body = { user: { password: "a good password", ...user }, ...flags }
  return userOf(await admin().post("/users", body))
}

const login = (email: string, password: string): TestCaller =>
  callerOf(client(), `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`)

test("a user sees its own record, with every field that clients know", async () => {
  const { id, tenantProperties, ...rest } = userOf(await admin().get("/users/current"))
  assert.equal(id, 1)
  assert.deepEqual(Object.keys(tenantProperties as object), [
    "netuitiveAccountId",
    "tenantType",
    "tenantStatus",
    "productIds",
    "trialExpiresAt",
    "name",
    "datasourceTrialCountLimit",
  ])
  assert.deepEqual(rest, {
    email: client().user,
    realUser: null,
    active: true,
    properties: {},
    customElementTypeIcons: {},
    roles: ["Administrator"],
    administrator: true,
    globalAdministrator: false,
    globalReadOnly: false,
    assumedIdentity: false,
    assumedReadOnlyIdentity: false,
    readOnly: false,
    lastSignIn: null,
  })
})

test("the documented creation makes an administrator who can log in", async () => {
  const documented = {
    administrator: true,
    readOnly: false,
    user: {
      active: true,
      customElementTypeIcons: {},
      email: "example+02052020%40gmail.com",
      password: "a password of 12 or more",
      properties: { theme: "dark", landingPage: "dashboards", columns: 3, wide: true },
      tenantProperties: { name: "Louis Lane", productIds: ["monitoring"], tenantType: "CUSTOMER" },
    },
  }
  const made = userOf(await admin().post("/users", documented))
  assert.equal(made.email, "example+02052020@gmail.com")
  assert.deepEqual(made.roles, ["Administrator"])
  const properties = { theme: "dark", landingPage: "dashboards", columns: "3", wide: "true" }
  assert.deepEqual(made["properties"], properties)
  const self = login("example+02052020@gmail.com", "a password of 12 or more")
  assert.deepEqual(userOf(await self.get("/users/current")), made)
  assert.ok(!JSON.stringify(made).includes("a password of 12 or more"))
})

test("a list holds all users of the account by id, an unknown one is a 404", async () => {
  const { id } = await create({ email: "listed@example.com", roles: ["Read Only"] })
  const { users } = (await admin().get("/users/")).json<{ users: UserAnswer[] }>()
  const ids = users.map((user) => user.id)
  assert.ok(ids.includes(1) && ids.includes(id))
  assert.deepEqual(
    ids.toSorted((one, other) => one - other),
    ids,
  )
  assert.deepEqual(userOf(await admin().get(`/users/${id}`)), users.at(ids.indexOf(id)))
  for (const call of [admin().get, admin().delete]) {
    assert.equal((await call("/users/99999")).status, 404)
    assert.match(errorOf(await call("/users/abc")).errors[0]!, /id.*whole number.*abc/)
  }
})

test("a role may be said in either of two ways; none is an administrator", async () => {
  const f = async (user: object, flags: object, want: string) => {
    const email = `role-${Math.floor(performance.now() * 1e6)}@example.com`
    const made = await create({ email, ...user }, flags)
    assert.deepEqual(made.roles, [want])
    assert.equal(made["administrator"], want === "Administrator")
    assert.equal(made["readOnly"], want === "Read Only")
  }

  await f({}, {}, "Administrator")
  await f({ roles: [] }, {}, "Administrator")
  await f({ roles: ["Power User"] }, {}, "Power User")
  await f({}, { readOnly: true, administrator: false }, "Read Only")
  await f({}, { readOnly: false, administrator: false }, "Power User")
  await f({ administrator: false }, {}, "Power User")
  await f({ roles: ["Read Only"] }, { administrator: true }, "Read Only")
})

test("a change merges properties; of a role said twice, what differs is meant", async () => {
  const { id } = await create({
    email: "changed@example.com",
    roles: ["Power User"],
    properties: { theme: "light", timeZone: "UTC" },
  })
  const f = async (user: object) => userOf(await admin().put(`/users/${id}`, { user }))

  const merged = { theme: "dark", timeZone: "UTC", campaign: null }
  const record = await f({ properties: { theme: "dark", campaign: null } })
  assert.deepEqual(record["properties"], merged)
  assert.deepEqual(record.roles, ["Power User"])
  assert.deepEqual((await f({ ...record, roles: ["Read Only"] })).roles, ["Read Only"])
  assert.deepEqual((await f({ administrator: false })).roles, ["Read Only"])
  assert.deepEqual((await f({ readOnly: false })).roles, ["Power User"])
  assert.deepEqual((await f({ ...record, administrator: true })).roles, ["Administrator"])
  const demoted = { ...record, roles: ["Administrator"], administrator: false, readOnly: true }
  assert.deepEqual((await f(demoted)).roles, ["Read Only"])
  assert.equal((await f({ active: false }))["active"], false)
  assert.equal((await login("changed@example.com", "a good password").get("/users")).status, 401)
})

test("a deleted user cannot log in any more; a 204 without a body", async () => {
  const { id } = await create({ email: "leaving@example.com" })
  const self = login("leaving@example.com", "a good password")
  assert.equal((await self.get("/users/current")).status, 200)
  const reply = await admin().delete(`/users/${id}`)
  assert.deepEqual([reply.status, reply.text], [204, ""])
  assert.equal((await self.get("/users/current")).status, 401)
  assert.equal((await admin().get(`/users/${id}`)).status, 404)
})

test("users change their own password with the old one, administrators any", async () => {
  const { id, email } = await create({ email: "secret@example.com", roles: ["Read Only"] })
  const self = login(email, "a good password")
  const path = (query: Record<string, string>) =>
    `/users/${id}/password?${new URLSearchParams(query)}`
  const f = async (query: Record<string, string>, want: RegExp) => {
    const reply = await self.post(path(query))
    assert.equal(reply.status, 400)
    assert.match(errorOf(reply).errors[0]!, want)
    assert.ok(!Object.values(query).some((value) => reply.text.includes(value)))
  }

  await f({ newPassword: "my new password" }, /oldPassword/)
  await f({ oldPassword: "a wrong password", newPassword: "my new password" }, /oldPassword/)
  await f({ oldPassword: "a good password" }, /newPassword/)
  await f({ oldPassword: "a good password", newPassword: "tooshrt" }, /password.*12 to 1024/)
  const changed = { oldPassword: "a good password", newPassword: "my new password" }
  assert.equal(userOf(await self.post(path(changed))).id, id)
  assert.equal((await self.get("/users/current")).status, 401)
  assert.equal((await login(email, "my new password").get("/users/current")).status, 200)
  userOf(await admin().post(path({ newPassword: "what the admin says" })))
  assert.equal((await login(email, "what the admin says").get("/users/current")).status, 200)
})

test("passwords are accepted in a JSON body too, which proxies do not log", async () => {
  const { id, email } = await create({ email: "body@example.com", roles: ["Read Only"] })
  const self = login(email, "a good password")
  const path = `/users/${id}/password`
  const wrong = { oldPassword: "a wrong password", newPassword: "my new password" }
  assert.equal((await self.post(path, wrong)).status, 400)
  assert.equal((await self.post(path, { newPassword: 12 })).status, 400)
  assert.equal((await self.post(path, {})).status, 400)

  userOf(await self.post(path, { ...wrong, oldPassword: "a good password" }))
  assert.equal((await login(email, "my new password").get("/users/current")).status, 200)
  const common = await admin().post(path, { newPassword: "Password12345!" })
  assert.equal(common.status, 400)
  assert.match(errorOf(common).errors[0]!, /commonest/)
  assert.doesNotMatch(common.text, /Password12345/)
})

test("other users see only their own record and manage none", async () => {
  const other = await newUser(client(), "power", "Power User")
  const { id } = userOf(await other.get("/users/current"))
  assert.equal(userOf(await other.get(`/users/${id}`)).id, id)
  assert.equal((await other.get(`/users/${id}/featureusage`)).status, 200)
  for (const reply of [
    await other.get("/users"),
    await other.get("/users/1"),
    await other.get("/users/1/featureusage"),
    await other.post("/users/1/password?newPassword=something+else"),
    await other.post("/users", { user: { email: "x@y.org", password: "a good password" } }),
    await other.put(`/users/${id}`, { user: { roles: ["Administrator"] } }),
    await other.delete(`/users/${id}`),
  ]) {
    assert.equal(reply.status, 403, reply.text)
    errorOf(reply)
  }
  assert.deepEqual(userOf(await other.get("/users/current")).roles, ["Power User"])
})

test("a feature counts as used once the user has created something with it", async () => {
  const self = await newUser(client(), "new", "Power User")
  const { id } = userOf(await self.get("/users/current"))
  const usage = async () =>
    (await self.get(`/users/${id}/featureusage`)).json<{
      featureUsage: { id: number; featuresUsed: object; configuredPercentage: number }
    }>().featureUsage
  const none = {
    createdPolicy: false,
    createdDatasource: false,
    createdDashboard: false,
    createdNotification: false,
  }
  assert.deepEqual(await usage(), { id, featuresUsed: none, configuredPercentage: 0 })
  assert.equal((await self.post("/dashboards", { dashboard: {} })).status, 400)
  assert.deepEqual((await usage()).configuredPercentage, 0)
  const made = await self.post("/dashboards", { dashboard: { name: "Mine" } })
  assert.equal(made.status, 200, made.text)
  const used = { ...none, createdDashboard: true }
  assert.deepEqual(await usage(), { id, featuresUsed: used, configuredPercentage: 25 })
})

test("a user that cannot be read is a 400 that names the field; nothing is stored", async () => {
  const before = (await admin().get("/users")).text
  const f = async (body: unknown, want: RegExp) => {
    const reply = await admin().post("/users", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join(), want)
  }

  await f({}, /user\.email/)
  await f([], /user/)
  await f("no JSON", /Could not read JSON/)
  await f({ user: { email: "a@b.org" } }, /user\.password/)
  await f({ user: { email: "nobody", password: "a good password" } }, /email.*"nobody"/)
  await f({ user: { email: "a b@c.org", password: "a good password" } }, /email/)
  await f({ user: { email: client().user, password: "a good password" } }, /email.*no user has/)
  await f({ user: { email: "a@b.org", password: "short" } }, /password.*12 to 1024.*5/)
  const whole = { email: "a@b.org", password: "a good password" }
  await f(
    { user: { ...whole, roles: ["King"] } },
    /roles.*Administrator, Power User, Read Only.*King/,
  )
  await f({ user: { ...whole, active: "perhaps" } }, /active.*true or false.*perhaps/)
  await f({ user: { ...whole, properties: [1] } }, /properties/)
  await f({ user: { ...whole, properties: { a: "x".repeat(70_000) } } }, /properties.*65536 bytes/)
  assert.equal((await admin().get("/users")).text, before)
})

test("the last administrator cannot take the right from itself", async () => {
  const { users } = (await admin().get("/users")).json<{ users: UserAnswer[] }>()
  for (const { id, roles } of users) {
    if (id !== 1 && roles.includes("Administrator")) await admin().delete(`/users/${id}`)
  }
  for (const reply of [
    await admin().delete("/users/1"),
    await admin().put("/users/1", { user: { roles: ["Read Only"] } }),
    await admin().put("/users/1", { user: { active: false } }),
  ]) {
    assert.match(errorOf(reply).errors[0]!, /another active administrator/)
    assert.equal(reply.status, 400)
  }
  assert.equal((await login(client().user, adminPassword).get("/users")).status, 200)
})
