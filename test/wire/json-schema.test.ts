import assert from "node:assert/strict"
import { test } from "node:test"
import * as v from "valibot"
import { booleanValue, objectValue, textValue, wholeNumberIn } from "../../src/wire/body.ts"
import { describeSchema } from "../../src/wire/description/json-schema.ts"

const refStart = "#/components/schemas/"
const place = { named: {}, refStart }

test("an object is described by what may be sent, defaults and all", () => {
  const schema = objectValue({
    name: textValue,
    page: v.nullish(wholeNumberIn(0, 5), 0),
    isOn: v.nullish(booleanValue),
  })
  const { schema: described, definitions } = describeSchema(schema, "Body", place)
  assert.deepEqual(definitions, {})
  const number = { anyOf: [{ type: "number" }, { type: "string", pattern: "^\\d{1,16}$" }] }
  const truth = [{ type: "boolean" }, { type: "string", enum: ["true", "false"] }]
  assert.deepEqual(described, {
    type: "object",
    required: ["name"],
    properties: {
      name: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
      page: { anyOf: [number, { type: "null" }], description: "Default: 0" },
      isOn: { anyOf: [{ anyOf: truth }, { type: "null" }] },
    },
  })
})

test("a recursive schema is described once, by a name of its own", () => {
  const group: v.GenericSchema = objectValue({ items: v.array(v.lazy(() => group)) })
  const { schema, definitions } = describeSchema(objectValue({ group }), "Query", place)
  const [name, ...others] = Object.keys(definitions)
  assert.deepEqual(others, [])
  const $ref = refStart + name!
  assert.match(name!, /^Query\d+$/)
  assert.deepEqual(schema.properties, { group: { $ref } })
  assert.deepEqual(definitions[name!], {
    type: "object",
    properties: { items: { type: "array", items: { $ref } } },
    required: ["items"],
  })
})

test("an array is no object, though valibot alone takes it for one", () => {
  const schema = objectValue({ a: v.nullish(v.string()) })
  assert.equal(v.is(schema, {}), true)
  for (const other of [[], [1], null, "x", 1]) assert.equal(v.is(schema, other), false)
})
