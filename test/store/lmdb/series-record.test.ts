import assert from "node:assert/strict"
import { test } from "node:test"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { Catalogue } from "../../../src/catalogue/catalogue.ts"
import { CorruptError } from "../../../src/codec/corrupt-error.ts"
import {
  applySeriesRecord,
  checkSeriesRecord,
  countsOf,
  decodeSeriesRecord,
  encodeSeriesRecord,
} from "../../../src/store/lmdb/wal/series-record.ts"
import { catalogueContent } from "../../contract/store-harness.ts"

interface Change {
  readonly tenant: number
  readonly element: number
  readonly metric: number
  readonly unit: string
  readonly location: string
}

const change: fc.Arbitrary<Change> = fc.record({
  tenant: fc.nat({ max: 1 }),
  element: fc.nat({ max: 5 }),
  metric: fc.nat({ max: 5 }),
  unit: fc.constantFrom("", "percent"),
  location: fc.constantFrom("Zürich", "北京"),
})
const groupsOfChanges = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
})

function apply(catalogue: Catalogue, { tenant, element, metric, unit, location }: Change): void {
  const index = catalogue.upsertElement(tenant, `e${element}`, { location, nowMs: 1 })
  catalogue.upsertSeries(index, `m${metric}`, { unit })
}

/** The sections of a story, a group each, numbered from 1; and the catalogue at its end. */
function tell(groups: readonly (readonly Change[])[]): { sections: Uint8Array[]; end: Catalogue } {
  const end = new Catalogue()
  const sections = groups.map((group, i) => {
    const base = countsOf(end)
    for (const one of group) apply(end, one)
    const section = encodeSeriesRecord(i + 1, end, base)
    end.markStored()
    return section
  })
  return { sections, end }
}

test("sections in order give the catalogue that wrote them, and mark nothing as changed", () => {
  fc.assert(
    fc.property(groupsOfChanges, (groups) => {
      const { sections, end } = tell(groups)
      const catalogue = new Catalogue()
      for (const [i, section] of sections.entries()) {
        assert.equal(applySeriesRecord(catalogue, decodeSeriesRecord(i + 1, section)), true)
        assert.equal(catalogue.hasChanges(), false)
      }
      assert.deepEqual(catalogueContent(catalogue), catalogueContent(end))
    }),
  )
})

test("a section with any bit flipped, cut short, or under another number is refused", () => {
  const { sections } = tell([[{ tenant: 0, element: 1, metric: 2, unit: "s", location: "x" }]])
  const [section] = sections
  checkSeriesRecord(1, section!)
  for (let bit = 0; bit < section!.length * 8; bit++) {
    const damaged = Uint8Array.from(section!)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => checkSeriesRecord(1, damaged), CorruptError, `bit ${bit}`)
    assert.throws(() => decodeSeriesRecord(1, damaged), CorruptError, `bit ${bit}`)
  }
  for (let length = 0; length < section!.length; length++) {
    assert.throws(
      () => checkSeriesRecord(1, section!.subarray(0, length)),
      CorruptError,
      `${length}`,
    )
  }
  assert.throws(() => checkSeriesRecord(2, section!), CorruptError)
})

test("a section that stands on other counts is refused, and changes nothing", () => {
  fc.assert(
    fc.property(groupsOfChanges, fc.nat(), (groups, which) => {
      const { sections } = tell(groups)
      const lost = which % sections.length
      const catalogue = new Catalogue()
      for (const [i, bytes] of sections.entries()) {
        if (i === lost) continue
        const before = catalogueContent(catalogue)
        const section = decodeSeriesRecord(i + 1, bytes)
        const isBase = isDeepStrictEqual(section.base, countsOf(catalogue))
        assert.equal(applySeriesRecord(catalogue, section), isBase)
        if (i < lost) assert.equal(isBase, true)
        if (!isBase) assert.deepEqual(catalogueContent(catalogue), before)
      }
    }),
  )
})

test("numbers that a refused section gave are never those of another thing", () => {
  fc.assert(
    fc.property(groupsOfChanges, fc.nat(), (groups, which) => {
      const { sections, end } = tell(groups)
      const lost = which % sections.length
      const catalogue = new Catalogue()
      for (const [i, bytes] of sections.entries()) {
        if (i !== lost) applySeriesRecord(catalogue, decodeSeriesRecord(i + 1, bytes))
      }
      for (let series = 0; series < catalogue.seriesCount; series++) {
        assert.equal(nameOf(catalogue, series), nameOf(end, series))
        assert.equal(catalogue.seriesLocation(series), end.seriesLocation(series))
      }
    }),
  )
})

function nameOf(catalogue: Catalogue, series: number): string {
  const element = catalogue.seriesElement(series)
  const { fqn } = catalogue.name(catalogue.seriesName(series))
  return `${catalogue.elementTenant(element)} ${catalogue.elementFqn(element)} ${fqn}`
}
