/** The name index finds what a naive search of the catalogue finds, whatever changed before. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { searchMatchesMax } from "../../src/base/limits/search.ts"
import { QueryBudget } from "../../src/base/query-budget.ts"
import { dayMs } from "../../src/model/resolution.ts"
import { TextIndex } from "../../src/query/names/text-index.ts"
import { comparable, rankOf, searchTermOf } from "../../src/query/names/rank.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { FakeStore, ask, nowMs, queryOf, requestOf } from "./fake-store.ts"

interface Found {
  readonly total: number
  readonly isPartial: boolean
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly subtitle: string
    readonly elements?: number
    readonly link: { readonly id: string }
  }[]
}
type Kind = "elements" | "metrics" | "tags"

const titles = ({ items }: Found) => items.map(({ title }) => title)

function filledStore(): FakeStore {
  const store = new FakeStore()
  const tags = [{ name: "env", value: "prod" }]
  const web = store.element("web-1", { name: "Web One", type: "SERVER", tags })
  store.metric(web, "cpu.total", { values: [1], patch: { unit: "percent" } })
  store.metric(store.element("db", { type: "RDS", tags }), "host.cpu", { values: [1] })
  store.metric(store.element("gone"), "cpu.old")
  store.metric(store.element("web-2", {}, 1), "cpu.foreign")
  const gone = store.catalogue.findElement(0, "gone")
  const info = store.catalogue.elementInfo(gone)
  store.catalogue.replaceElementInfo(gone, { ...info, deletedMs: nowMs })
  return store
}

async function search(store: FakeStore, q: string, params = {}): Promise<Record<Kind, Found>> {
  return ask(store, requestOf("search", { q, ...params }))
}

test("elements are found by FQN and name, metrics and tags with their elements", async () => {
  const store = filledStore()
  const { elements, metrics, tags } = await search(store, "WEB")
  assert.deepEqual(titles(elements), ["Web One"])
  assert.deepEqual([elements.total, metrics.total, tags.total], [1, 0, 0])
  assert.equal(elements.items[0]!.subtitle, "SERVER")

  const cpu = (await search(store, "cpu")).metrics
  assert.deepEqual(titles(cpu), ["cpu.total", "host.cpu"])
  assert.deepEqual([cpu.items[0]!.subtitle, cpu.items[0]!.elements], ["percent", 1])

  const prod = (await search(store, "prod")).tags
  assert.deepEqual(
    prod.items.map(({ id, elements: count }) => [id, count]),
    [["env:prod", 2]],
  )
})

test("kinds that are not asked for are absent, and the limit holds", async () => {
  const store = filledStore()
  const found = await search(store, "cpu", { kinds: "metrics", limit: "1" })
  assert.deepEqual(Object.keys(found), ["metrics"])
  assert.deepEqual([titles(found.metrics), found.metrics.total], [["cpu.total"], 2])
})

test("within a rank, names with data of the last day come first", async () => {
  const store = new FakeStore()
  store.metric(store.element("a-old"), "x")
  const seen = store.metric(store.element("b-new"), "x")
  store.add(seen, nowMs - dayMs / 2, 1)
  assert.deepEqual(titles((await search(store, "-")).elements), ["b-new", "a-old"])
  assert.deepEqual(titles((await search(store, "a-")).elements), ["a-old"])
})

const refused = [
  [{}, /^q: expected 1 to 200 characters/],
  [{ q: "  " }, /^q: expected 1 to 200 characters/],
  [{ q: "a".repeat(201) }, /^q: expected/],
  [{ q: "a", limit: "0" }, /^limit: expected a whole number from 1 to 50, got "0"/],
  [{ q: "a", limit: "51" }, /^limit: /],
  [{ q: "a", kinds: "metric" }, /^kinds: expected some of elements, .*got "metric"/],
] as const

for (const [params, message] of refused) {
  test(`a search with ${JSON.stringify(params).slice(0, 40)} is refused`, async () => {
    const asked = queryOf(filledStore()).plan(requestOf("search", { ...params }))
    await assert.rejects(asked, { code: "invalid", message })
  })
}

const word = fc.constantFrom("a", "ab", "b", "web", "Web One", "a.b-c", "x_y", "İ x")
const step = fc.record({
  element: fc.constantFrom("e", "a", "web-1", "b.web"),
  name: word,
  tag: fc.constantFrom("prod", "a", "web"),
  metric: fc.constantFrom("cpu", "a.b", "web.hits"),
  isDeleted: fc.boolean(),
})

function apply(store: FakeStore, one: typeof step extends fc.Arbitrary<infer T> ? T : never) {
  const { catalogue } = store
  const tags = [{ name: "t", value: one.tag }]
  const element = store.element(one.element, { name: one.name, tags })
  store.metric(element, one.metric)
  const { deletedMs: _, ...info } = catalogue.elementInfo(element)
  const deleted = one.isDeleted ? { deletedMs: nowMs } : {}
  catalogue.replaceElementInfo(element, { ...info, ...deleted })
}

/** Texts of the things of a kind that exist, by id. */
function listed({ catalogue }: FakeStore): Record<Kind, Map<string, string[]>> {
  const found = { elements: new Map(), metrics: new Map(), tags: new Map() }
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.isDeleted(element)) continue
    const { name, tags } = catalogue.elementInfo(element)
    const fqn = catalogue.elementFqn(element)
    found.elements.set(fqn, [fqn, name])
    for (const tag of tags) found.tags.set(`${tag.name}:${tag.value}`, [`${tag.name}:${tag.value}`])
    for (const series of catalogue.elementSeries(element)) {
      const metric = catalogue.metricFqn(series)
      found.metrics.set(metric, [metric])
    }
  }
  return found
}

