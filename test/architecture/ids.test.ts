/** Laws of the numbers of things: the compiler tells their kinds apart (model/ids.ts). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../src/model/ids.ts"
import { readSources } from "./sources.ts"

const nameOf = {
  series: (series: SeriesIndex) => `series ${series}`,
  element: (element: ElementIndex) => `element ${element}`,
  tenant: (tenant: TenantIndex) => `tenant ${tenant}`,
}

test("a number of one kind is refused where another is expected", () => {
  const catalogue = new Catalogue()
  catalogue.upsertElement(0, "host", { nowMs: 0 })
  const element = catalogue.findElement(0, "host")
  const series = catalogue.upsertSeries(element, "cpu")
  const tenant = catalogue.elementTenant(element)
  assert.equal(nameOf.series(series), "series 0")
  assert.equal(nameOf.element(element), "element 0")
  assert.equal(nameOf.tenant(tenant), "tenant 0")
  // @ts-expect-error: an element is no series.
  nameOf.series(element)
  // @ts-expect-error: a series is no element.
  nameOf.element(series)
  // @ts-expect-error: a tenant is no element.
  nameOf.element(tenant)
  // @ts-expect-error: a plain number is no partition.
  catalogue.partitionsOfName(0).includes(series)
})

test("signatures of the store's interfaces say which number they take", () => {
  const plain = /^(?!\s*\*).*\b(?:series|element|tenant)\??: number\b(?!\[)/gm
  const found = readSources("src")
    .filter(({ path }) => /^src\/store\/[\w-]+\.ts$/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(plain)].map(([line]) => `${path}: ${line}`))
  assert.deepEqual(found, [])
})
