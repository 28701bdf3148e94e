import assert from "node:assert/strict"
import { test } from "node:test"
import { socketAddress, takeNotify } from "../../src/runtime/notify-socket.ts"

test("an address is the family and the path; @ begins an abstract name", () => {
  const f = (path: string, want: string) =>
    assert.equal(socketAddress(path).toString("latin1"), `\x01\0${want}`)

  f("/run/systemd/notify", "/run/systemd/notify\0")
  f("@abc", "\0abc")
  f(`/${"a".repeat(106)}`, `/${"a".repeat(106)}\0`)
})

test("a path that no socket can have is refused with its name", () => {
  for (const path of ["run/notify", "vsock:2:1234", `/${"a".repeat(107)}`]) {
    assert.throws(
      () => takeNotify({ NOTIFY_SOCKET: path }),
      /^ServiceError: NOTIFY_SOCKET ".*": expected a path/,
    )
  }
})

test("without a socket there is nothing to notify", () => {
  assert.equal(takeNotify({}), null)
  assert.equal(takeNotify({ NOTIFY_SOCKET: "" }), null)
})

test("a socket without a reader is an error of the message, not of the process", () => {
  const env = { NOTIFY_SOCKET: "/nowhere/notify.socket", PATH: "/usr/bin" }
  const notify = takeNotify(env)!
  assert.deepEqual(env, { PATH: "/usr/bin" })
  assert.throws(() => notify(["READY=1"]), /NOTIFY_SOCKET|systemd-notify/)
})
