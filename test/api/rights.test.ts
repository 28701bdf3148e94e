/** Who may do what, over the whole route table: 401, 403 and 405 (spec/accounts §1). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf } from "../support/server/caller.ts"
import type { Client } from "../support/server/client.ts"
import { useAccount } from "../support/server/server.ts"
import { describedRoutes } from "../../src/http/api/routes/route-table.ts"
import { methods, type DescribedRoute } from "../../src/http/shared/route.ts"

const client = useAccount({ prepare })

const readOnly = `Basic ${Buffer.from("reader@example.com:reading only").toString("base64")}`
const power = `Basic ${Buffer.from("power@example.com:reading and more").toString("base64")}`

async function prepare(ready: Client): Promise<void> {
  const administrator = callerOf(ready)
  const make = async (user: object) => {
    const made = await administrator.post("/users", { user })
    assert.equal(made.status, 200, made.text)
  }
  const [reader, writer] = ["reader@example.com", "power@example.com"]
  await make({ email: reader, password: "reading only", roles: ["Read Only"] })
  await make({ email: writer, password: "reading and more", roles: ["Power User"] })
}

/** Any values will do: who may not call learns nothing of them. */
const anyPath = ({ path }: DescribedRoute) => path.replace(/:\w+/g, "1")

const operations = describedRoutes.flatMap((route) =>
  methods.flatMap((method) => {
    const operation = route.operations[method]
    return operation === undefined ? [] : [{ route, method, access: operation.access }]
  }),
)

async function statusOf(path: string, method: string, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  const reply = await client().send(path, { method, headers })
  if (reply.status >= 400) errorOf(reply)
  if (reply.status === 401) assert.match(reply.headers["www-authenticate"]!, /^Basic /)
  return reply.status
}

test("without credentials every operation of a user is a 401, and of a key a 403", async () => {
  for (const { route, method, access } of operations) {
    if (access === "anyone" || access === "local") continue
    const status = await statusOf(anyPath(route), method)
    assert.equal(status, access === "key" ? 403 : 401, `${method} ${route.path}`)
  }
})

test("a Read Only user is refused wherever something changes", async () => {
  for (const { route, method, access } of operations) {
    if (access !== "writer" && access !== "administrator") continue
    assert.equal(await statusOf(anyPath(route), method, readOnly), 403, `${method} ${route.path}`)
  }
})

test("a Power User is refused where only administrators may, and nowhere else", async () => {
  for (const { route, method, access } of operations) {
    if (access === "key") continue
    const headers = { authorization: power }
    const reply = await client().send(anyPath(route), { method, headers })
    const isRefused = reply.text.includes("The role Power User has no right to do this")
    assert.equal(isRefused, access === "administrator", `${method} ${route.path}: ${reply.text}`)
    if (isRefused) assert.equal(reply.status, 403)
  }
})

test("a method that a path does not have is a 405 that names those it has", async () => {
  for (const route of describedRoutes) {
    const own = methods.filter((method) => route.operations[method] !== undefined)
    const allow = own.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    for (const method of [...methods, "PATCH", "OPTIONS"]) {
      if (own.some((one) => one === method)) continue
      const where = `${method} ${route.path}`
      const reply = await client().send(anyPath(route), { method })
      assert.equal(reply.status, 405, `${where}: ${reply.text}`)
      assert.equal(reply.headers.allow, allow.join(", "), where)
      errorOf(reply)
    }
  }
})

test("a trailing slash is accepted on every path", async () => {
  for (const { route, method, access } of operations) {
    if (method !== "GET" || access === "key") continue
    const authorization = client().authorization
    const bare = await statusOf(anyPath(route), method, authorization)
    assert.equal(await statusOf(`${anyPath(route)}/`, method, authorization), bare, route.path)
  }
})
