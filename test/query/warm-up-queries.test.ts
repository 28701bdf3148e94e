import assert from "node:assert/strict"
import { test } from "node:test"
import { namesPerStepMax } from "../../src/base/limits/search.ts"
import { QueryBudget } from "../../src/base/query-budget.ts"
import { NameIndex } from "../../src/query/names/name-index.ts"
import { FakeStore, nowMs, queryOf } from "./fake-store.ts"

async function rehearseAll(store: FakeStore): Promise<number> {
  const query = queryOf(store)
  let step = 0
  while (await query.warmUp(step, nowMs)) step++
  return step
}

function twenty(): FakeStore {
  return storeOf(20)
}

function storeOf(elements: number): FakeStore {
  const store = new FakeStore()
  for (let i = 0; i < elements; i++)
    store.metric(store.element(`web-${i}`), "cpu", { values: [1, 2, 3] })
  return store
}

test("a store without metrics has no warm-up queries", async () => {
  const store = new FakeStore()
  store.element("quiet")
  assert.equal(await rehearseAll(store), 0)
  assert.deepEqual(store.asked, [])
})

test("every warm-up query finds the newest metric, in raw samples and buckets", async () => {
  const store = twenty()
  assert.ok((await rehearseAll(store)) > 0)
  assert.deepEqual(
    new Set(store.asked.map(({ resolution }) => resolution)),
    new Set(["PT5M", "ZERO"]),
  )
  const newest = store.catalogue.seriesCount - 1
  for (const { series, span } of store.asked) {
    assert.ok(series.includes(newest))
    assert.equal(span.endMs, nowMs)
  }
})

test("the warm-up is as long for many elements as for some", async () => {
  const few = new FakeStore()
  few.metric(few.element("web"), "cpu", { values: [1] })
  const many = storeOf(600)
  assert.equal(await rehearseAll(few), await rehearseAll(many))
  assert.ok(many.asked.every(({ series }) => series.length <= 256))
})

test("warm-up queries accept a metric whose element was deleted", async () => {
  const store = twenty()
  for (let i = 0; i < 20; i++) {
    store.catalogue.replaceElementInfo(i, { ...store.catalogue.elementInfo(i), deletedMs: nowMs })
  }
  assert.ok((await rehearseAll(store)) > 0)
  assert.deepEqual(store.asked, [])
})

test("the warm-up builds the index of names, after which a search finds the same", async () => {
  const store = storeOf(namesPerStepMax + 10)
  const [catalogue, cold, warm] = [store.catalogue, new NameIndex(), new NameIndex()]
  let steps = 0
  while (warm.extend(catalogue)) steps++
  assert.ok(steps >= 1)
  assert.equal(warm.extend(catalogue), false)
  const found = (index: NameIndex): string[] => {
    const lines: string[] = []
    const { elements } = index.of(catalogue, 0, new QueryBudget())
    elements.scan("web-2", (_, line) => lines.push(line) > 0, new QueryBudget())
    return lines
  }
  assert.deepEqual(found(warm), found(cold))
  store.element("web-2-new")
  assert.equal(found(warm).length, found(cold).length)
  assert.ok(found(warm).includes("web-2-new"))
})
