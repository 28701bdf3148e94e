/** Silences (F3): a part of the fleet that fell silent together is no calm. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { schedulerStateId, schedulerStateKind } from "../../src/model/closed-cycles.ts"
import type { SchedulerState } from "../../src/model/closed-cycles.ts"
import { cycleMs } from "../../src/model/resolution.ts"
import type { Silence } from "../../src/wire/search/status-answer.ts"
import { FakeStore, ask, nowMs, requestOf } from "./fake-store.ts"

const cycle = Math.floor(nowMs / cycleMs)
const watchedAll = { next: cycle - 1, unobserved: [] }
const maintenance = { name: "n.state.maintenance", value: "true" }

class Fleet extends FakeStore {
  private count = 0

  constructor(state: SchedulerState | null = watchedAll) {
    super()
    if (state === null) return
    this.documents.set(schedulerStateKind, [{ id: schedulerStateId, document: state }])
  }

  /** Adds elements whose newest data is `ageCycles` old. */
  put(count: number, ageCycles: number, type = "SERVER"): this {
    for (let i = 0; i < count; i++) {
      const element = this.element(`e${this.count++}`, { type })
      const info = this.catalogue.elementInfo(element)
      this.catalogue.replaceElementInfo(element, { ...info, createdMs: 0 })
      this.add(this.metric(element, "cpu"), (cycle - ageCycles) * cycleMs, 1)
    }
    return this
  }

  maintainAll(): this {
    for (let element = 0; element < this.count; element++) {
      const info = this.catalogue.elementInfo(element)
      this.catalogue.replaceElementInfo(element, { ...info, serviceTags: [maintenance] })
    }
    return this
  }

  async silences(filter: object = {}): Promise<readonly Silence[]> {
    const request = requestOf("elementStatus", {}, { countsOnly: true, ...filter })
    return (await ask(this, request)).silences as readonly Silence[]
  }
}

const since = (ageCycles: number) => (cycle - ageCycles + 1) * cycleMs

test("more than a tenth of the elements, silent since one half hour, is a silence", async () => {
  const silence = { type: null, silent: 4, total: 39, since: since(6) }
  assert.deepEqual(await new Fleet().put(35, 1).put(4, 6).silences(), [silence])
  assert.deepEqual(await new Fleet().put(36, 1).put(4, 6).silences(), [], "a tenth exactly")
  const slowly = new Fleet().put(30, 1).put(2, 6).put(2, 11)
  assert.deepEqual(await slowly.silences(), [{ ...silence, total: 34 }])
  const inTurn = new Fleet().put(30, 1).put(2, 6).put(2, 12)
  assert.deepEqual(await inTurn.silences(), [], "half an hour after one another")
  assert.deepEqual(await new Fleet().put(2, 6).silences(), [], "two are no fleet")
})

test("elements that are silent for longer, or in maintenance, do not count", async () => {
  const fleet = new Fleet().put(100, 400).put(10, 1).put(3, 6)
  assert.deepEqual(await fleet.silences(), [{ type: null, silent: 3, total: 13, since: since(6) }])
  assert.deepEqual(await new Fleet().put(100, 300).put(10, 1).silences(), [])
  assert.deepEqual(await new Fleet().put(100, 6).maintainAll().silences(), [])
})

test("all elements of a type that fall silent are a silence, the largest type first", async () => {
  const fleet = new Fleet().put(200, 1).put(3, 8, "RDS").put(4, 6, "ELB").put(5, 6, "EC2")
  const silences = [
    { type: "ELB", silent: 4, total: 4, since: since(6) },
    { type: "RDS", silent: 3, total: 3, since: since(8) },
  ]
  assert.deepEqual(await fleet.put(1, 1, "EC2").silences(), silences)
  const items = [{ item: "RDS", literal: true, contains: true }]
  const ofType = await fleet.silences({ elementTypes: { and: false, items } })
  assert.deepEqual(ofType, [{ ...silences[1], type: null }], "of the elements that pass a filter")
})

test("no silence is known while the server has not watched the cycles that decide", async () => {
  const states: readonly (SchedulerState | null)[] = [
    null,
    { next: cycle - 3, unobserved: [] },
    { ...watchedAll, unwatched: [{ from: cycle - 3, to: cycle - 2 }] },
    { ...watchedAll, unobserved: [{ from: cycle - 9, to: cycle - 2 }] },
    { ...watchedAll, began: cycle - 2 },
  ]
  for (const state of states) {
    assert.deepEqual(await new Fleet(state).put(9, 6).silences(), [], JSON.stringify(state))
  }
  const earlier = { ...watchedAll, unwatched: [{ from: cycle - 9, to: cycle - 6 }] }
  assert.equal((await new Fleet(earlier).put(9, 6).silences()).length, 1)
})
