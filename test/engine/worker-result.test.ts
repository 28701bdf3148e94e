import assert from "node:assert/strict"
import { test } from "node:test"
import { errorCodes, ServiceError, type ErrorCode } from "../../src/base/errors.ts"
import { unwrapWorkerResult, toWorkerResult } from "../../src/engine/worker-result.ts"

test("a value is unwrapped unchanged", async () => {
  const value = { bytes: Uint8Array.of(1, 2), none: null }
  assert.deepEqual(unwrapWorkerResult(structuredClone(await toWorkerResult(() => value))), value)
  assert.equal(
    unwrapWorkerResult(structuredClone(await toWorkerResult(async () => undefined))),
    undefined,
  )
})

test("a ServiceError of any code survives a structured clone", async () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    for (const options of [{}, { retryAfterSeconds: 2 }]) {
      const sent = new ServiceError(code, ["field a: 1", "field b: 2"], options)
      const outcome = await toWorkerResult(() => Promise.reject(sent))
      assert.throws(
        () => unwrapWorkerResult(structuredClone(outcome)),
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

test("any other error is a bug and is rethrown unchanged", async () => {
  const bug = new TypeError("x is not a function")
  const work = () => {
    throw bug
  }
  await assert.rejects(toWorkerResult(work), (error: unknown) => error === bug)
})
