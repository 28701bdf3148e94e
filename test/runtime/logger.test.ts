import assert from "node:assert/strict"
import { test } from "node:test"
import type { LogFormat, LogLevel } from "../../src/base/log.ts"
import { createPinoLogger } from "../../src/runtime/logger.ts"

function collect(format: LogFormat, level: LogLevel = "debug") {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const clock = { nowMs: 0 }
  const ends: (() => void)[] = []
  const times = {
    elapsedMs: () => clock.nowMs,
    delay: (end: () => void) => (ends.push(end), () => {}),
  }
  const logger = createPinoLogger({ settings: { level, format }, destination, times })
  return { logger, lines, clock, ends }
}

test("fields named like secrets are replaced at any depth, in both formats and in children", () => {
  for (const format of ["json", "text"] as const) {
    const { logger, lines } = collect(format)
    const secrets = { password: "hunter2", list: [{ apiKey: "hunter2" }] }
    logger.child({ Authorization: "Basic hunter2" }).warn({ deep: { secrets } }, "refused")
    assert.equal(lines.length, 1)
    assert.doesNotMatch(lines[0]!, /hunter2/)
    assert.equal(lines[0]!.match(/\[secret\]/g)?.length, 3)
  }
})

test("a JSON line carries level by name, time in ISO 8601, message and fields", () => {
  const { logger, lines } = collect("json")
  logger.child({ room: "http" }).info({ port: 8080 }, "listening")
  const { time, ...rest } = JSON.parse(lines[0]!)
  assert.deepEqual(rest, { level: "info", room: "http", port: 8080, msg: "listening" })
  assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test("a text line is one readable line, and an error's stack is indented below it", () => {
  const { logger, lines } = collect("text")
  logger.info({ port: 8080, who: "two words", line: "a\nb" }, "listening")
  logger.error({ err: new Error("disk full") }, "append failed")
  assert.match(lines[0]!, /^\S+Z info  listening port=8080 who="two words" line="a\\nb"\n$/)
  assert.match(lines[1]!, /^\S+Z error append failed\n  Error: disk full\n      at /)
})

test("levels below the chosen one are not written, and silent writes nothing", () => {
  const warn = collect("json", "warn")
  warn.logger.info({}, "no")
  warn.logger.debug({}, "no")
  warn.logger.warn({}, "yes")
  assert.equal(warn.lines.length, 1)
  const silent = collect("text", "silent")
  silent.logger.error({}, "no")
  assert.equal(silent.lines.length, 0)
})

test("a field that contains itself is cut off", () => {
  const { logger, lines } = collect("json")
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  logger.info({ circle }, "round")
  assert.match(lines[0]!, /\[deep\]/)
})

test("credentials in texts and errors are replaced, and an error has no other property", () => {
  const { logger, lines } = collect("json")
  const cause = new Error("smtp://ada:hunter2@mail refused Basic aHVudGVyMg==")
  const err = Object.assign(new Error("POST /ingest/hunter2hunter2hunter2 failed", { cause }), {
    code: "ECONNREFUSED",
    request: { body: "hunter2" },
  })
  logger.error({ err, url: "https://hunter2@host/x" }, "failed")
  assert.doesNotMatch(lines[0]!, /hunter2|aHVudGVyMg/)
  const line = JSON.parse(lines[0]!)
  assert.equal(line.url, "https://[secret]@host/x")
  assert.equal(line.err.message, "POST /ingest/[secret] failed")
  assert.equal(line.err.code, "ECONNREFUSED")
  assert.match(line.err.cause.message, /^smtp:\/\/\[secret\]@mail refused Basic \[secret\]$/)
})

test("an equal warning is written once a minute, then with its count", () => {
  const { logger, lines, clock, ends } = collect("json")
  for (let i = 0; i < 100; i++) logger.warn({ queue: 1, requestId: String(i) }, "full")
  logger.warn({ queue: 2 }, "full")
  assert.equal(lines.length, 2)
  assert.equal(ends.length, 1)
  clock.nowMs = 60_000
  for (const end of ends.splice(0)) end()
  assert.equal(JSON.parse(lines[2]!).repeated, 99)
  assert.equal(JSON.parse(lines[2]!).msg, "full")
  logger.warn({ queue: 1 }, "full")
  assert.equal(lines.length, 4)
})

test("the count comes before a line of the next minute, and only once", () => {
  const { logger, lines, clock, ends } = collect("json")
  for (let i = 0; i < 3; i++) logger.error({}, "failed")
  clock.nowMs = 61_000
  logger.error({}, "failed")
  for (const end of ends) end()
  const shown = lines.map((line) => JSON.parse(line).repeated ?? 0)
  assert.deepEqual(shown, [0, 2, 0])
})

test("a sentence with ever different fields is written thirty times a minute", () => {
  const { logger, lines } = collect("json")
  for (let i = 0; i < 1_000; i++) logger.warn({ i }, "odd")
  for (let i = 0; i < 1_000; i++) logger.info({ i }, "even")
  assert.equal(lines.length, 30 + 1_000)
})
