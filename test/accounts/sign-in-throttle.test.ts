import assert from "node:assert/strict"
import { test } from "node:test"
import { addressGroup } from "../../src/accounts/address-group.ts"
import { FailureTable } from "../../src/accounts/failure-table.ts"
import { SignInThrottle } from "../../src/accounts/sign-in-throttle.ts"
import { ServiceError } from "../../src/base/errors.ts"
import {
  failureExpiryMs,
  pendingSignInsMax,
  pendingSignInsPerAddressMax,
} from "../../src/base/limits/accounts.ts"

test("clients of one IPv6 /64 share a group; IPv4 is its own in both notations", () => {
  const f = (address: string | undefined, want: string) =>
    assert.equal(addressGroup(address), want, address)
  f("192.0.2.7", "192.0.2.7")
  f("::ffff:192.0.2.7", "192.0.2.7")
  f("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64")
  f("2001:db8:1:2::1", "2001:db8:1:2::/64")
  f("2001:db8::1", "2001:db8:0:0::/64")
  f("2001:DB8:0001:2:ffff::", "2001:db8:1:2::/64")
  f("fe80::1%eth0", "fe80:0:0:0::/64")
  f("::1", "0:0:0:0::/64")
  f(undefined, "none")
  f("", "none")
})

test("a full table evicts keys with few failures, not the one that failed often", () => {
  const table = new FailureTable(100)
  for (let time = 0; time < 5; time++) table.charge("often", 0)
  for (let key = 0; key < 10_000; key++) {
    table.charge(`new ${key}`, key)
    assert.ok(table.size <= 100)
  }
  assert.equal(table.get("often", 10_000)?.count, 5)
  assert.equal(table.get("often", failureExpiryMs), undefined)
})

test("failures expire an hour after the last one", () => {
  const table = new FailureTable()
  table.charge("a", 0)
  table.charge("a", 1_000)
  assert.equal(table.get("a", failureExpiryMs)?.count, 2)
  assert.equal(table.get("a", failureExpiryMs + 1_000), undefined)
})

const refusal = (code: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === code && error.retryAfterSeconds! >= 1

test("pending sign-ins are limited, in total and for each address", () => {
  const throttle = new SignInThrottle(() => 0)
  for (let i = 0; i < pendingSignInsPerAddressMax; i++) throttle.reserve("a")
  assert.throws(() => throttle.reserve("a"), refusal("throttled"))
  for (let i = pendingSignInsPerAddressMax; i < pendingSignInsMax; i++)
    throttle.reserve(`other ${i}`)
  assert.throws(() => throttle.reserve("b"), refusal("overloaded"))
  throttle.release("a")
  throttle.reserve("b")
})

test("an attacker on many accounts gets one hash a second and delays others there by 2 s", () => {
  let nowMs = 0
  const throttle = new SignInThrottle(() => nowMs)
  let hashes = 0
  for (; nowMs < 60_000; nowMs += 10) {
    try {
      throttle.schedule({ address: "a", account: `${nowMs}@example.org`, exists: true })
      hashes++
    } catch (error) {
      assert.ok(refusal("throttled")(error))
    }
  }
  assert.ok(hashes <= 10 + 60 + 20, `${hashes} hashes`)
  const elsewhere = throttle.schedule({ address: "b", account: "x@example.org", exists: true })
  assert.equal(elsewhere.startMs, nowMs)
})

test("attackers at many addresses do not delay the account at an address it used before", () => {
  let nowMs = 0
  const throttle = new SignInThrottle(() => nowMs)
  const own = { address: "home", account: "ada@example.org", exists: true }
  throttle.succeeded(own, throttle.schedule(own))
  let hashes = 0
  for (; nowMs < 60_000; nowMs += 10) {
    try {
      throttle.schedule({ ...own, address: `bot ${nowMs}` })
      hashes++
    } catch (error) {
      assert.ok(refusal("throttled")(error))
    }
  }
  assert.ok(hashes < 60, `${hashes} hashes`)
  assert.equal(throttle.schedule(own).startMs, nowMs)
})

test("a successful sign-in does not reset the failures of an address", () => {
  const throttle = new SignInThrottle(() => 0)
  const own = { address: "a", account: "own@example.org", exists: true }
  let latestMs = 0
  for (let round = 0; round < 200; round++) {
    const guess = { address: "a", account: `${round}@example.org`, exists: true }
    try {
      latestMs = Math.max(latestMs, throttle.schedule(guess).startMs)
      throttle.succeeded(own, throttle.schedule(own))
    } catch (error) {
      assert.ok(refusal("throttled")(error))
      return
    }
  }
  assert.fail(`Expected a refusal, got starts up to ${latestMs} ms`)
})

test("successful sign-ins take back the spacing that they added to an attacked address", () => {
  const throttle = new SignInThrottle(() => 0)
  for (let i = 0; i < 40; i++) {
    throttle.schedule({ address: "a", account: `${i}@example.org`, exists: false })
  }
  for (let i = 0; i < 20; i++) {
    const right = { address: "a", account: `right${i}@example.org`, exists: true }
    const turn = throttle.schedule(right)
    assert.equal(turn.startMs, 0)
    throttle.succeeded(right, turn)
  }
})
