import assert from "node:assert/strict"
import { test } from "node:test"
import * as shared from "../../src/base/limits.ts"
import * as accounts from "../../src/base/limits/accounts.ts"
import * as queries from "../../src/base/limits/queries.ts"

const limits = { ...shared, ...accounts, ...queries }

test("every limit is a positive whole number", () => {
  for (const [name, value] of Object.entries(limits)) {
    assert.ok(Number.isSafeInteger(value) && value > 0, `${name} is ${value}`)
  }
})

test("limits that the API text promises have the promised values", () => {
  const f = (value: number, want: number) => assert.equal(value, want)

  f(limits.errorStringsMax, 20)
  f(limits.pageSizeDefault, 10)
  f(limits.pageSizeMax, 10_000)
  f(limits.exactSamplesMax, 4096)
  f(limits.durationMsMax, 14 * 24 * 3_600_000)
})
