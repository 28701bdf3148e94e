/** Inventory and palette without a browser: state in the address, typed texts, commands. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { joinedTags, levels, tagText } from "../../src/web/api/element-words.ts"
import {
  commandEntries,
  readQuery,
  resultEntries,
  type PageCommand,
} from "../../src/web/frame/palette/palette-items.ts"
import {
  columnsParameter,
  keyedKinds,
  plainColumns,
  type ColumnChoice,
} from "../../src/web/pages/inventory/column-choice.ts"
import { sortOf, type OrderId } from "../../src/web/pages/inventory/element-order.ts"
import {
  inventoryParameters,
  inventoryViews,
} from "../../src/web/pages/inventory/inventory-parameters.ts"
import { parseFilter } from "../../src/web/url/filter-language.ts"
import { parseAddress } from "../../src/web/url/address.ts"
import { readParameters, writeParameters } from "../../src/web/url/parameters.ts"

test("any state of the inventory is read from its address as it was written", () => {
  const key = fc.string({ minLength: 1, maxLength: 20 })
  const plain = fc.subarray([...plainColumns]).map((names) => {
    return names.map((name): ColumnChoice => ({ kind: "plain", name }))
  })
  const named = fc.uniqueArray(key, { maxLength: 4 }).chain((keys) => {
    const kinds = fc.array(fc.constantFrom(...keyedKinds), { minLength: 4, maxLength: 4 })
    return kinds.map((some) => keys.map((one, i): ColumnChoice => ({ kind: some[i]!, key: one })))
  })
  const state = fc.record({
    view: fc.constantFrom(...inventoryViews),
    cols: fc.tuple(plain, named).map((parts) => parts.flat()),
    sort: fc.oneof(
      fc.constantFrom<OrderId>("name", "fqn", "alerts", "collected", "lastSeen", "created"),
      fc.tuple(fc.constantFrom("tag", "attr", "metric", "p95"), key).map((parts) => {
        return parts.join(".") as OrderId
      }),
    ),
    desc: fc.boolean(),
    level: fc.subarray([...levels]),
  })
  fc.assert(
    fc.property(state, (values) => {
      const query = writeParameters(inventoryParameters, new URLSearchParams("f=x"), values)
      const read = readParameters(inventoryParameters, query)
      assert.deepEqual(read, { values: { ...values }, broken: [] })
      assert.equal(query.get("f"), "x")
    }),
  )
  const text = "level=ok,bad&sort=x&view=tree&cols=type,tag."
  const broken = readParameters(inventoryParameters, new URLSearchParams(text))
  assert.deepEqual(broken.broken, ["view", "cols", "sort", "level"])
})

test("an order is asked for by the field of the server, that of a metric in its window", () => {
  const range = { startMs: 0, endMs: 60_000 }
  const window = { startTime: "1970-01-01T00:00:00.000Z", endTime: "1970-01-01T00:01:00.000Z" }
  assert.deepEqual(sortOf("alerts", range), { field: "openIncidents" })
  assert.deepEqual(sortOf("tag.a.b", range), { field: "tags.a.b" })
  assert.deepEqual(sortOf("attr.cpus", range), { field: "attributes.cpus" })
  const metric = { field: "metrics.cpu.total", ...window }
  assert.deepEqual(sortOf("metric.cpu.total", range), { ...metric, by: "avg" })
  assert.deepEqual(sortOf("p95.cpu.total", range), { ...metric, by: "p95" })
})

test("columns that are repeated or too many are no choice", () => {
  const f = (text: string) => columnsParameter.parse(text)
  const metric = (i: number) => `metric.m${i}`
  assert.equal(f("type,type"), undefined)
  assert.equal(f(Array.from({ length: 5 }, (_, i) => metric(i)).join()), undefined)
  assert.equal(f(Array.from({ length: 17 }, (_, i) => `tag.t${i}`).join()), undefined)
  assert.deepEqual(f("metric.cpu.total"), [{ kind: "metric", key: "cpu.total" }])
  assert.deepEqual(f(""), [])
})

test("tags are joined as the filter finds them, those that people set first", () => {
  const tags = [
    { name: "env", value: "prod" },
    { name: "rack", value: "r1" },
  ]
  const joined = (answer: Partial<Parameters<typeof joinedTags>[0]>) =>
    joinedTags({ tags, ...answer }).map((tag) => `${tagText(tag)}${tag.isOwn ? " own" : ""}`)
  assert.deepEqual(joined({}), ["env:prod", "rack:r1"])
  const serviceTags = { env: "stage", rack: "r1", canary: "", "n.checks": "disk" }
  const expected = ["env:stage own", "rack:r1 own", "canary own", "env:prod"]
  assert.deepEqual(joined({ serviceTags }), expected)
  assert.deepEqual(joined({ netuitiveTags: serviceTags }), expected)
})

test("the first sign of a typed text chooses what is searched", () => {
  const f = (typed: string, text: string, kinds: number, hasCommands: boolean) => {
    const query = readQuery(typed)
    assert.deepEqual(
      [query.text, query.kinds.length, query.hasCommands],
      [text, kinds, hasCommands],
    )
  }
  f("web 1 ", "web 1", 4, true)
  f("> copy", "copy", 0, true)
  f("@web", "web", 1, false)
  f("#env", "env", 1, false)
})

test("commands are found by all words of a text, keys of lists are none", () => {
  const run = (): void => {}
  const keys: PageCommand[] = [
    { keys: "y", text: "Copy link", group: "everywhere", run },
    { keys: "j", text: "Copy next row", group: "list", run },
  ]
  const titles = (searched: string) => commandEntries(keys, searched).map(({ title }) => title)
  assert.deepEqual(titles("LINK co"), ["Copy link"])
  assert.deepEqual(titles("copy row"), [])
})

test("a tag leads to the inventory with a filter that has its name and value", () => {
  const name = fc.string({ minLength: 1, maxLength: 12 })
  const value = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(fc.record({ name, value }), (tag) => {
      const item = { id: "x", title: "x", subtitle: "", tag, link: { page: "inventory", id: "x" } }
      const results = { tags: { total: 1, isPartial: false, items: [item] } }
      const [entry] = resultEntries(results)
      const { segments, query } = parseAddress(entry!.address!)
      assert.deepEqual(segments, ["inventory"])
      const { terms, problems } = parseFilter(query.get("f")!)
      assert.deepEqual(problems, [])
      assert.equal(terms.length, 1)
      const [term] = terms
      assert.deepEqual(term!.field, { kind: "tag", key: tag.name })
      assert.deepEqual(
        term!.values.map(({ text }) => text),
        tag.value === "" ? [] : [tag.value],
      )
    }),
  )
})
