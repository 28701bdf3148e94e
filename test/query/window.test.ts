import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { dayMs } from "../../src/model/resolution.ts"
import { QueryParameters } from "../../src/query/core/parameters.ts"
import { readWindowParameters, unflushedSpan, readWindow } from "../../src/query/core/window.ts"
import { Problems } from "../../src/wire/problems.ts"

const nowMs = Date.parse("2024-03-05T12:00:00Z")
/** The end of a window until now. */
const afterNow = "2024-03-05T12:00:00.001Z"
const at = (text: string) => Date.parse(text)

function read(params: Record<string, string>) {
  const problems = new Problems()
  const lists = Object.fromEntries(Object.entries(params).map(([name, text]) => [name, [text]]))
  const span = readWindow(
    readWindowParameters(new QueryParameters(lists, problems)),
    nowMs,
    problems,
  )
  problems.throwIfAny()
  return span
}

test("the window follows from what is given, duration before all", () => {
  const f = (params: Record<string, string>, start: string, end: string) =>
    assert.deepEqual(read(params), { startMs: at(start), endMs: at(end) })

  const [startTime, endTime] = ["2024-01-01T00:00:00Z", "2024-01-02T00:00:00+01:00"]
  f({}, "2024-03-05T11:00:00.001Z", afterNow)
  f({ startTime, endTime }, "2024-01-01T00:00:00Z", "2024-01-01T23:00:00Z")
  f({ startTime }, "2024-01-01T00:00:00Z", afterNow)
  f({ endTime }, "2024-01-01T22:00:00Z", "2024-01-01T23:00:00Z")
  f({ startTime: endTime, endTime }, "2024-01-01T23:00:00Z", "2024-01-01T23:00:00Z")
  f({ duration: "PT30m" }, "2024-03-05T11:30:00.001Z", afterNow)
  f({ duration: "P3D", startTime, endTime }, "2024-03-02T12:00:00.001Z", afterNow)
  f({ duration: "PT1H", startTime: "rubbish" }, "2024-03-05T11:00:00.001Z", afterNow)
  f({ duration: "P14D" }, "2024-02-20T12:00:00.001Z", afterNow)
  f({ duration: "", startTime: " " }, "2024-03-05T11:00:00.001Z", afterNow)
  f({ startTime: "20240101", endTime: "20240102" }, "2024-01-01T00:00Z", "2024-01-02T00:00Z")
  f({ startTime: "1704067200000" }, "2024-01-01T00:00:00Z", afterNow)
  f({ startTime: "1990-01-01T00:00Z" }, "1990-01-01T00:00Z", afterNow)
})

test("a window until now contains the millisecond of the query", () => {
  for (const params of [{}, { duration: "PT1H" }, { startTime: "2024-03-05T12:00:00Z" }]) {
    const { startMs, endMs } = read(params)
    assert.ok(startMs <= nowMs && nowMs < endMs, JSON.stringify(params))
  }
})

test("a window that has no meaning is refused with its field and value", () => {
  const f = (params: Record<string, string>, ...want: RegExp[]) =>
    assert.throws(
      () => read(params),
      (error: Error & { code: string; problems: string[] }) => {
        assert.equal(error.code, "invalid")
        assert.equal(error.problems.length, want.length, error.message)
        want.forEach((pattern, i) => assert.match(error.problems[i]!, pattern))
        return true
      },
    )
  f({ duration: "P14DT1S" }, /^duration: expected at most two weeks \(P14D\), got "P14DT1S"$/)
  f({ duration: "1h" }, /^duration: expected an ISO 8601 duration such as PT1H, got "1h"$/)
  f({ startTime: "2024-01-01T00:00:00" }, /^startTime: cannot read "2024-.*no zone is given/)
  f({ endTime: "2024-01-01T00:00 EDT" }, /^endTime: cannot read .*zone name EDT/)
  f({ startTime: "x", endTime: "y" }, /^endTime: cannot read "y"/, /^startTime: cannot read "x"/)
  f({ startTime: "20240102", endTime: "20240101" }, /^startTime: expected it before endTime/)
  f({ startTime: "20300101" }, /^startTime: expected it before endTime \(now\), got "20300101"$/)
})

test("epoch seconds, microseconds and nanoseconds are refused with a hint (B7)", () => {
  const f = (text: string, problem: string) => {
    const want = { message: `startTime: cannot read "${text}": it seems to be in epoch ${problem}` }
    assert.throws(() => read({ startTime: text }), want)
  }
  f("1704067200", "seconds: multiply it by 1000")
  f("1704067200.25", "seconds: multiply it by 1000")
  f("1.7e9", "seconds: multiply it by 1000")
  f("1704067200000000", "microseconds: divide it by 1000")
  f("1704067200000000000", "nanoseconds: divide it by 1000000")
  // Some clients send 0 or 1 for "from the beginning"; the last is written as a date.
  for (const startTime of ["0", "1", "1970-01-20T17:21Z"]) assert.ok(read({ startTime }))
})

test("the unflushed span is the whole days around the window, and an hour before", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), (startMs, lengthMs) => {
      const span = { startMs, endMs: startMs + lengthMs }
      const open = unflushedSpan(span)
      assert.ok(open.startMs < startMs && open.startMs > startMs - 2 * dayMs)
      assert.ok(open.endMs >= span.endMs && open.endMs < span.endMs + dayMs)
      assert.equal(Math.abs(open.endMs % dayMs), 0)
    }),
  )
})
