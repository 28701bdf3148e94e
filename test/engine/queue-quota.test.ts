import assert from "node:assert/strict"
import { test } from "node:test"
import { QueueQuota } from "../../src/engine/queue-quota.ts"
import type { QueueBudget } from "../../src/engine/queue-quota.ts"

const unused = { reservedBytes: 0, announcedBytes: 0, activeQuotas: 0, isMemoryShort: false }

function fixture(bytesMax: number) {
  const quota: QueueBudget = { bytesMax, ...unused }
  const late: (() => void)[] = []
  const delay = (callback: () => void) => {
    late.push(callback)
    return () => void late.splice(late.indexOf(callback), 1)
  }
  return { quota, late, share: () => new QueueQuota(quota, delay) }
}

test("one key may use seven eighths; a new key is admitted, and shares become equal", () => {
  const { quota, share } = fixture(800)
  const [noisy, quiet] = [share(), share()]
  let taken = 0
  while (noisy.admission(10) === "admitted") taken += Number(noisy.reserve(10)) * 10
  assert.equal(taken, 700)
  assert.equal(noisy.admission(10), "overQuota")
  assert.equal(quiet.admission(10), "admitted")
  quiet.reserve(10)
  assert.equal(noisy.admission(1), "overQuota")
  noisy.release(360)
  assert.equal(noisy.admission(10), "admitted", "half of seven eighths is 350")
  noisy.reserve(10)
  assert.equal(quiet.admission(100), "admitted")
  noisy.release(350)
  quiet.release(10)
  assert.deepEqual(quota, { bytesMax: 800, ...unused })
})

test("up to half of the budget no quota applies, and one request of a key always fits", () => {
  const { share } = fixture(800)
  const [one, other] = [share(), share()]
  one.reserve(300)
  other.reserve(10)
  assert.equal(one.admission(90), "admitted")
  assert.equal(one.admission(91), "overQuota")
  one.release(300)
  assert.equal(one.admission(790), "admitted")
  assert.equal(one.admission(791), "full")
})

test("announced bytes count until they are received, ended or expired", () => {
  const kib = 1024
  const { quota, late, share } = fixture(1024 * kib)
  const one = share()
  assert.equal(one.announce(10), null, "small bodies come at once")
  const kept = one.announce(500 * kib)!
  assert.equal(one.admission(500 * kib), "overQuota")
  assert.equal(share().admission(600 * kib), "full")
  kept.received(100 * kib)
  one.reserve(100 * kib)
  assert.deepEqual([quota.reservedBytes, quota.announcedBytes], [100 * kib, 400 * kib])
  kept.received(900 * kib)
  assert.equal(quota.announcedBytes, 0)
  kept.end()
  one.release(100 * kib)
  assert.deepEqual(
    [quota.reservedBytes, quota.announcedBytes, quota.activeQuotas, late.length],
    [0, 0, 0, 0],
  )

  const silent = one.announce(500 * kib)!
  for (const forget of late.splice(0)) forget()
  assert.deepEqual([quota.announcedBytes, quota.activeQuotas], [0, 0])
  silent.end()
  assert.deepEqual([quota.announcedBytes, quota.activeQuotas], [0, 0])
})

test("while memory is short no request may start, and admitted ones go on", () => {
  const { quota, share } = fixture(800)
  const one = share()
  quota.isMemoryShort = true
  assert.equal(one.admission(1), "memoryShort")
  assert.ok(one.reserve(10))
  one.release(10)
  quota.isMemoryShort = false
  assert.equal(one.admission(1), "admitted")
})
