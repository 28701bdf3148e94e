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

test("without parameters all names with a metric are listed, sorted, each once", () => {
  assert.deepEqual(ask(sampleStore(), requestOf("fqns")), { fqns: everything })
})

test("each condition adds the names of what it matches", () => {
  const f = (params: Record<string, string | string[]>, want: string[]) =>
    assert.deepEqual(ask(sampleStore(), requestOf("fqns", params)).fqns, want)
  const [ofWeb, ofDb] = [
    ["cpu", "http.hits"],
    ["cpu", "locks"],
  ]
  const webId = elementUuid(tenantUuids[0]!, "web")

  f({ elementId: webId }, ofWeb!)
  f({ elementId: JSON.stringify([webId, "db"]) }, everything)
  f({ elementId: "nothing" }, [])
  f({ elementFqn: "db" }, ofDb!)
  f({ elementFqn: ["db", "web"] }, everything)
  f({ elementFqn: "db,web" }, everything)
  f({ elementName: "Web, West" }, ofWeb!)
  f({ elementName: "web, west" }, [])
  f({ elementName: "db" }, ofDb!)
  f({ elementType: "RDS" }, ofDb!)
  f({ elementType: "rds" }, [])
  f({ elementType: '["RDS","SERVER"]' }, everything)
  f({ metricFqn: ["locks", "never.seen", "secret", "x"] }, ["locks"])
  f({ elementTag: '{"env":["test","prod"]}' }, ofWeb!)
  f({ elementTag: '{"env":["test"]}' }, [])
  f({ elementAttribute: '{"size":["4"]}' }, ofDb!)
  f({ elementAttribute: '[{"name":"size","value":4}]' }, ofDb!)
  f({ metricTag: ['{"team":["b"]}', '{"team":["a"]}'] }, ["http.hits"])
  f({ elementTag: "{}" }, everything)
})

test("conditions are joined by or, across everything", () => {
  const f = (params: Record<string, string>, want: string[]) =>
    assert.deepEqual(ask(sampleStore(), requestOf("fqns", params)).fqns, want)
  f({ elementType: "RDS", metricTag: '{"team":["a"]}' }, everything)
  f({ elementTag: '{"env":["prod"],"nothing":["x"]}' }, ["cpu", "http.hits"])
  f({ metricFqn: "locks", elementName: "nobody" }, ["locks"])
})

test("conditions that cannot be read are refused together, naming the parameters", () => {
  const params = { elementTag: "{", metricTag: "5", elementAttribute: "[1]", elementId: "[" }
  assert.throws(
    () => queryOf(sampleStore()).plan(requestOf("fqns", params)),
    (error: Error & { code: string; problems: string[] }) => {
      assert.equal(error.code, "invalid")
      const fields = error.problems.map((problem) => problem.split(":")[0])
      assert.deepEqual(fields.sort(), ["elementAttribute", "elementId", "elementTag", "metricTag"])
      return true
    },
  )
})
