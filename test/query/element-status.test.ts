/** The status of elements: what decides the level, and that a filter by it agrees. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { noDataAfterMs } from "../../src/base/limits/search.ts"
import { checkKind } from "../../src/model/records/check.ts"
import { openIncidentKind } from "../../src/model/records/incident.ts"
import { statusLevels } from "../../src/wire/filter/status-levels.ts"
import { FakeStore, ask, nowMs, queryOf, requestOf } from "./fake-store.ts"

const minuteMs = 60_000
const longAgoMs = nowMs - 86_400_000
const maintenance = { name: "n.state.maintenance", value: "true" }

interface Say {
  readonly type?: string
  readonly seenMs?: number
  readonly createdMs?: number
  readonly events?: readonly ("INFO" | "WARNING" | "CRITICAL")[]
  readonly expiresMs?: number
  readonly isMaintained?: boolean
  readonly endMs?: number
}

class StatusStore extends FakeStore {
  put(fqn: string, say: Say): void {
    const { type = "SERVER", seenMs = nowMs - 10 * minuteMs, createdMs = longAgoMs } = say
    const element = this.element(fqn, { type })
    const first = this.metric(element, "cpu")
    if (Number.isFinite(seenMs)) this.add(first, seenMs, 1)
    const end = { name: "n.state.maintenance_end", value: String(say.endMs ?? -1) }
    const serviceTags = say.isMaintained === true ? { serviceTags: [maintenance, end] } : {}
    const info = this.catalogue.elementInfo(element)
    this.catalogue.replaceElementInfo(element, { ...info, ...serviceTags, createdMs })
    for (const [i, level] of (say.events ?? []).entries()) {
      const document = { incident: { elementFqn: fqn }, event: { level } }
      this.keep(openIncidentKind(0), { id: `${fqn}/${i}`, document })
    }
    if (say.expiresMs === undefined) return
    const check = { name: "alive", elementFqn: fqn, expiresMs: say.expiresMs }
    this.keep(checkKind(0), { id: fqn, document: check })
  }

  private keep(kind: string, one: { readonly id: string; readonly document: unknown }): void {
    this.documents.set(kind, [...(this.documents.get(kind) ?? []), one])
  }
}

const cases: readonly (readonly [fqn: string, say: Say, level: string, openIncidents: number])[] = [
  ["fine", {}, "ok", 0],
  ["just-in-time", { seenMs: nowMs - noDataAfterMs + 10 * minuteMs }, "ok", 0],
  ["late", { seenMs: nowMs - noDataAfterMs - 10 * minuteMs }, "noData", 0],
  ["never", { seenMs: NaN }, "noData", 0],
  ["new", { seenMs: NaN, createdMs: nowMs - minuteMs }, "ok", 0],
  ["informed", { events: ["INFO"] }, "info", 1],
  ["warned", { events: ["INFO", "WARNING", "INFO"] }, "warning", 3],
  ["critical", { events: ["CRITICAL", "WARNING"] }, "critical", 2],
  ["silent-and-critical", { seenMs: NaN, events: ["CRITICAL"] }, "critical", 1],
  ["expired", { expiresMs: nowMs - 1 }, "warning", 0],
  ["armed", { expiresMs: nowMs + 1 }, "ok", 0],
  ["expired-and-informed", { expiresMs: nowMs, events: ["INFO"] }, "warning", 1],
  ["maintained", { isMaintained: true, events: ["CRITICAL"] }, "maintenance", 1],
  ["maintained-still", { isMaintained: true, endMs: nowMs + 1 }, "maintenance", 0],
  ["maintained-before", { isMaintained: true, endMs: nowMs - 1 }, "ok", 0],
]

function filledStore(): StatusStore {
  const store = new StatusStore()
  for (const [fqn, say] of cases) store.put(fqn, say)
  return store
}

interface Answer {
  readonly levels: readonly string[]
  readonly counts: {
    readonly total: number
    readonly levels: Readonly<Record<string, number>>
    readonly types: readonly { readonly type: string; readonly total: number }[]
  }
  readonly columns: {
    readonly fqn: readonly string[]
    readonly level: readonly number[]
    readonly type: readonly number[]
    readonly openIncidents: readonly number[]
    readonly lastSeen: readonly (number | null)[]
    readonly collectedPercent: readonly (number | null)[]
  } | null
}

const statusOf = (store: FakeStore, body: object = {}): Promise<Answer> =>
  ask(store, requestOf("elementStatus", {}, body))

test("the level is that of maintenance, else of the worst alarm, else of the data", async () => {
  const { levels, columns } = await statusOf(filledStore())
  assert.deepEqual(levels, statusLevels)
  const found = columns!.fqn.map((fqn, i) => [
    fqn,
    levels[columns!.level[i]!],
    columns!.openIncidents[i],
  ])
  assert.deepEqual(
    found,
    cases.map(([fqn, , level, open]) => [fqn, level, open]),
  )
})

test("counts are those of the columns, which countsOnly leaves out", async () => {
  const store = filledStore()
  store.put("other", { type: "RDS", events: ["INFO"] })
  const { counts, columns, levels } = await statusOf(store)
  for (const [number, level] of levels.entries()) {
    const own = columns!.level.filter((one) => one === number)
    assert.equal(counts.levels[level], own.length, level)
  }
  assert.equal(counts.total, columns!.fqn.length)
  assert.deepEqual(
    counts.types.map(({ type, total }) => [type, total]),
    [
      ["SERVER", cases.length],
      ["RDS", 1],
    ],
  )
  assert.deepEqual(columns!.type, [...cases.map(() => 0), 1])
  const counted = { levels, counts, silences: [], columns: null }
  assert.deepEqual(await statusOf(store, { countsOnly: true }), counted)
})

test("a filter by status passes the elements that have it", async () => {
  const store = filledStore()
  for (const level of statusLevels) {
    const items = [{ item: level, literal: true, contains: true }]
    const filter = { elementStatuses: { and: false, items } }
    const want = cases.filter((one) => one[2] === level).map(([fqn]) => fqn)
    const { columns } = await statusOf(store, filter)
    assert.deepEqual(columns!.fqn, want, level)
    const found = await ask(store, requestOf("elementQuery", {}, { ...filter, pageSize: 100 }))
    const fqns = found.page.content.map(({ fqn }: { readonly fqn: string }) => fqn)
    assert.deepEqual(fqns, want)
    const others = { elementStatuses: { items: [{ item: level, contains: false }] } }
    const rest = await statusOf(store, others)
    assert.equal(rest.counts.total, cases.length - want.length, level)
  }
})

test("a filter by status reads the statuses once, and answers the same columns", async () => {
  const store = filledStore()
  const reads: number[] = []
  const own = store.listDocuments.bind(store)
  store.listDocuments = (kind) => {
    if (kind === openIncidentKind(0)) reads.push(1)
    return own(kind)
  }
  const items = [{ item: "maintenance", literal: true, contains: false }]
  const filtered = (await statusOf(store, { elementStatuses: { and: false, items } })).columns!
  assert.equal(reads.length, 1)
  const all = (await statusOf(store)).columns!
  for (const [i, fqn] of filtered.fqn.entries()) {
    const at = all.fqn.indexOf(fqn)
    for (const name of ["level", "openIncidents", "lastSeen", "collectedPercent"] as const) {
      assert.equal(filtered[name][i], all[name][at], `${name} of ${fqn}`)
    }
  }
})

test("a word that is no level is refused with those that are", async () => {
  const body = { elementStatuses: { items: [{ item: "broken" }] } }
  const asked = queryOf(filledStore()).plan(requestOf("elementStatus", {}, body))
  const message = /elementStatuses.*expected one of ok, info, .* got "broken"/
  await assert.rejects(asked, { code: "invalid", message })
})

test("an element is as new as its newest metric, and gap fillings are no data", async () => {
  const store = new StatusStore()
  store.put("first", {})
  store.put("second", { seenMs: nowMs - 50 * minuteMs })
  const second = store.catalogue.findElement(0, "second")
  const freshMs = nowMs - 12 * minuteMs
  store.add(store.metric(second, "other"), freshMs, 1)
  store.put("filled", { seenMs: nowMs - 50 * minuteMs })
  const filled = store.catalogue.findElement(0, "filled")
  const sparse = store.metric(filled, "sparse", {
    patch: { sparseDataStrategy: "ReplaceWithZero" },
  })
  store.add(sparse, nowMs - 7 * minuteMs, 0)
  const { columns, levels } = await statusOf(store)
  const cycleOf = (ms: number) => Math.floor(ms / 300_000) * 300_000
  assert.deepEqual(columns!.lastSeen.slice(1), [cycleOf(freshMs), cycleOf(nowMs - 50 * minuteMs)])
  assert.deepEqual(
    columns!.level.map((level) => levels[level]),
    ["ok", "ok", "noData"],
  )
})
