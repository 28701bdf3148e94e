/** Laws of what pages keep in their URLs: addresses and parameters. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { matchPattern, parseAddress, printAddress } from "../../src/web/url/address.ts"
import {
  flagParameter,
  listParameter,
  numberParameter,
  readParameters,
  textParameter,
  wordParameter,
  writeParameters,
} from "../../src/web/url/parameters.ts"

test("an address that is printed is read as it was, whatever its parts are", () => {
  const part = fc.string({ minLength: 1, unit: "grapheme" })
  fc.assert(
    fc.property(fc.array(part), fc.dictionary(part, fc.string()), (segments, query) => {
      const read = parseAddress(printAddress(segments, new URLSearchParams(query)))
      assert.deepEqual(read.segments, segments)
      assert.deepEqual(Object.fromEntries(read.query), { ...query })
    }),
  )
  assert.deepEqual(parseAddress("elements/100%").segments, ["elements", "100%"])
  assert.deepEqual(matchPattern("elements/:fqn", ["elements", "a/b"]), { fqn: "a/b" })
  assert.equal(matchPattern("elements/:fqn", ["elements"]), null)
})

/** Records like those of the code. */
const own = { noNullPrototype: true } as const

const definition = {
  q: textParameter(),
  sort: wordParameter(["name", "level"], "name"),
  page: numberParameter(1, 1, 1000),
  live: flagParameter(true),
  columns: listParameter(["name"]),
}

test("parameters that are printed are read as they were, and defaults are left out", () => {
  const values = fc.record(
    {
      q: fc.string({ maxLength: 200 }),
      sort: fc.constantFrom("name" as const, "level" as const),
      page: fc.integer({ min: 1, max: 1000 }),
      live: fc.boolean(),
      columns: fc.array(fc.string({ minLength: 1 })),
    },
    own,
  )
  fc.assert(
    fc.property(values, (given) => {
      const query = writeParameters(definition, new URLSearchParams("other=1"), given)
      const read = readParameters(definition, new URLSearchParams(query.toString()))
      assert.deepEqual(read, { values: given, broken: [] })
      assert.equal(query.get("other"), "1")
    }),
  )
  const defaults = readParameters(definition, new URLSearchParams()).values
  assert.equal(writeParameters(definition, new URLSearchParams("page=7"), defaults).toString(), "")
})

test("a parameter that cannot be read keeps its fallback and is named", () => {
  const query = new URLSearchParams("page=0&sort=size&live=yes&q=x")
  const { values, broken } = readParameters(definition, query)
  assert.deepEqual(broken, ["sort", "page", "live"])
  assert.deepEqual(values, { q: "x", sort: "name", page: 1, live: true, columns: ["name"] })
})
