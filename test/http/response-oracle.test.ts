/** The response oracle finds responses that differ from the description; all API tests use it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020 } from "ajv/dist/2020.js"
import {
  ResponseValidator,
  describedApi,
  operationOf,
} from "../support/server/response-validator.ts"

const judge = new ResponseValidator()
const json = "application/json"
const time = { epochMillis: 0, iso8601: "2026-01-05T00:00:00.000Z", version: "1", speed: 1 }

function problem(
  path: string,
  body: unknown,
  more: { status?: number; contentType?: string } = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const answer = { method: "GET", path, status: 200, contentType: json, text, ...more }
  return judge.problemOf(answer) ?? "none"
}

test("a response is valid if it has every declared field and no other", () => {
  assert.equal(problem("/time?x=1", time), "none")
  assert.ok(judge.successes.has("GET /time"))
  assert.match(problem("/time", { ...time, more: 1 }), /must NOT have additional properties/)
  assert.match(problem("/time", { epochMillis: 0, version: "1" }), /required property 'iso8601'/)
  assert.match(problem("/time", { ...time, iso8601: "today" }), /must match format "date-time"/)
  assert.match(problem("/time", { ...time, epochMillis: 0.5 }), /must be integer/)
  const page = { content: [{ id: "no UUID", what: 1 }] }
  assert.match(
    judge.problemOf({
      method: "POST",
      path: "/elements/search/elementQuery/",
      status: 200,
      contentType: json,
      text: JSON.stringify({ page }),
    })!,
    /content\/0 must NOT have additional.*match format "uuid"/,
  )
})

test("status, content type and presence of the body are validated too", () => {
  assert.match(problem("/time", time, { status: 201 }), /status 201 is not declared/)
  assert.match(problem("/time", time, { contentType: "text/html" }), /expected the content type/)
  assert.match(problem("/time", ""), /there is no body/)
  assert.equal(judge.problemOf({ ...head, text: "" }), null)
  assert.match(problem("/policies/x", { message: "no" }, { status: 404 }), /required property/)
  const removed = { ...head, method: "DELETE", path: "/policies/x", status: 204 }
  assert.equal(judge.problemOf({ ...removed, text: "" }), null)
  assert.match(judge.problemOf({ ...removed, text: "{}" })!, /where none is declared/)
})

const head = { method: "HEAD", path: "/time", status: 200, contentType: json }

test("a path belongs to the operation that is served there", () => {
  assert.equal(operationOf("GET", "/elements/ids"), "GET /elements/ids")
  assert.equal(operationOf("GET", "/elements/web-1/"), "GET /elements/{elementId}")
  assert.equal(operationOf("POST", "/ingest/events/k"), "POST /ingest/events/{apiId}")
  assert.equal(operationOf("POST", "/ingest/linux/k"), "POST /ingest/{kind}/{apiId}")
  assert.equal(operationOf("HEAD", "/time"), "GET /time")
  assert.equal(operationOf("PUT", "/time"), null)
  assert.equal(operationOf("GET", "/no/such/path"), null)
})

test("the description is valid OpenAPI 3.1 (D2)", async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...describedApi() })
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, "3.1")
})

test("every example of a parameter is one of its values (D2)", () => {
  const ajv = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true })
  for (const [path, item] of Object.entries(describedApi().paths)) {
    for (const { parameters = [] } of Object.values(item)) {
      for (const { name, schema, example } of parameters) {
        const validate = ajv.compile(schema)
        const isFit = example === undefined || validate(example)
        assert.ok(isFit, `${path} ${name}: ${ajv.errorsText(validate.errors)}`)
      }
    }
  }
})

test("every schema is JSON Schema 2020-12, and says what each success is", () => {
  const ajv = new Ajv2020({ strict: true, validateFormats: false, allowUnionTypes: true })
  const api = describedApi()
  ajv.addSchema({ $id: "api", $defs: api.components.schemas })
  const moved = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "api#/$defs/")) as object
  for (const [name, schema] of Object.entries(api.components.schemas)) {
    assert.ok(ajv.validateSchema(moved(schema)), `${name}: ${ajv.errorsText()}`)
  }
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const { schema } of Object.values(content)) {
          const where = `${method} ${path} ${status}`
          assert.ok(ajv.validateSchema(moved(schema)), `${where}: ${ajv.errorsText()}`)
          assert.notDeepEqual(schema, {}, where)
        }
      }
    }
  }
})
