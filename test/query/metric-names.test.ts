import assert from "node:assert/strict"
import { test } from "node:test"
import { elementUuid } from "../../src/model/fqn.ts"
import { FakeStore, ask, queryOf, requestOf, tenantUuids } from "./fake-store.ts"

const pair = (name: string, value: string) => [{ name, value }]

function sampleStore(): FakeStore {
  const store = new FakeStore()
  const web = store.element("web", { type: "SERVER", name: "Web, West", tags: pair("env", "prod") })
  store.metric(web, "cpu")
  store.metric(web, "http.hits", { patch: { tags: pair("team", "a") } })
  const db = store.element("db", { type: "RDS", attributes: pair("size", "4") })
  store.metric(db, "cpu")
  store.metric(db, "locks")
  store.element("empty", { type: "SERVER" })
  store.metric(store.element("web", {}, 1), "secret")
  store.catalogue.loadName({ tenant: 0, fqn: "never.seen" })
  return store
}

const everything = ["cpu", "http.hits", "locks"]

test("without parameters all names with a metric are listed, sorted, each once", async () => {
  assert.deepEqual(await ask(sampleStore(), requestOf("fqns")), { fqns: everything })
})

test("each condition adds the names of what it matches", async () => {
  const f = async (params: Record<string, string | string[]>, want: string[]) =>
    assert.deepEqual((await ask(sampleStore(), requestOf("fqns", params))).fqns, want)
  const [ofWeb, ofDb] = [
    ["cpu", "http.hits"],
    ["cpu", "locks"],
  ]
  const webId = elementUuid(tenantUuids[0]!, "web")

  await f({ elementId: webId }, ofWeb!)
  await f({ elementId: JSON.stringify([webId, "db"]) }, everything)
  await f({ elementId: "nothing" }, [])
  await f({ elementFqn: "db" }, ofDb!)
  await f({ elementFqn: ["db", "web"] }, everything)
  await f({ elementFqn: "db,web" }, everything)
  await f({ elementName: "Web, West" }, ofWeb!)
  await f({ elementName: "web, west" }, [])
  await f({ elementName: "db" }, ofDb!)
  await f({ elementType: "RDS" }, ofDb!)
  await f({ elementType: "rds" }, [])
  await f({ elementType: '["RDS","SERVER"]' }, everything)
  await f({ metricFqn: ["locks", "never.seen", "secret", "x"] }, ["locks"])
  await f({ elementTag: '{"env":["test","prod"]}' }, ofWeb!)
  await f({ elementTag: '{"env":["test"]}' }, [])
  await f({ elementAttribute: '{"size":["4"]}' }, ofDb!)
  await f({ elementAttribute: '[{"name":"size","value":4}]' }, ofDb!)
  await f({ metricTag: ['{"team":["b"]}', '{"team":["a"]}'] }, ["http.hits"])
  await f({ elementTag: "{}" }, everything)
})

test("conditions are joined by or, across everything", async () => {
  const f = async (params: Record<string, string>, want: string[]) =>
    assert.deepEqual((await ask(sampleStore(), requestOf("fqns", params))).fqns, want)
  await f({ elementType: "RDS", metricTag: '{"team":["a"]}' }, everything)
  await f({ elementTag: '{"env":["prod"],"nothing":["x"]}' }, ["cpu", "http.hits"])
  await f({ metricFqn: "locks", elementName: "nobody" }, ["locks"])
})

test("conditions that cannot be read are refused together, naming the parameters", async () => {
  const params = { elementTag: "{", metricTag: "5", elementAttribute: "[1]", elementId: "[" }
  await assert.rejects(
    () => queryOf(sampleStore()).plan(requestOf("fqns", params)),
    (error: Error & { code: string; problems: string[] }) => {
      assert.equal(error.code, "invalid")
      const fields = error.problems.map((problem) => problem.split(":")[0])
      assert.deepEqual(fields.sort(), ["elementAttribute", "elementId", "elementTag", "metricTag"])
      return true
    },
  )
})
