/** Inventory and palette without a browser: state in the address, typed texts, commands. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { elementSortFields, levels } from "../../src/web/api/element-words.ts"
import {
  commandEntries,
  readQuery,
  resultEntries,
  type PageCommand,
} from "../../src/web/frame/palette/palette-items.ts"
import { inventoryParameters } from "../../src/web/pages/inventory/inventory-parameters.ts"
import { parseFilter } from "../../src/web/url/filter-language.ts"
import { parseAddress } from "../../src/web/url/address.ts"
import { readParameters, writeParameters } from "../../src/web/url/parameters.ts"

test("any state of the inventory is read from its address as it was written", () => {
  const state = fc.record({
    sort: fc.constantFrom(...elementSortFields),
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
  const broken = readParameters(inventoryParameters, new URLSearchParams("level=ok,bad&sort=x"))
  assert.deepEqual(broken.broken, ["sort", "level"])
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