test("after any changes the results are those of a naive search, in order of rank", async () => {
  const searched = fc.constantFrom("a", "B", "web", "one web", ".", "x", "İ", "t:a", "nothing")
  const law = fc.asyncProperty(
    fc.array(fc.tuple(step, searched), { maxLength: 12 }),
    async (steps) => {
      const store = new FakeStore()
      const query = queryOf(store)
      for (const [change, q] of steps) {
        apply(store, change)
        const plan = await query.plan(requestOf("search", { q, limit: "50" }))
        const answer = JSON.parse(textOfParts(await query.answer(plan, null)))
        const term = searchTermOf(q)
        for (const [kind, things] of Object.entries(listed(store))) {
          const ranks = [...things.values()].flatMap((texts) => {
            const own = texts.map((text) => rankOf(comparable(text), term))
            const known = own.filter((rank) => rank !== null)
            return known.length === 0 ? [] : [Math.min(...known)]
          })
          const { total, items } = answer[kind] as Found
          assert.equal(total, ranks.length, `${kind} ${q}`)
          assert.equal(items.length, ranks.length)
          const shown = items.map(({ link }) => {
            const texts = things.get(link.id)!
            return Math.min(...texts.map((text) => rankOf(comparable(text), term) ?? Infinity))
          })
          assert.deepEqual(shown.toSorted(), ranks.toSorted())
          assert.deepEqual(shown, shown.toSorted(), `${kind} ${q}`)
        }
      }
    },
  )
  await fc.assert(law, { numRuns: 60 })
})

test("an equal name and prefixes are found among more matches than are counted", async () => {
  const store = new FakeStore()
  const element = store.element("e")
  for (let i = 0; i <= searchMatchesMax; i++) store.catalogue.upsertSeries(element, `m.${i}.end`)
  store.catalogue.upsertSeries(element, "end.last")
  store.catalogue.upsertSeries(element, "end")
  const { metrics } = await search(store, "end", { kinds: "metrics", limit: "3" })
  assert.deepEqual([metrics.total, metrics.isPartial], [searchMatchesMax, true])
  assert.deepEqual(titles(metrics).slice(0, 2), ["end", "end.last"])
})

test("a text index visits each line with the part once, after changes too", () => {
  const texts = ["cpu\nx", "a.cpu", "mem"]
  const index = new TextIndex((owner) => [texts[owner]!])
  const found = (part: string) => {
    const owners: number[] = []
    index.scan(part, (owner) => owners.push(owner) > 0, new QueryBudget())
    return owners
  }
  texts.forEach((_, i) => index.add(i))
  assert.deepEqual([found("cpu"), found("x"), found("m"), found("")], [[0, 1], [0], [2], [0, 1, 2]])
  texts[2] = "cpu"
  index.markChanged(2)
  assert.deepEqual(found("cpu"), [0, 1, 2])
  assert.deepEqual(found("\ncpu\n"), [2])
})
