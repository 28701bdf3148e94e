/** Bytes of text: their growth is the difference of two counts. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { mergeInfo, newInfo } from "../../src/catalogue/merge.ts"
import type { ElementInfo, ElementPatch } from "../../src/model/element.ts"
import { elementTextBytes, elementTextGrowth } from "../../src/model/text-bytes.ts"

const text = fc.constantFrom("a", "bé", "c€", "d🌊", "zone")
const pairs = fc.array(fc.record({ name: text, value: text }), { maxLength: 6 })
const patch: fc.Arbitrary<ElementPatch> = fc.record(
  {
    name: text,
    type: text,
    location: text,
    tags: pairs,
    attributes: pairs,
    relations: fc.array(text, { maxLength: 6 }),
  },
  { requiredKeys: [] },
)
const info = fc.record({ first: patch, tags: pairs }).map(({ first, tags: serviceTags }) => ({
  ...newInfo("web-1", first, 0),
  serviceTags,
}))

function assertIsDifference(before: ElementInfo, after: ElementInfo): void {
  const difference = elementTextBytes("web-1", after) - elementTextBytes("web-1", before)
  assert.equal(elementTextGrowth("web-1", before, after), difference)
}

test("a merge grows an element's text by the difference of its bytes", () => {
  fc.assert(
    fc.property(info, patch, (before, posted) => {
      assertIsDifference(before, mergeInfo(before, posted))
    }),
  )
})

test("any change grows an element's text by the difference of its bytes", () => {
  fc.assert(fc.property(info, info, assertIsDifference))
})
