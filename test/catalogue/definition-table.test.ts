import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { DefinitionTable } from "../../src/catalogue/definition-table.ts"
import { TextByteCount } from "../../src/catalogue/text-byte-count.ts"
import { defaultDefinition, type MetricDefinition } from "../../src/model/element.ts"

const pairs = fc.constantFrom([], [{ name: "a", value: "1" }], [{ name: "a", value: "2" }])

/** Few enough that equal ones are frequent. */
const definition: fc.Arbitrary<MetricDefinition> = fc
  .record({
    unit: fc.constantFrom("", "ms"),
    name: fc.constantFrom(null, "", "load"),
    tags: pairs,
    serviceTags: fc.option(pairs, { nil: undefined }),
    settings: fc.constantFrom(undefined, { validMin: 0 }, { validMin: 1 }),
  })
  .map(({ serviceTags, settings, ...said }) => ({
    ...defaultDefinition,
    ...said,
    ...(serviceTags === undefined ? {} : { serviceTags }),
    ...(settings === undefined ? {} : { settings }),
  }))

test("equal definitions have one number, independent of the guess; others differ", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(definition, fc.nat())), (said) => {
      const definitions = new DefinitionTable(new TextByteCount())
      const numbers = said.map(([one, guess]) => {
        const { count } = definitions
        return definitions.upsert(one, count === 0 ? -1 : guess % count)
      })
      for (const [i, [one]] of said.entries()) {
        assert.deepEqual(definitions.at(numbers[i]!), one)
        assert.equal(numbers[i], definitions.upsert(structuredClone(one)))
        assert.ok(definitions.has(one))
      }
      assert.equal(definitions.count, new Set(numbers).size)
    }),
  )
})
