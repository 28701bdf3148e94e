/** Login sessions of browsers: sign in, cookie, CSRF, ends (spec/accounts §6). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { callerOf } from "../support/server/caller.ts"
import { errorOf } from "../support/server/responses.ts"
import type { Reply, Send } from "../support/server/client.ts"
import { adminEmail, adminPassword, useServer } from "../support/server/server.ts"

const client = useServer()

const pageHeaders = { "x-tidegauge-request": "1", "content-type": "application/json" }

function post(path: string, body: unknown, headers: Send["headers"] = {}): Promise<Reply> {
  return client().send(path, { method: "POST", body, headers: { ...pageHeaders, ...headers } })
}

function cookieOf({ headers }: Reply): string {
  const [cookie] = headers["set-cookie"] ?? []
  assert.ok(cookie !== undefined, "Expected a cookie")
  return cookie
}

interface MadeUser {
  readonly id: number
  readonly email: string
  readonly password: string
}

let usersMade = 0

async function newUser(role: string): Promise<MadeUser> {
  const [email, password] = [`user${++usersMade}@example.com`, "a good password"]
  const body = { user: { email, password, roles: [role] } }
  const made = await callerOf(client()).post("/users", body)
  assert.equal(made.status, 200, made.text)
  return { email, password, id: made.json<{ user: { id: number } }>().user.id }
}

async function signIn(email = adminEmail, password = adminPassword, remember = false) {
  const reply = await post("/sessions", { email, password, remember })
  assert.equal(reply.status, 201, reply.text)
  return { reply, cookie: cookieOf(reply).split(";")[0]! }
}

const withCookie = (cookie: string, path: string, send: Send = {}): Promise<Reply> =>
  client().send(path, { ...send, headers: { ...pageHeaders, cookie, ...send.headers } })

test("a sign-in sets a cookie that scripts and other sites do not get", async () => {
  const { reply, cookie } = await signIn()
  assert.match(cookieOf(reply), /^tg_[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  const { user, session } = reply.json<{
    user: { email: string; lastSignIn: number }
    session: { isCurrent: boolean; created: number; expires: number }
  }>()
  assert.equal(user.email, adminEmail)
  assert.equal(user.lastSignIn > 0, true)
  assert.equal(session.isCurrent, true)
  assert.equal(session.expires - session.created, 86_400_000)
  const current = await withCookie(cookie, "/users/current")
  assert.equal(current.status, 200)
})

test("behind a proxy of this machine a session has the address of the client", async () => {
  const body = { email: adminEmail, password: adminPassword }
  const reply = await post("/sessions", body, { "x-forwarded-for": "1.2.3.4, 203.0.113.7" })
  assert.equal(reply.json<{ session: { address: string } }>().session.address, "203.0.113.7")
})

test("a user who stays signed in gets a cookie that outlives the browser", async () => {
  const { reply } = await signIn(adminEmail, adminPassword, true)
  const maxAge = Number(/Max-Age=(\d+)/.exec(cookieOf(reply))?.[1])
  assert.equal(maxAge, 30 * 86_400)
})

test("a wrong password and an unknown e-mail get one answer, without a challenge", async () => {
  const wrong = await post("/sessions", { email: adminEmail, password: "not the password" })
  const unknown = await post("/sessions", { email: "x@example.com", password: "not the password" })
  for (const reply of [wrong, unknown]) {
    assert.equal(reply.status, 401)
    assert.equal(reply.headers["www-authenticate"], undefined)
  }
  assert.deepEqual(errorOf(wrong).errors, errorOf(unknown).errors)
})

test("an ended or invented cookie is 401 without a challenge; Basic credentials win", async () => {
  const { cookie } = await signIn()
  const invented = `${cookie.split("=")[0]}=${"A".repeat(43)}`
  const refused = await withCookie(invented, "/users/current")
  assert.equal(refused.status, 401)
  assert.equal(refused.headers["www-authenticate"], undefined)
  const { authorization } = client()
  const basic = await withCookie(invented, "/users/current", { headers: { authorization } })
  assert.equal(basic.status, 200)
  const challenged = await client().send("/users/current")
  assert.match(challenged.headers["www-authenticate"] ?? "", /^Basic /)
})

test("a cookie changes nothing without the header of our pages or from another site", async () => {
  const { cookie } = await signIn()
  const put = (headers: Send["headers"]) =>
    client().send("/users/current/properties", {
      method: "PUT",
      body: { properties: { theme: "dark" } },
      headers: { "content-type": "application/json", cookie, ...headers },
    })
  const own = { "x-tidegauge-request": "1" }
  const cases: readonly [Send["headers"], number][] = [
    [{}, 403],
    [own, 200],
    [{ ...own, "sec-fetch-site": "cross-site" }, 403],
    [{ ...own, "sec-fetch-site": "same-site" }, 403],
    [{ ...own, "sec-fetch-site": "same-origin", origin: client().url }, 200],
    [{ ...own, origin: "https://evil.example" }, 403],
  ]
  for (const [headers, status] of cases) {
    assert.equal((await put(headers)).status, status, JSON.stringify(headers))
  }
  const noHeader = await client().send("/sessions", {
    method: "POST",
    body: { email: adminEmail, password: adminPassword },
    headers: { "content-type": "application/json" },
  })
  assert.equal(noHeader.status, 403)
})

test("the current session is returned without an error, also without a session", async () => {
  const nobody = await client().send("/sessions/current")
  assert.equal(nobody.status, 200)
  assert.equal(nobody.json<{ user: unknown }>().user, null)
  const { cookie } = await signIn()
  const signedIn = await withCookie(cookie, "/sessions/current")
  assert.equal(signedIn.json<{ user: { email: string } }>().user.email, adminEmail)
})

test("a user ends one session, all others, and the current one", async () => {
  const { email, password } = await newUser("Read Only")
  const [first, second, third] = [
    await signIn(email, password),
    await signIn(email, password),
    await signIn(email, password),
  ]
  interface Listed {
    readonly sessions: readonly { readonly id: string; readonly isCurrent: boolean }[]
  }
  const list = async (cookie: string) =>
    (await withCookie(cookie, "/sessions")).json<Listed>().sessions
  const listed = await list(third.cookie)
  assert.deepEqual(
    listed.map(({ isCurrent }) => isCurrent),
    [true, false, false],
  )
  const remove = (cookie: string, path: string) => withCookie(cookie, path, { method: "DELETE" })
  assert.equal((await remove(third.cookie, `/sessions/${listed[2]!.id}`)).status, 204)
  assert.equal((await withCookie(first.cookie, "/users/current")).status, 401)
  assert.equal((await remove(third.cookie, "/sessions")).status, 204)
  assert.equal((await withCookie(second.cookie, "/users/current")).status, 401)
  const { cookie: adminCookie } = await signIn()
  const own = (await list(third.cookie))[0]!.id
  assert.equal((await remove(adminCookie, `/sessions/${own}`)).status, 404)
  const ended = await remove(third.cookie, "/sessions/current")
  assert.match(cookieOf(ended), /Max-Age=0/)
  assert.equal((await withCookie(third.cookie, "/users/current")).status, 401)
})

test("a changed password ends all sessions but the one that changed it", async () => {
  const { email, password, id } = await newUser("Power User")
  const kept = await signIn(email, password)
  const other = await signIn(email, password)
  const change = { oldPassword: password, newPassword: "another good password" }
  const changed = await withCookie(kept.cookie, `/users/${id}/password`, {
    method: "POST",
    body: change,
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await withCookie(kept.cookie, "/users/current")).status, 200)
  assert.equal((await withCookie(other.cookie, "/users/current")).status, 401)
})

test("a changed role and a disabled user end their sessions immediately", async () => {
  for (const change of [{ roles: ["Read Only"] }, { active: false }]) {
    const { email, password, id } = await newUser("Power User")
    const { cookie } = await signIn(email, password)
    const changed = await callerOf(client()).put(`/users/${id}`, { user: change })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await withCookie(cookie, "/users/current")).status, 401)
  }
})

test("a link signs in once; a user may not make one", async () => {
  const { email, password, id } = await newUser("Read Only")
  const made = await callerOf(client()).post(`/users/${id}/link`, {})
  assert.equal(made.status, 201, made.text)
  const { link } = made.json<{ link: string }>()
  const first = await post("/sessions", { link })
  assert.equal(first.json<{ user: { email: string } }>().user.email, email)
  assert.equal((await post("/sessions", { link })).status, 401)
  const { cookie } = await signIn(email, password)
  const refused = await withCookie(cookie, `/users/${id}/link`, { method: "POST", body: {} })
  assert.equal(refused.status, 403)
})

test("properties of oneself are merged", async () => {
  const { email, password } = await newUser("Read Only")
  const { cookie } = await signIn(email, password)
  const put = async (properties: unknown) => {
    const path = "/users/current/properties"
    const reply = await withCookie(cookie, path, { method: "PUT", body: { properties } })
    assert.equal(reply.status, 200, reply.text)
    return reply.json<{ user: { properties: Record<string, string> } }>().user.properties
  }
  assert.deepEqual(await put({ theme: "dark", zone: "UTC" }), { theme: "dark", zone: "UTC" })
  assert.deepEqual(await put({ theme: "light" }), { theme: "light", zone: "UTC" })
})
