import assert from "node:assert/strict"
import { test } from "node:test"
import { AssertionError } from "../../src/base/assert.ts"
import { errorCodes, ServiceError } from "../../src/base/errors.ts"
import type { ErrorCode } from "../../src/base/errors.ts"
import {
  errorResponseOf,
  malformedRequestResponse,
  statusByCode,
  UnreadableBody,
} from "../../src/http/shared/errors.ts"

const nowMs = 1_700_000_000_123
const context = { nowMs, requestId: "id-7" }
const requestIds = { idOf: () => "id-7" }
const codes = Object.keys(errorCodes) as ErrorCode[]

test("every error code has a status, and every status belongs to a code", () => {
  assert.deepEqual(Object.keys(statusByCode).sort(), [...codes].sort())
})

test("errorResponseOf() gives every code the one shape with its status", () => {
  for (const code of codes) {
    const { status, body } = errorResponseOf(
      new ServiceError(code, ["one", "two"]),
      context,
      requestIds,
    )
    assert.equal(status, statusByCode[code][0])
    assert.equal(body.status, status)
    assert.equal(body.message, statusByCode[code][1])
    assert.ok(body.errors.length > 0)
    assert.equal(body.serverTimestamp, nowMs)
    assert.equal(body.requestId, "id-7")
    assert.equal(body.iso8601DateTime, "2023-11-14T22:13:20.123Z")
  }
})

test("errorResponseOf() sets the headers that a client needs to react", () => {
  const f = (error: ServiceError, want: Record<string, string>) =>
    assert.deepEqual(errorResponseOf(error, context, requestIds).headers, want)
  f(new ServiceError("unauthenticated", "x"), {
    "WWW-Authenticate": 'Basic realm="tidegauge", charset="UTF-8"',
  })
  f(new ServiceError("throttled", "x", { retryAfterSeconds: 60 }), { "Retry-After": "60" })
  f(new ServiceError("overloaded", "x", { retryAfterSeconds: 1 }), { "Retry-After": "1" })
  f(new ServiceError("stopping", "x"), { "Retry-After": "5" })
  f(new ServiceError("invalid", "x"), {})
})

test("errorResponseOf() shows only a request id of an internal error", () => {
  const inside = [
    new Error("path /secret"),
    new AssertionError("path /secret"),
    new ServiceError("storage", "path /secret"),
    "path /secret",
  ]
  for (const error of inside) {
    const { status, body } = errorResponseOf(error, context, requestIds)
    assert.equal(status, 500)
    assert.match(body.detail, /id-7/)
    assert.doesNotMatch(JSON.stringify(body), /secret/)
  }
})

test("an unreadable body is a 400 with the documented detail", () => {
  const { status, body } = errorResponseOf(new UnreadableBody("no JSON"), context, requestIds)
  assert.equal(status, 400)
  assert.equal(body.detail, "Error Parsing JSON Request")
  assert.deepEqual(body.errors, ["no JSON"])
})

test("malformedRequestResponse() maps an overflow and a timeout; others are a 400", () => {
  const f = (code: string | undefined, want: number) =>
    assert.equal(malformedRequestResponse(code, context).status, want)
  f("HPE_HEADER_OVERFLOW", 431)
  f("ERR_HTTP_REQUEST_TIMEOUT", 408)
  f("HPE_CHUNK_EXTENSIONS_OVERFLOW", 413)
  f("HPE_INVALID_METHOD", 400)
  f(undefined, 400)
})
