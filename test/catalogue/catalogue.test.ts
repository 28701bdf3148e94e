import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { catalogueContent } from "../contract/store-harness.ts"

interface Post {
  readonly tenant: number
  readonly element: number
  readonly metric: number
  readonly unit: string
}

const post: fc.Arbitrary<Post> = fc.record({
  tenant: fc.nat({ max: 1 }),
  element: fc.nat({ max: 4 }),
  metric: fc.nat({ max: 4 }),
  unit: fc.constantFrom("", "ms", "percent"),
})

function send(catalogue: Catalogue, { tenant, element, metric, unit }: Post): number {
  const index = catalogue.upsertElement(tenant, `e${element}`, { nowMs: 1 })
  return catalogue.upsertSeries(index, `m${metric}`, { unit })
}

/** A replica loaded as the store loads it, with the elements in the given order of parts. */
function loadedFrom(source: Catalogue): Catalogue {
  const copy = new Catalogue()
  for (let name = 0; name < source.nameCount; name++) copy.loadName(source.name(name))
  for (let i = 0; i < source.definitionCount; i++) copy.loadDefinition(source.definition(i))
  for (let i = 0; i < source.elementCount; i++) copy.loadElement(i, source.storedElement(i))
  return copy
}

test("series are numbered in order of appearance, and found again by their names", () => {
  fc.assert(
    fc.property(fc.array(post), (posts) => {
      const catalogue = new Catalogue()
      const known = new Map<string, number>()
      for (const one of posts) {
        const key = `${one.tenant} ${one.element} ${one.metric}`
        const series = send(catalogue, one)
        assert.equal(series, known.get(key) ?? known.size)
        known.set(key, series)
        assert.equal(catalogue.seriesDefinition(series).unit, one.unit)
      }
      assert.equal(catalogue.seriesCount, known.size)
    }),
  )
})

test("a block has series of one name of one tenant, 256 before the next block begins", () => {
  const catalogue = new Catalogue()
  const metrics = ["cpu", "disk", "net"]
  const elements = 2 * partitionSeriesMax + 1
  for (let i = 0; i < elements; i++) {
    const tenant = i % 2
    const index = catalogue.upsertElement(tenant, `e${i}`, { nowMs: 1 })
    for (const metric of metrics) catalogue.upsertSeries(index, metric)
  }
  const sizes: number[] = []
  for (let block = 0; block < catalogue.partitionCount; block++) {
    const members = [...catalogue.partitionSeries(block)]
    sizes.push(members.length)
    assert.equal(new Set(members.map((series) => catalogue.seriesName(series))).size, 1)
    assert.equal(catalogue.partitionName(block), catalogue.seriesName(members[0]!))
    for (const [slot, series] of members.entries()) {
      assert.deepEqual(
        [catalogue.partitionOf(series), catalogue.indexInPartition(series)],
        [block, slot],
      )
    }
  }
  // 257 elements of tenant 0 and 256 of tenant 1, three names each.
  assert.deepEqual(sizes, [...Array(6).fill(partitionSeriesMax), 1, 1, 1])
  const cpu = catalogue.findName(0, "cpu")
  assert.equal(catalogue.partitionsOfName(cpu).length, 2)
  assert.equal(catalogue.partitionsOfName(catalogue.findName(1, "cpu")).length, 1)
})

test("a loaded catalogue has the same numbers and locations, and continues from them", () => {
  fc.assert(
    fc.property(fc.array(post), fc.array(post), (early, late) => {
      const first = new Catalogue()
      for (const one of early) send(first, one)
      const second = loadedFrom(first)
      assert.deepEqual(catalogueContent(second), catalogueContent(first))
      assert.equal(second.hasChanges(), false)
      for (const one of late) assert.equal(send(second, one), send(first, one))
      assert.deepEqual(catalogueContent(second), catalogueContent(first))
    }),
  )
})

test("a partition whose first series is missing has -1 there, and the name of the others", () => {
  const source = new Catalogue()
  for (let e = 0; e < 3; e++) {
    source.upsertSeries(source.upsertElement(0, `e${e}`, { nowMs: 1 }), "cpu")
  }
  const copy = new Catalogue()
  copy.loadName({ ...source.name(0), fqn: "other" })
  copy.loadName(source.name(0))
  copy.loadDefinition(source.definition(0))
  const { series, ...lost } = source.storedElement(0)
  copy.loadElement(0, { ...lost, series: new Int32Array(0) })
  for (let e = 1; e < 3; e++) {
    const stored = source.storedElement(e)
    copy.loadElement(e, { ...stored, series: stored.series.with(1, 1) })
  }
  assert.equal(series.length, 4)
  assert.deepEqual(Array.from(copy.partitionSeries(0)), [-1, 1, 2])
  assert.equal(copy.partitionName(0), 1)
})

test("a known post changes nothing; changes are returned until they are marked stored", () => {
  const catalogue = new Catalogue()
  const one = { tenant: 0, element: 1, metric: 1, unit: "ms" }
  send(catalogue, one)
  const told = { elements: [0], firstName: 0, firstDefinition: 0 }
  assert.deepEqual([catalogue.changes(), catalogue.changes()], [told, told])
  catalogue.markStored()
  send(catalogue, one)
  assert.equal(catalogue.hasChanges(), false)
  send(catalogue, { ...one, unit: "s" })
  assert.deepEqual(catalogue.changes(), { elements: [0], firstName: 1, firstDefinition: 1 })
})
