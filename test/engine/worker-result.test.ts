import assert from "node:assert/strict"
import { test } from "node:test"
import { errorCodes, ServiceError, type ErrorCode } from "../../src/base/errors.ts"
import { fromOutcome, toOutcome } from "../../src/engine/worker-result.ts"

test("a value crosses as it is", async () => {
  const value = { bytes: Uint8Array.of(1, 2), none: null }
  assert.deepEqual(fromOutcome(structuredClone(await toOutcome(() => value))), value)
  assert.equal(fromOutcome(structuredClone(await toOutcome(async () => undefined))), undefined)
})

test("a ServiceError of any code comes out of a structured clone as it went in", async () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    for (const options of [{}, { retryAfterSeconds: 2 }]) {
      const sent = new ServiceError(code, ["field a: 1", "field b: 2"], options)
      const outcome = await toOutcome(() => Promise.reject(sent))
      assert.throws(
        () => fromOutcome(structuredClone(outcome)),
        (error: unknown) => {
          assert.ok(error instanceof ServiceError)
          assert.deepEqual([error.code, error.problems], [code, sent.problems])
          assert.deepEqual(error.retryAfterSeconds, sent.retryAfterSeconds)
          return true
        },
      )
    }
  }
})

test("what is no ServiceError is a bug, and is thrown on as it is", async () => {
  const bug = new TypeError("x is not a function")
  const work = () => {
    throw bug
  }
  await assert.rejects(toOutcome(work), (error: unknown) => error === bug)
})
