/** Laws of forgetting: after any sequence of changes the catalogue has what a model of sets has. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { IntColumn } from "../../src/catalogue/int-column.ts"
import { Pages } from "../../src/catalogue/pages.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { definitionTextBytes, elementTextBytes } from "../../src/model/text-bytes.ts"
import { catalogueContent } from "../contract/store-harness.ts"

type Step =
  | {
      readonly kind: "post"
      readonly element: number
      readonly metric: number
      readonly unit: string
    }
  | { readonly kind: "delete" | "forgetElement"; readonly element: number }
  | { readonly kind: "forgetSeries"; readonly element: number; readonly metric: number }
  | {
      readonly kind: "dormant"
      readonly element: number
      /** Null for the element itself. */
      readonly metric: number | null
      readonly isDormant: boolean
    }
  | { readonly kind: "forgetUnused" | "load" }

const element = fc.nat({ max: 4 })
const metric = fc.nat({ max: 4 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("post" as const),
      element,
      metric,
      unit: fc.constantFrom("", "ms", "é"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), element }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("forgetElement" as const), element }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("forgetSeries" as const), element, metric }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("dormant" as const),
      element,
      metric: fc.option(metric),
      isDormant: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("forgetUnused", "load") as fc.Arbitrary<"load"> }),
  },
)

/** Known metrics by element, deleted elements, and dormant elements and series. */
class Model {
  readonly metrics = new Map<string, Map<string, number>>()
  readonly deleted = new Set<string>()
  readonly dormant = new Set<string>()
}

class Story {
  catalogue = new Catalogue()
  readonly model = new Model()
  /** Every series, element and location that was ever assigned, by number. */
  private readonly named = new Map<string, string>()

  run(one: Step): void {
    switch (one.kind) {
      case "post":
        return this.post(`e${one.element}`, `m${one.metric}`, one.unit)
      case "delete":
        return this.delete(`e${one.element}`)
      case "forgetElement":
        return this.forgetElement(`e${one.element}`)
      case "forgetSeries":
        return this.forgetSeries(`e${one.element}`, `m${one.metric}`)
      case "dormant":
        return this.setDormant(`e${one.element}`, one.metric, one.isDormant)
      case "forgetUnused":
        return this.catalogue.forgetUnused(this.catalogue.unused())
      case "load":
        this.catalogue = loadedFrom(this.catalogue)
        this.model.dormant.clear()
    }
  }

  private post(fqn: string, metricFqn: string, unit: string): void {
    const { catalogue, model } = this
    const index = catalogue.upsertElement(0, fqn, { nowMs: 1, location: fqn })
    const series = catalogue.upsertSeries(index, metricFqn, { unit })
    const metrics = model.metrics.get(fqn) ?? new Map<string, number>()
    model.metrics.set(fqn, metrics.set(metricFqn, series))
    model.deleted.delete(fqn)
    this.name(`element ${index}`, `${fqn} ${this.generation(fqn)}`)
    this.name(`series ${series}`, `${fqn} ${metricFqn} ${this.generation(`${fqn} ${metricFqn}`)}`)
    this.name(`location ${catalogue.seriesLocation(series)}`, `series ${series}`)
  }

  private delete(fqn: string): void {
    if (!this.model.metrics.has(fqn) || this.model.deleted.has(fqn)) return
    applyEdit(this.catalogue, { tenant: 0, element: fqn, nowMs: 5, kind: "removeElement" })
    this.model.deleted.add(fqn)
    this.wake(fqn)
  }

  private setDormant(fqn: string, metric: number | null, isDormant: boolean): void {
    const { catalogue, model } = this
    const metrics = model.metrics.get(fqn)
    if (metrics === undefined || model.deleted.has(fqn)) return
    const index = catalogue.findElement(0, fqn)
    const series = metrics.get(`m${metric}`)
    if (metric === null) catalogue.present.setElementDormant(index, isDormant)
    else if (series === undefined) return
    else catalogue.present.setSeriesDormant(index, series, isDormant)
    const name = metric === null ? fqn : `${fqn} m${metric}`
    if (isDormant) model.dormant.add(name)
    else model.dormant.delete(name)
  }

