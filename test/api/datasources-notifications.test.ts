/**
 * Datasources and notifications (spec/records §3, spec/policies §7): their records, keys and
 * secrets.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { errorOf } from "../support/server/responses.ts"
import { callerOf, newUser, type TestCaller } from "../support/server/caller.ts"
import { useAccount } from "../support/server/server.ts"

interface DatasourceRecord {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly deleted: boolean
  readonly apiId: string | null
  readonly collectors: readonly unknown[]
}
interface NotificationRecord {
  readonly id: number
  readonly tenantId: string
  readonly enabled: boolean
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
}

let admin: TestCaller
let readOnly: TestCaller
const client = useAccount({
  prepare: async (client) => {
    admin = callerOf(client)
    readOnly = await newUser(client, "reader", "Read Only")
  },
})

const hidden = "******"

async function madeDatasource(dataSource: object): Promise<DatasourceRecord> {
  const reply = await admin.post("/datasources", { dataSource })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ dataSource: DatasourceRecord }>().dataSource
}

async function changedDatasource(id: number, dataSource: object): Promise<DatasourceRecord> {
  const reply = await admin.put(`/datasources/${id}`, { dataSource })
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ dataSource: DatasourceRecord }>().dataSource
}

async function listedDatasources(): Promise<DatasourceRecord[]> {
  const reply = await admin.get("/datasources?includeElements=true")
  assert.equal(reply.status, 200, reply.text)
  return reply.json<{ dataSources: DatasourceRecord[] }>().dataSources
}

const ingestStatus = async (key: string) =>
  (await client().send(`/ingest/${key}`, { method: "POST", body: "[]" })).status

test("the Custom integration is there from the start and cannot be removed", async () => {
  const [custom] = await listedDatasources()
  const { name, type, enabled, deleted, apiId, collectors } = custom!
  assert.deepEqual([name, type, enabled, deleted], ["Custom", "CUSTOM", true, false])
  assert.deepEqual([apiId, collectors], [hidden, []])
  const got = await admin.get(`/datasources/${custom!.id}`)
  assert.deepEqual(got.json(), { dataSource: custom })
  assert.equal((await admin.delete(`/datasources/${custom!.id}`)).status, 403)
  assert.equal((await listedDatasources())[0]!.id, custom!.id)
})

test("a datasource of a cloud gets defaults and no key; values come back as texts", async () => {
  const made = await madeDatasource({
    name: "Metricly AWS",
    type: "aws",
    properties: { ec2Enabled: true, threadPoolSize: 4, secretKey: "very secret" },
  })
  assert.deepEqual([made.type, made.apiId, made.enabled], ["AWS", null, true])
  const { ec2Enabled, threadPoolSize, secretKey, collectionPeriod, regions } = made.properties
  assert.deepEqual([ec2Enabled, threadPoolSize, collectionPeriod], ["true", "4", "5"])
  assert.equal(secretKey, hidden)
  assert.match(regions!, /us-east-1/)
})

test("a change merges properties; a hidden secret sent back stays", async () => {
  const properties = { a: "1", b: "2", secretKey: "very secret" }
  const { id } = await madeDatasource({ name: "Before", type: "AZURE", properties })
  const sent = { a: 3, b: null, secretKey: hidden }
  const now = await changedDatasource(id, { id, name: "After", type: "AZURE", properties: sent })
  assert.equal(now.name, "After")
  assert.deepEqual(now.properties, { a: "3", secretKey: hidden })
  const got = await admin.get(`/datasources/${id}`)
  assert.deepEqual(got.json(), { dataSource: now })
  assert.ok(!got.text.includes("very secret"))
})

test("secrets have many names, and stay with their address (A7, A8)", async () => {
  const secrets = { pwd: "hush-1", "private-key": "hush-2", auth: "hush-3" }
  const properties = {
    ...secrets,
    url: "https://u:hush-4@a.example/x",
    database: "pg://u:hush-5@d",
  }
  const made = await madeDatasource({ name: "Many", type: "AZURE", properties })
  const { url, database, ...rest } = made.properties
  assert.deepEqual([url, database], [`https://${hidden}@a.example/x`, `pg://${hidden}@d`])
  assert.deepEqual(rest, { pwd: hidden, "private-key": hidden, auth: hidden })
  const path = `/datasources/${made.id}`
  assert.deepEqual(await changedDatasource(made.id, { properties: made.properties }), made)
  for (const asked of ["/datasources", path]) {
    assert.doesNotMatch((await readOnly.get(asked)).text, /hush|a\.example/)
  }
  const moved = { dataSource: { properties: { url: "https://b.example/x" } } }
  const refused = errorOf(await admin.put(path, moved)).errors
  assert.match(refused.join(), /dataSource\.properties\.pwd: expected the secret itself/)
  assert.match(refused.join(), /url leads to "https:\/\/b\.example" and no longer to/)
})

test("an agent's datasource has its own key, shown once and refused while disabled", async () => {
  const made = await madeDatasource({ name: "Lab", type: "INFRASTRUCTURE" })
  const key = made.apiId!
  assert.match(key, /^[0-9a-f]{32}$/)
  assert.equal((await listedDatasources()).find(({ id }) => id === made.id)!.apiId, hidden)
  assert.equal(await ingestStatus(key), 202)

  assert.equal((await changedDatasource(made.id, { enabled: false })).enabled, false)
  assert.equal(await ingestStatus(key), 403)
  assert.equal(await ingestStatus(client().apiKey), 202)
  await changedDatasource(made.id, { enabled: true })
  assert.equal(await ingestStatus(key), 202)

  const removed = await admin.delete(`/datasources/${made.id}`)
  assert.deepEqual([removed.status, removed.text], [204, ""])
  assert.equal(await ingestStatus(key), 403)
  assert.equal((await admin.get(`/datasources/${made.id}`)).status, 404)
})

test("the Custom integration can be renamed and disabled", async () => {
  const { id } = (await listedDatasources())[0]!
  await changedDatasource(id, { name: "Ours", enabled: false })
  assert.equal(await ingestStatus(client().apiKey), 403)
  await changedDatasource(id, { name: "Custom", enabled: true })
  assert.equal(await ingestStatus(client().apiKey), 202)
  assert.equal((await listedDatasources()).filter((one) => one.id === id).length, 1)
})

test("an array creates all or none, and ids are never given twice", async () => {
  const wrap = (name: string, type = "STATSD") => ({ dataSource: { name, type } })
  const reply = await admin.post("/datasources", [wrap("one"), wrap("two")])
  assert.equal(reply.status, 200)
  const made = reply.json<{ dataSource: DatasourceRecord }[]>().map((one) => one.dataSource)
  assert.deepEqual(
    made.map(({ name }) => name),
    ["one", "two"],
  )
  assert.notEqual(made[0]!.apiId, made[1]!.apiId)
  assert.equal((await admin.delete(`/datasources/${made[1]!.id}`)).status, 204)
  assert.ok((await madeDatasource({ name: "three", type: "JAVA" })).id > made[1]!.id)

  const before = await listedDatasources()
  const refused = await admin.post("/datasources", [wrap("four"), { dataSource: { name: "x" } }])
  assert.equal(refused.status, 400)
  assert.match(errorOf(refused).errors.join(), /\[1\]\.dataSource\.type/)
  assert.deepEqual(await listedDatasources(), before)
})

test("invalid datasources are refused with the field", async () => {
  const f = async (body: unknown, problem: RegExp) => {
    const reply = await admin.post("/datasources", body)
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join(), problem)
  }

  await f(undefined, /body: expected an object/)
  await f([], /body: expected at least one datasource/)
  await f({ dataSource: { name: "x" } }, /dataSource\.type/)
  await f({ dataSource: { type: "AWS", enabled: "maybe" } }, /dataSource\.enabled: expected true/)
  const secret = { type: "AWS", properties: { secretKey: hidden } }
  await f({ dataSource: secret }, /dataSource\.properties\.secretKey: expected the secret itself/)
  assert.equal((await admin.get("/datasources/x")).status, 400)
  assert.equal((await admin.get("/datasources/987654")).status, 404)
  assert.equal((await admin.get("/datasources?includeElements=perhaps")).status, 400)
  const { id } = await madeDatasource({ type: "AWS" })
  const other = await admin.put(`/datasources/${id}`, { dataSource: { type: "AZURE" } })
  assert.match(errorOf(other).errors.join(), /dataSource\.type: expected AWS/)
})

const email = {
  type: "email",
  properties: { name: "my test email", address: "a@example.com", payloadType: "default" },
}

test("a notification is created, listed, changed and removed", async () => {
  const posted = await admin.post("/notifications/", { notification: email })
  assert.equal(posted.status, 200)
  const made = posted.json<{ notification: NotificationRecord }>().notification
  assert.match(made.tenantId, /^[0-9a-f]{8}-/)
  assert.ok(Number.isInteger(made.id))
  assert.deepEqual([made.enabled, made.type, made.properties], [true, "email", email.properties])

  const path = `/notifications/${made.id}`
  assert.deepEqual((await admin.get(path)).json(), { notification: made })
  const change = { enabled: false, properties: { subjectTemplate: "${policyName}" } }
  const put = await admin.put(path, { notification: { ...made, ...change } })
  assert.equal(put.status, 200)
  const now = put.json<{ notification: NotificationRecord }>().notification
  assert.equal(now.enabled, false)
  assert.deepEqual(now.properties, { ...email.properties, subjectTemplate: "${policyName}" })
  const listed = await readOnly.get("/notifications")
  assert.deepEqual(listed.json(), { notifications: [now] })

  assert.equal((await admin.delete(path)).status, 204)
  assert.equal((await admin.get(path)).status, 404)
  assert.deepEqual((await admin.get("/notifications")).json(), { notifications: [] })
  const next = await admin.post("/notifications", { notification: email })
  assert.ok(next.json<{ notification: NotificationRecord }>().notification.id > made.id)
})

test("secrets of a notification are hidden, and kept when the asterisks come back", async () => {
  const properties = { name: "duty", serviceKey: "key to the pager" }
  const notification = { type: "PagerDuty", properties }
  const reply = await admin.post("/notifications", { notification })
  const made = reply.json<{ notification: NotificationRecord }>().notification
  assert.deepEqual([made.type, made.properties["serviceKey"]], ["pagerduty", hidden])
  const put = await admin.put(`/notifications/${made.id}`, { notification: made })
  assert.deepEqual([put.status, put.json()], [200, { notification: made }])
  const gone = { properties: { serviceKey: null } }
  const refused = await admin.put(`/notifications/${made.id}`, { notification: gone })
  assert.match(errorOf(refused).errors.join(), /properties\.serviceKey: expected a text/)
})

test("notifications without a recipient are refused with the field", async () => {
  const f = async (notification: unknown, problem: RegExp) => {
    const reply = await admin.post("/notifications", { notification })
    assert.equal(reply.status, 400, reply.text)
    assert.match(errorOf(reply).errors.join(), problem)
  }

  await f(undefined, /notification: expected a value, got undefined/)
  await f({ ...email, type: "pigeon" }, /notification\.type: expected one of email, webhook,/)
  await f({ type: "email" }, /notification\.properties/)
  await f({ type: "email", properties: { name: "x" } }, /properties\.address/)
  await f({ type: "email", properties: { address: "a@b" } }, /properties\.name/)
  const web = (url: string) => ({ type: "webhook", properties: { name: "x", url } })
  await f(web("ftp://example.com"), /properties\.url: expected an http or https URL/)
  const odd = { ...email.properties, payloadType: "odd" }
  await f({ type: "email", properties: odd }, /payloadType: expected one of default, custom/)
  assert.equal((await admin.get("/notifications/x")).status, 400)
  assert.equal((await admin.get("/notifications/987654")).status, 404)
})
