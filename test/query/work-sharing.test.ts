import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import fc from "fast-check"
import {
  doParts,
  giveBack,
  helpWithParts,
  shareOut,
} from "../../src/query/parallel/work-sharing.ts"

const square = (part: number): number => part * part
const squares = (parts: readonly number[]): number[] => parts.map(square)
/** Nothing takes any time, so that others are waited for without end. */
const timeless = (): number => 0
const partsArbitrary = fc.array(fc.integer(), { minLength: 1, maxLength: 12 })

/** Does so many parts, then fails at the next one. */
function failingAfter(count: number): (part: number) => number {
  let left = count
  return (part) => {
    if (left-- === 0) throw new Error("no more")
    return square(part)
  }
}

test("whoever does which part, and fails when, the results are those of one thread", () => {
  const momentArbitrary = fc.record({ at: fc.nat(12), parts: fc.nat(4) })
  fc.assert(
    fc.property(partsArbitrary, fc.array(momentArbitrary, { maxLength: 4 }), (parts, moments) => {
      const { sharing, sides } = shareOut(parts.length, moments.length)
      let done = 0
      const others = () => {
        for (const [i, moment] of moments.entries()) {
          if (moment.at === done) helpWithParts(parts, failingAfter(moment.parts), sides[i]!)
        }
      }
      others()
      const work = (part: number): number => {
        done++
        others()
        return square(part)
      }
      assert.deepEqual(doParts(parts, work, sharing, timeless), squares(parts))
    }),
  )
})

test("what a helper fails with the asker meets, and then nobody begins another part", () => {
  const { sharing, sides } = shareOut(3, 2)
  const fail = (): never => {
    throw new Error("damaged")
  }
  helpWithParts([1, 2, 3], fail, sides[0]!)
  assert.throws(() => [...doParts([1, 2, 3], fail, sharing, timeless)], /damaged/)
  const begun: number[] = []
  helpWithParts([1, 2, 3], (part) => begun.push(part), sides[1]!)
  assert.deepEqual(begun, [])
})

/** Takes a part and does not finish it; plain JavaScript, so that it starts without a loader. */
const stuck = `
  const { workerData, parentPort } = require("node:worker_threads")
  Atomics.compareExchange(workerData, 1, 0, 2)
  parentPort.postMessage("taken")
`

test("the part of a thread that ended is done by the asker", async () => {
  const parts = [1, 2, 3]
  const { sharing, sides } = shareOut(parts.length, 1)
  const worker = new Worker(stuck, { eval: true, workerData: sides[0]!.state })
  await new Promise((resolve) => worker.once("message", resolve))
  await worker.terminate()
  await turn()
  assert.equal(Atomics.load(sharing.state, 1), 2)
  giveBack(sharing.state, 2)
  assert.deepEqual(doParts(parts, square, sharing, timeless), squares(parts))
})

test("a part that another thread is at is waited for", async () => {
  const { sharing } = shareOut(2, 1)
  const worker = new Worker(stuck, { eval: true, workerData: sharing.state })
  await new Promise((resolve) => worker.once("message", resolve))
  const freeing = new Worker(
    `const { workerData: state } = require("node:worker_threads")
     setTimeout(() => { Atomics.store(state, 1, 0); Atomics.notify(state, 1) }, 50)`,
    { eval: true, workerData: sharing.state },
  )
  assert.deepEqual([...doParts([1, 2], square, sharing, timeless)], [1, 4])
  await Promise.all([worker.terminate(), freeing.terminate()])
})

test("the part of a thread that is late is done by the asker", async () => {
  const parts = [1, 2, 3]
  const { sharing, sides } = shareOut(parts.length, 1)
  const worker = new Worker(stuck, { eval: true, workerData: sharing.state })
  await new Promise((resolve) => worker.once("message", resolve))
  let nowMs = 0
  const got = doParts(parts, square, sharing, () => (nowMs += 3))
  assert.deepEqual(got, squares(parts))
  sides[0]!.port.postMessage({ part: 1, result: -1 })
  assert.deepEqual(got, squares(parts))
  await worker.terminate()
})
