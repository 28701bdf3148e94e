import assert from "node:assert/strict"
import { test } from "node:test"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { IdCache, IdResolver } from "../../src/query/core/id-resolver.ts"
import { FakeStore, tenantUuids } from "./fake-store.ts"

function sampleStore() {
  const store = new FakeStore()
  const identity = new IdResolver(store.catalogue, (tenant) => tenantUuids[tenant]!)
  const web = store.element("web_1")
  const cpu = store.metric(web, "cpu.total")
  return { store, identity, web, cpu }
}

const webId = elementUuid(tenantUuids[0]!, "web_1")
const cpuId = metricUuid(tenantUuids[0]!, "web_1", "cpu.total")

test("ids are those that are computed from tenant and names, asked once or twice", () => {
  const { identity, web, cpu } = sampleStore()
  for (let times = 0; times < 2; times++) {
    assert.equal(identity.elementId(web), webId)
    assert.equal(identity.metricId(cpu), cpuId)
    assert.equal(identity.computeMetricId(cpu), cpuId)
  }
})

test("an element is found by UUID in any case, by FQN, and by what cleans to its FQN", () => {
  const { identity, web } = sampleStore()
  for (const id of [webId, webId.toUpperCase(), "web_1", "web 1", "web (1)".replace(/[()]/g, "")]) {
    assert.equal(identity.findElement(0, id), web, id)
  }
  for (const id of ["", "web", cpuId, elementUuid(tenantUuids[1]!, "web_1")]) {
    assert.equal(identity.findElement(0, id), -1, id)
  }
})

test("a tenant finds no element or metric of another", () => {
  const { store, identity, web } = sampleStore()
  const other = store.element("web_1", {}, 1)
  const otherId = elementUuid(tenantUuids[1]!, "web_1")
  assert.deepEqual(
    [identity.findElement(0, otherId), identity.findElement(1, otherId)],
    [-1, other],
  )
  assert.deepEqual(
    [identity.findElement(0, "web_1"), identity.findElement(1, "web_1")],
    [web, other],
  )
  assert.equal(identity.findElement(1, webId), -1)
  assert.equal(identity.findName(1, "cpu.total"), -1)
})

test("a metric is found by UUID or FQN, within its element only", () => {
  const { store, identity, web, cpu } = sampleStore()
  const db = store.element("db")
  const dbCpu = store.metric(db, "cpu.total")
  for (const id of [cpuId, cpuId.toUpperCase(), "cpu.total", "cpu.(total)"]) {
    assert.equal(identity.findMetric(web, id), cpu, id)
  }
  assert.equal(identity.findMetric(db, cpuId), -1)
  assert.equal(identity.findMetric(db, "cpu.total"), dbCpu)
  assert.equal(identity.findMetric(web, "mem"), -1)
})

test("elements that come later are found by UUID as well", () => {
  const { store, identity } = sampleStore()
  const id = elementUuid(tenantUuids[0]!, "late")
  assert.equal(identity.findElement(0, id), -1)
  const late = store.element("late")
  assert.equal(identity.findElement(0, id), late)
})

test("an evicted metric id is computed again", () => {
  const { store, identity, cpu } = sampleStore()
  const many = store.element("many")
  const series = Array.from({ length: 500 }, (_, i) => store.metric(many, `m${i}`))
  const cache = new IdCache({ metricIdsMax: 100 })
  const small = new IdResolver(store.catalogue, (tenant) => tenantUuids[tenant]!, { cache })
  for (const one of [cpu, ...series, cpu]) assert.equal(small.metricId(one), identity.metricId(one))
})

test("an element whose id looks like a UUID is found by its name", () => {
  const { store, identity } = sampleStore()
  const name = "7b0c1c5e-30d3-4d3c-9c0e-0d6f0a2b1c11"
  const element = store.element(name)
  assert.equal(identity.findElement(0, name), element)
})