  /** An element that is deleted and restored counts as a whole. */
  private wake(fqn: string): void {
    const { dormant, metrics } = this.model
    dormant.delete(fqn)
    for (const metric of metrics.get(fqn)?.keys() ?? []) dormant.delete(`${fqn} ${metric}`)
  }

  private forgetElement(fqn: string): void {
    const { catalogue, model } = this
    const metrics = model.metrics.get(fqn)
    if (metrics === undefined) return
    catalogue.forgetElement(catalogue.findElement(0, fqn))
    this.wake(fqn)
    model.metrics.delete(fqn)
    model.deleted.delete(fqn)
    this.forgetName(fqn)
    for (const metricFqn of metrics.keys()) this.forgetName(`${fqn} ${metricFqn}`)
  }

  private forgetSeries(fqn: string, metricFqn: string): void {
    const metrics = this.model.metrics.get(fqn)
    const series = metrics?.get(metricFqn)
    if (series === undefined) return
    this.catalogue.forgetSeries(series)
    metrics!.delete(metricFqn)
    this.model.dormant.delete(`${fqn} ${metricFqn}`)
    this.forgetName(`${fqn} ${metricFqn}`)
  }

  private readonly generations = new Map<string, number>()
  private generation(name: string): number {
    return this.generations.get(name) ?? 0
  }
  private forgetName(name: string): void {
    this.generations.set(name, this.generation(name) + 1)
  }

  /** A number means one thing for good. */
  private name(number: string, thing: string): void {
    assert.equal(this.named.get(number) ?? thing, thing, `${number} is assigned once`)
    this.named.set(number, thing)
  }
}

/** The same catalogue as a start loads it. */
function loadedFrom(source: Catalogue): Catalogue {
  const copy = new Catalogue()
  for (const name of source.names()) copy.loadName(source.name(name), name)
  for (const index of source.definitionNumbers()) {
    copy.loadDefinition(source.definition(index), index)
  }
  for (const one of source.elements()) copy.loadElement(one, source.storedElement(one))
  copy.reserveNumbers(source.numbers)
  for (let block = 0; block < source.partitionCount; block++) {
    copy.reservePartition(block, source.partitionSize(block))
  }
  copy.markStored()
  return copy
}

test("a catalogue has what was not forgotten, and no number twice, across loads", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const story = new Story()
      for (const one of steps) {
        story.run(one)
        assertIsModel(story)
      }
    }),
    { numRuns: 300 },
  )
})

function assertIsModel({ catalogue, model }: Story): void {
  const { known, present } = catalogue
  assert.equal(known.elements, model.metrics.size)
  let [series, presentElements, presentSeries] = [0, 0, 0]
  for (const [fqn, metrics] of model.metrics) {
    const index = catalogue.findElement(0, fqn)
    assert.ok(catalogue.isKnownElement(index))
    assert.equal(catalogue.isDeleted(index), model.deleted.has(fqn))
    assert.deepEqual([...catalogue.elementSeries(index)].sort(), [...metrics.values()].sort())
    for (const [metricFqn, one] of metrics) {
      assert.equal(catalogue.findSeries(index, catalogue.findName(0, metricFqn)), one)
      const members = catalogue.partitionSeries(catalogue.partitionOf(one))
      assert.equal(members[catalogue.indexInPartition(one)], one)
    }
    series += metrics.size
    if (model.deleted.has(fqn)) continue
    const counted = [...metrics.keys()].filter((one) => !model.dormant.has(`${fqn} ${one}`))
    presentSeries += counted.length
    presentElements += Number(!model.dormant.has(fqn))
  }
  assert.equal(known.series, series)
  assert.deepEqual([present.elementsOf(0), present.seriesOf(0)], [presentElements, presentSeries])
  assertTextIsCounted(catalogue)
}

