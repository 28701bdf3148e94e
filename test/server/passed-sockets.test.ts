import assert from "node:assert/strict"
import { test } from "node:test"
import { noSockets, takePassedSockets } from "../../src/server/startup/passed-sockets.ts"

const variables = (count: string, names?: string, pid = "7") => ({
  LISTEN_PID: pid,
  LISTEN_FDS: count,
  ...(names === undefined ? {} : { LISTEN_FDNAMES: names }),
})

test("descriptors follow the order of the names; a single socket needs none", () => {
  const f = (count: string, names: string | undefined, http: number | null, other: number | null) =>
    assert.deepEqual(takePassedSockets(variables(count, names), 7), { http, redirect: other })

  f("1", undefined, 3, null)
  f("1", "http", 3, null)
  f("1", "tidegauge.socket", 3, null)
  f("1", "redirect", null, 3)
  f("2", "http:redirect", 3, 4)
  f("2", "redirect:http", 4, 3)
  f("0", "", null, null)
})

test("sockets of another process, and none, leave the server to listen itself", () => {
  assert.deepEqual(takePassedSockets({}, 7), noSockets)
  assert.deepEqual(takePassedSockets({ LISTEN_FDS: "1" }, 7), noSockets)
  assert.deepEqual(takePassedSockets(variables("1", "http", "8"), 7), noSockets)
})

test("the variables are removed, also those of another process", () => {
  for (const pid of ["7", "8"]) {
    const env = { ...variables("1", "http", pid), PATH: "/bin" }
    takePassedSockets(env, 7)
    assert.deepEqual(env, { PATH: "/bin" })
  }
})

test("a malformed variable is refused with its name and value", () => {
  const f = (env: Record<string, string>, problem: RegExp) =>
    assert.throws(() => takePassedSockets(env, 7), problem)

  f(variables("1", "http", "7x"), /^ServiceError: LISTEN_PID "7x": expected a whole number$/)
  f(variables("-1"), /LISTEN_FDS "-1": expected a whole number/)
  f(variables("3", "http:redirect:http"), /LISTEN_FDS "3": expected at most 2 sockets/)
  f(variables("2"), /LISTEN_FDNAMES "": expected 2 different names of http, redirect/)
  f(variables("2", "http:http"), /LISTEN_FDNAMES "http:http"/)
  f(variables("2", "http:other"), /LISTEN_FDNAMES "http:other"/)
  f(variables("2", "http"), /LISTEN_FDNAMES "http": expected 2/)
})
