/** Notifications over HTTP: saved templates, tests against a real receiver, secrets. */

import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser } from "../support/server/caller.ts"
import { listen, type Listener } from "../outbound/listener.ts"
import { useServer } from "../support/server/server.ts"

const client = useServer({ flags: ["--allow-private-addresses", "127.0.0.1"] })
let receiver: Listener

before(async () => {
  receiver = await listen()
})
after(() => receiver.close())

const hook = (more: Record<string, string> = {}, name = "hook") => ({
  notification: {
    type: "webhook",
    properties: { name, url: `http://127.0.0.1:${receiver.port}/hook`, ...more },
  },
})

test("a draft and a stored notification are tried against their receiver", async () => {
  const success = { success: true, content: "Successfully processed message" }
  const draft = await client().post("/notifications/test", hook({ basicUsername: "u" }, "draft"))
  assert.equal(draft.status, 200, draft.text)
  assert.deepEqual(draft.json(), success)
  const secret = { basicUsername: "u", basicPassword: "hush" }
  const made = await client().post("/notifications", hook(secret))
  const { id } = made.json<{ notification: { id: number } }>().notification
  assert.doesNotMatch(made.text, /hush/)
  const tried = await client().post(`/notifications/test/${id}`, undefined)
  assert.deepEqual(tried.json(), success)
  const last = receiver.received.at(-1)!
  assert.equal(last.headers.authorization, `Basic ${Buffer.from("u:hush").toString("base64")}`)
  const body = JSON.parse(last.body) as { payloadType: string; policyName: string }
  assert.equal(body.payloadType, "event")
  const listed = await client().get("/notifications")
  assert.equal(listed.json<{ notifications: unknown[] }>().notifications.length, 1)
})

test("a failure is an answer that gives the reason, a wrong notification a 400", async () => {
  const refused = hook({ url: "http://169.254.169.254/latest" }, "metadata")
  const reply = await client().post("/notifications/test", refused)
  assert.equal(reply.status, 200)
  const outcome = reply.json<{ success: boolean; content: string }>()
  assert.equal(outcome.success, false)
  assert.match(outcome.content, /http:\/\/169\.254\.169\.254: expected a public address/)
  const wrong = await client().post("/notifications/test", hook({ url: "nonsense" }))
  assert.equal(wrong.status, 400)
  assert.equal((await client().post("/notifications/test/999999", undefined)).status, 404)
})

test("a template with unsupported syntax is refused when it is saved", async () => {
  const postContentTemplate = "a\n<#macro x>${policyName}</#macro>"
  const reply = await client().post("/notifications", hook({ postContentTemplate }, "macro"))
  assert.equal(reply.status, 400)
  const [problem] = errorOf(reply).errors
  assert.match(
    problem!,
    /notification\.properties\.postContentTemplate: line 2, column 1: expected .*<#macro x>/,
  )
  const good = await client().post("/notifications", hook({}, "good"))
  const { id } = good.json<{ notification: { id: number } }>().notification
  const properties = { postContentTemplate: "${policyName?eval}" }
  const headers = { authorization: client().authorization, "content-type": "application/json" }
  const body = { notification: { properties } }
  const changed = await client().send(`/notifications/${id}`, { method: "PUT", headers, body })
  assert.equal(changed.status, 400, changed.text)
})

test("delivery counts are among the server's metrics", async () => {
  const page = await client().get("/metrics/internal")
  assert.match(page.text, /tidegauge_notifications_total\{outcome="delivered"\} 0\n/)
})

interface Answered {
  readonly notification: { id: number; type: string; properties: Record<string, string> }
}

test("a stored password is not sent to another address, by a test or an event (A7)", async () => {
  const admin = callerOf(client())
  const power = await newUser(client(), "power", "Power User")
  const secret = { basicUsername: "u", basicPassword: "hush" }
  const made = await admin.post("/notifications", hook(secret, "guarded"))
  const { id } = made.json<Answered>().notification
  const change = (more: object) => power.put(`/notifications/${id}`, { notification: more })
  const elsewhere = { url: `http://localhost:${receiver.port}/theirs` }
  const refused = await change({ properties: elsewhere })
  assert.equal(refused.status, 400, refused.text)
  const [problem] = errorOf(refused).errors
  assert.match(problem!, /^notification\.properties\.basicPassword: expected the secret itself/)
  assert.match(problem!, /url leads to "http:\/\/localhost:\d+"/)
  assert.equal(
    (await change({ properties: { ...elsewhere, basicPassword: "******" } })).status,
    400,
  )
  const typed = await change({ type: "slack" })
  assert.match(errorOf(typed).errors[0]!, /the type changes from webhook to slack/)

  await power.post(`/notifications/test/${id}`)
  assert.equal(receiver.received.at(-1)!.path, "/hook")
  const anew = await change({ properties: { ...elsewhere, basicPassword: "their own" } })
  assert.equal(anew.status, 200, anew.text)
})

test("tokens in addresses and headers are hidden, addresses shown to writers (A8)", async () => {
  const [admin, reader] = [callerOf(client()), await newUser(client(), "reader", "Read Only")]
  const url = `http://127.0.0.1:${receiver.port}/hook?token=hush-url`
  const headers = "Authorization: Bearer hush-bearer"
  const made = await admin.post("/notifications", hook({ url, headers }, "token"))
  const { id, properties } = made.json<Answered>().notification
  const shown = { name: "token", url: url.replace("hush-url", "******"), headers: "******" }
  assert.deepEqual(properties, shown)
  for (const path of ["/notifications", `/notifications/${id}`]) {
    const [mine, theirs] = [await admin.get(path), await reader.get(path)]
    assert.doesNotMatch(mine.text + theirs.text, /hush/)
    assert.doesNotMatch(theirs.text, /127\.0\.0\.1/)
  }
  // A client that sends all of it back has changed nothing.
  const back = { notification: { enabled: true, properties: shown } }
  assert.deepEqual((await admin.put(`/notifications/${id}`, back)).json(), made.json())
  await admin.post(`/notifications/test/${id}`)
  const last = receiver.received.at(-1)!
  assert.equal(last.path, "/hook?token=hush-url")
  assert.equal(last.headers.authorization, "Bearer hush-bearer")
})