function assertTextIsCounted(catalogue: Catalogue): void {
  const { textBytes } = catalogue
  const sum = (numbers: Iterable<number>, bytesOf: (one: number) => number) =>
    [...numbers].reduce((bytes, one) => bytes + bytesOf(one), 0)
  const ofNames = sum(catalogue.names(), (name) => catalogue.name(name).fqn.length)
  const ofElements = sum(catalogue.elements(), (one) =>
    catalogue.isDeleted(one)
      ? 0
      : elementTextBytes(catalogue.elementFqn(one), catalogue.elementInfo(one)),
  )
  assert.equal(textBytes.tenantBytes(0), ofNames + ofElements)
  const definitions = catalogue.definitionNumbers()
  const shared = sum(definitions, (index) => definitionTextBytes(catalogue.definition(index)))
  assert.equal(textBytes.sharedBytes, shared)
}

test("names and definitions without a series are unused, all others are not", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const story = new Story()
      for (const one of steps) story.run(one)
      const { catalogue } = story
      const used = { names: new Set<number>(), definitions: new Set<number>() }
      for (const one of catalogue.elements()) {
        for (const series of catalogue.elementSeries(one)) {
          used.names.add(catalogue.seriesName(series))
          used.definitions.add(catalogue.seriesDefinitionIndex(series))
        }
      }
      catalogue.forgetUnused(catalogue.unused())
      assert.deepEqual(new Set(catalogue.names()), used.names)
      assert.deepEqual(new Set(catalogue.definitionNumbers()), used.definitions)
    }),
  )
})

test("what a forgotten number had is empty, and lists that were read before stay", () => {
  const catalogue = new Catalogue()
  const web = catalogue.upsertElement(0, "web", { nowMs: 1 })
  const cpu = catalogue.upsertSeries(web, "cpu", { unit: "s" })
  const list = catalogue.elementSeries(web)
  const members = catalogue.partitionSeries(catalogue.partitionOf(cpu))
  catalogue.forgetElement(web)
  catalogue.forgetUnused(catalogue.unused())
  assert.deepEqual([[...list], [...members]], [[cpu], [cpu]])
  assert.deepEqual([...catalogue.elementSeries(web)], [])
  assert.deepEqual([...catalogue.partitionSeries(0)], [])
  assert.equal(catalogue.isDeleted(web), true)
  assert.deepEqual([catalogue.elementFqn(web), catalogue.metricFqn(cpu)], ["", ""])
  assert.deepEqual([catalogue.seriesElement(cpu), catalogue.seriesDefinition(cpu).unit], [-1, ""])
})

test("an element that is stored without a series, or under another number, loses it", () => {
  const writer = new Catalogue()
  const web = writer.upsertElement(0, "web", { nowMs: 1 })
  const [cpu, disk] = ["cpu", "disk"].map((fqn) => writer.upsertSeries(web, fqn))
  const replica = loadedFrom(writer)
  writer.forgetSeries(cpu!)
  replica.loadElement(web, writer.storedElement(web))
  assert.deepEqual([...replica.elementSeries(web)], [disk])
  assert.deepEqual(catalogueContent(replica), catalogueContent(writer))
  writer.forgetElement(web)
  const again = writer.upsertElement(0, "web", { nowMs: 2 })
  replica.loadElement(again, writer.storedElement(again))
  assert.deepEqual([again, replica.findElement(0, "web"), replica.known.series], [1, 1, 0])
  assert.equal(replica.isKnownElement(web), false)
})

test("pages and columns are maps of numbers, from which whole pages go", () => {
  const change = fc.tuple(fc.nat({ max: 20_000 }), fc.option(fc.nat(), { nil: null }))
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const pages = new Pages<string>()
      const column = new IntColumn()
      const map = new Map<number, number>()
      for (const [index, value] of changes) {
        if (value === null) {
          pages.remove(index)
          column.remove(index)
          map.delete(index)
        } else {
          pages.set(index, String(value))
          column.set(index, value)
          map.set(index, value)
        }
        assert.equal(column.get(index), map.get(index) ?? -1)
        assert.equal(pages.get(index), map.get(index)?.toString())
      }
      assert.deepEqual(
        [...pages.numbers()],
        [...map.keys()].sort((left, right) => left - right),
      )
      for (const [index, value] of map) assert.equal(column.get(index), value)
    }),
  )
})
