import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { tagsPerEntityMax } from "../../src/base/limits.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { TagEdit } from "../../src/model/records/catalogue-edit.ts"

const of = { tenant: 0, element: "web", nowMs: 7 }

function fixture() {
  const catalogue = new Catalogue()
  const element = catalogue.upsertElement(0, "web", { nowMs: 1 })
  const series = catalogue.upsertSeries(element, "cpu", { unit: "percent" })
  const tags = (metric: string | null) =>
    (metric === null ? catalogue.elementInfo(element) : catalogue.seriesDefinition(series))
      .serviceTags
  return { catalogue, element, series, tags }
}

const tagAmendment = fc.record({
  kind: fc.constant("tags" as const),
  tenant: fc.constant(0),
  element: fc.constant("web"),
  nowMs: fc.constant(7),
  metric: fc.constantFrom(null, "cpu"),
  set: fc.uniqueArray(
    fc.record({ name: fc.constantFrom("a", "b", "c"), value: fc.constantFrom("1", "2") }),
    { selector: ({ name }) => name, maxLength: 2 },
  ),
  remove: fc.constantFrom(null, "a", "b"),
}) satisfies fc.Arbitrary<TagEdit>

test("any sequence of tag edits and posts has the same result as with maps", () => {
  fc.assert(
    fc.property(fc.array(tagAmendment), (amendments) => {
      const { catalogue, element, tags } = fixture()
      const models = new Map([null, "cpu"].map((metric) => [metric, new Map<string, string>()]))
      for (const one of amendments) {
        const model = models.get(one.metric)!
        if (one.remove !== null && !model.has(one.remove)) {
          assert.throws(() => applyEdit(catalogue, one), { code: "missing" })
        } else {
          applyEdit(catalogue, one)
          if (one.remove !== null) model.delete(one.remove)
          for (const { name, value } of one.set) model.set(name, value)
        }
        catalogue.upsertElement(0, "web", { location: one.metric ?? "", nowMs: 9 })
        catalogue.upsertSeries(element, "cpu", { unit: String(model.size) })
      }
      for (const [metric, model] of models) {
        const want = [...model].map(([name, value]) => ({ name, value }))
        want.sort((left, right) => (left.name < right.name ? -1 : 1))
        assert.deepEqual(tags(metric), want.length === 0 ? undefined : want)
      }
    }),
  )
})

test("undo() restores the catalogue", () => {
  fc.assert(
    fc.property(fc.array(tagAmendment, { maxLength: 3 }), tagAmendment, (before, last) => {
      const { catalogue, element, series } = fixture()
      for (const one of before) applyEdit(catalogue, { ...one, remove: null })
      const seen = () => [catalogue.elementInfo(element), catalogue.seriesDefinition(series)]
      const want = seen()
      applyEdit(catalogue, { ...last, remove: null }).undo()
      assert.deepEqual(seen(), want)
      applyEdit(catalogue, { ...of, kind: "removeElement" }).undo()
      assert.deepEqual(seen(), want)
    }),
  )
})

test("removing the last service tag restores the definition without any", () => {
  const { catalogue, series } = fixture()
  const before = catalogue.seriesDefinitionIndex(series)
  const tag = { ...of, kind: "tags", metric: "cpu" } as const
  applyEdit(catalogue, { ...tag, set: [{ name: "a", value: "1" }], remove: null })
  assert.notEqual(catalogue.seriesDefinitionIndex(series), before)
  applyEdit(catalogue, { ...tag, set: [], remove: "a" })
  assert.equal(catalogue.seriesDefinitionIndex(series), before)
})

test("applyEdit() refuses missing and deleted things, and too many tags", () => {
  const { catalogue, tags } = fixture()
  const tag = { ...of, kind: "tags", metric: null, set: [], remove: null } as const
  const f = (amendment: Parameters<typeof applyEdit>[1], code: string) =>
    assert.throws(() => applyEdit(catalogue, amendment), { code })

  f({ ...tag, element: "nobody" }, "missing")
  f({ ...tag, tenant: 1 }, "missing")
  f({ ...tag, metric: "nothing" }, "missing")
  f({ ...tag, remove: "a" }, "missing")
  const set = Array.from({ length: tagsPerEntityMax + 1 }, (_, i) => ({ name: `${i}`, value: "" }))
  f({ ...tag, set }, "invalid")
  assert.equal(tags(null), undefined)
  applyEdit(catalogue, { ...of, kind: "removeElement" })
  f({ ...of, kind: "removeElement" }, "missing")
  f({ ...tag, metric: "cpu" }, "missing")
})
