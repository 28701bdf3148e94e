import assert from "node:assert/strict"
import { test } from "node:test"
import { createPinoLogger, type PinoLoggerOptions } from "../../src/runtime/logger.ts"

function collect(format: PinoLoggerOptions["format"], level: PinoLoggerOptions["level"] = "debug") {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { logger: createPinoLogger({ level, format, destination }), lines }
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
