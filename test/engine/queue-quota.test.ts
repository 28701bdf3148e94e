import assert from "node:assert/strict"
import { test } from "node:test"
import { Share } from "../../src/engine/queue-quota.ts"
import type { Pot } from "../../src/engine/queue-quota.ts"

function rig(bytesMax: number) {
  const pot: Pot = { bytesMax, held: 0, promised: 0, active: 0 }
  const late: (() => void)[] = []
  const delay = (callback: () => void) => {
    late.push(callback)
    return () => void late.splice(late.indexOf(callback), 1)
  }
  return { pot, late, share: () => new Share(pot, delay) }
}

test("a key alone may take up to seven eighths; a newcomer finds room, and a share later", () => {
  const { pot, share } = rig(800)
  const [noisy, quiet] = [share(), share()]
  let taken = 0
  while (noisy.admission(10) === "room") taken += Number(noisy.hold(10)) * 10
  assert.equal(taken, 700)
  assert.equal(noisy.admission(10), "overShare")
  assert.equal(quiet.admission(10), "room")
  quiet.hold(10)
  assert.equal(noisy.admission(1), "overShare")
  noisy.release(360)
  assert.equal(noisy.admission(10), "room", "half of seven eighths is 350")
  noisy.hold(10)
  assert.equal(quiet.admission(100), "room")
  noisy.release(350)
  quiet.release(10)
  assert.deepEqual(pot, { bytesMax: 800, held: 0, promised: 0, active: 0 })
})

test("up to half of the pot nobody is asked for a share, and one request always fits", () => {
  const { share } = rig(800)
  const [one, other] = [share(), share()]
  one.hold(300)
  other.hold(10)
  assert.equal(one.admission(90), "room")
  assert.equal(one.admission(91), "overShare")
  one.release(300)
  assert.equal(one.admission(790), "room")
  assert.equal(one.admission(791), "full")
})

test("a promise counts until it is kept, ended or forgotten", () => {
  const kib = 1024
  const { pot, late, share } = rig(1024 * kib)
  const one = share()
  assert.equal(one.promise(10), null, "small bodies come at once")
  const kept = one.promise(500 * kib)!
  assert.equal(one.admission(500 * kib), "overShare")
  assert.equal(share().admission(600 * kib), "full")
  kept.keep(100 * kib)
  one.hold(100 * kib)
  assert.deepEqual([pot.held, pot.promised], [100 * kib, 400 * kib])
  kept.keep(900 * kib)
  assert.equal(pot.promised, 0)
  kept.end()
  one.release(100 * kib)
  assert.deepEqual([pot.held, pot.promised, pot.active, late.length], [0, 0, 0, 0])

  const silent = one.promise(500 * kib)!
  for (const forget of late.splice(0)) forget()
  assert.deepEqual([pot.promised, pot.active], [0, 0])
  silent.end()
  assert.deepEqual([pot.promised, pot.active], [0, 0])
})
