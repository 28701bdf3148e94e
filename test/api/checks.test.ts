/** Checks: posted with a key, recorded with the time at which they expire (spec/events §4). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"
import { eventually } from "../support/time/eventually.ts"

const client = useAccount()
const foreign = useAccount()
const key = () => client().apiKey

interface CheckAnswer {
  readonly id: string
  readonly name: string
  readonly elementFqn: string
  readonly ttl: number
  readonly lastPosted: string
  readonly expires: string
  readonly expired: boolean
}

function post(path: string) {
  return client().send(path, { method: "POST" })
}

async function checks(name: string): Promise<CheckAnswer[]> {
  const reply = await client().get("/checks")
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ checks: CheckAnswer[] }>().checks.filter((one) => one.name === name)
}

test("a posted check is a 202 without a body, and expires ttl seconds later", async () => {
  const reply = await post(`/check/${key()}/heartbeat/web-1/150`)
  assert.equal(reply.status, 202)
  assert.equal(reply.text, "")
  const [check] = await checks("heartbeat")
  assert.equal(check!.elementFqn, "web-1")
  assert.equal(check!.ttl, 150)
  assert.equal(check!.expired, false)
  assert.equal(Date.parse(check!.expires) - Date.parse(check!.lastPosted), 150_000)
})

test("the checks of one element are listed alone, and never another account's", async () => {
  await post(`/check/${key()}/of-one/web-7/60`)
  await post(`/check/${key()}/of-other/web-8/60`)
  const namesOf = async (caller: typeof client, elementFqn: string) => {
    const reply = await caller().get(`/checks?elementFqn=${elementFqn}`)
    return reply.json<{ checks: CheckAnswer[] }>().checks.map(({ name }) => name)
  }
  assert.deepEqual(await namesOf(client, "web-7"), ["of-one"])
  assert.deepEqual(await namesOf(client, "web-9"), [])
  assert.deepEqual(await namesOf(foreign, "web-7"), [])
})

test("posting a check again rearms the same check", async () => {
  await post(`/check/${key()}/again/web-1/0.001`)
  await eventually(async () => (await checks("again"))[0]!.expired)
  const [lapsed] = await checks("again")
  await post(`/check/${key()}/again/web-1/60`)
  const [armed, ...others] = await checks("again")
  assert.equal(others.length, 0)
  assert.equal(armed!.id, lapsed!.id)
  assert.equal(armed!.expired, false)
  assert.ok(armed!.expires > lapsed!.expires)
})

test("names are decoded, elements cleaned, kinds and slashes ignored", async () => {
  const path = `/check/kubernetes/${key()}/port%20check.80%2Ftcp/Web%20Server%2F1/60/`
  assert.equal((await post(path)).status, 202)
  const [check] = await checks("port check.80/tcp")
  assert.equal(check!.elementFqn, "Web_Server1")
})

test("an invalid check is a 400 that names the problem", async () => {
  const f = async (path: string, want: RegExp) => {
    const error = errorOf(await post(path))
    assert.equal(error.status, 400)
    assert.match(error.errors.join("\n"), want)
  }
  await f(`/check/${key()}/bad/web-1/soon`, /ttl: expected seconds, above 0/)
  await f(`/check/${key()}/bad/web-1/0`, /ttl/)
  await f(`/check/${key()}/bad/web-1/99999999`, /ttl/)
  await f(`/check/${key()}/bad/%2F/60`, /fqn: expected 1 to 512/)
  await f(`/check/${key()}/${"x".repeat(257)}/web-1/60`, /name: expected 1 to 256/)
  assert.deepEqual(await checks("bad"), [])
})

test("checks posted concurrently are all stored", async () => {
  const posts = Array.from({ length: 50 }, (_, i) => post(`/check/${key()}/many/e${i}/60`))
  for (const reply of await Promise.all(posts)) assert.equal(reply.status, 202)
  assert.equal((await checks("many")).length, 50)
})

test("checks are listed in pages on request", async () => {
  for (const name of ["page-a", "page-b", "page-c"]) await post(`/check/${key()}/${name}/paged/150`)
  const all = (await client().get("/checks")).json<{ checks: CheckAnswer[] }>().checks
  const page = async (number: number) => {
    const reply = await client().get("/checks", { page: String(number), size: "2" })
    return reply.json<{ checks: CheckAnswer[] }>().checks.map(({ id }) => id)
  }
  const pages = [...(await page(0)), ...(await page(1)), ...(await page(2))]
  assert.deepEqual(
    pages,
    all.slice(0, 6).map(({ id }) => id),
  )
  for (const query of [{ size: "0" }, { size: "10001" }, { page: "-1" }]) {
    const reply = await client().get("/checks", query)
    assert.equal(reply.status, 400)
    assert.match(errorOf(reply).errors[0]!, /expected a whole number from/)
  }
})
