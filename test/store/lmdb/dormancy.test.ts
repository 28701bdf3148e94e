/** Old series without a value for 60 days do not count towards the limits; their values stay. */

import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { applyEdit } from "../../../src/catalogue/edit.ts"
import { dayMs } from "../../../src/model/resolution.ts"
import { dormantAfterMs } from "../../../src/store/lmdb/forgetting/dormancy.ts"
import { SimStore } from "../../simulation/sim-store.ts"
import { noonMs } from "../../support/ingest/samples.ts"
import { at, firstDayRecords, pod, post } from "./pods.ts"

function begin(t: TestContext): SimStore {
  const store = new SimStore({})
  t.after(() => store.remove())
  return store
}

const lastDay = dormantAfterMs / dayMs

/** Elements and series of the tenant that count. */
function present({ writer }: SimStore): [elements: number, series: number] {
  const { present } = writer.catalogue
  return [present.elementsOf(0), present.seriesOf(0)]
}

test("series that were silent for 60 days do not count, and keep their values", (t) => {
  const store = begin(t)
  post(store, 0, pod(1), pod(1, "gone"), pod(2), pod(2, "disk"))
  store.maintainAll(at(1))
  post(store, lastDay, pod(1))
  store.maintainAll(at(lastDay))
  assert.deepEqual(present(store), [2, 4])
  store.maintainAll(at(lastDay + 1))
  assert.deepEqual(present(store), [1, 1])
  assert.equal(firstDayRecords(store, pod(2)), 1)
})

test("what is posted again counts again from the next day on", (t) => {
  const store = begin(t)
  post(store, 0, pod(1), pod(2), pod(2, "disk"))
  store.maintainAll(at(lastDay + 1))
  assert.deepEqual(present(store), [0, 0])
  post(store, lastDay + 1, pod(2))
  store.maintainAll(at(lastDay + 2))
  assert.deepEqual(present(store), [1, 1])
})

test("a start finds again what is dormant", async (t) => {
  const store = begin(t)
  post(store, 0, pod(1), pod(2))
  store.maintainAll(at(lastDay + 1))
  await store.reopen()
  assert.deepEqual(present(store), [2, 2])
  store.maintainAll(at(lastDay + 1))
  assert.deepEqual(present(store), [0, 0])
})

test("a new element counts, however old its values are", (t) => {
  const store = begin(t)
  store.writer.catalogue.upsertElement(0, "pod-1", { nowMs: at(lastDay) })
  post(store, 0, pod(1))
  store.maintainAll(at(lastDay + 1))
  assert.deepEqual(present(store), [1, 1])
})

test("an old element without metrics counts, a declared metric without a value does not", (t) => {
  const store = begin(t)
  const { catalogue } = store.writer
  catalogue.upsertElement(0, "pod-1", { nowMs: noonMs })
  catalogue.upsertSeries(catalogue.upsertElement(0, "pod-2", { nowMs: noonMs }), "declared", {})
  post(store, lastDay, pod(2))
  store.maintainAll(at(lastDay + 1))
  assert.deepEqual(present(store), [2, 1])
})

test("a dormant element that is deleted and restored counts with all of its series", (t) => {
  const store = begin(t)
  post(store, 0, pod(1), pod(1, "disk"))
  store.maintainAll(at(lastDay + 1))
  const { catalogue } = store.writer
  const nowMs = at(lastDay + 1)
  applyEdit(catalogue, { tenant: 0, element: "pod-1", nowMs, kind: "removeElement" })
  assert.deepEqual(present(store), [0, 0])
  post(store, lastDay + 1, pod(1))
  assert.deepEqual(present(store), [1, 2])
})
