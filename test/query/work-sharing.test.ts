import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import fc from "fast-check"
import {
  runPartitions,
  releaseClaims,
  runClaimedPartitions,
  createWorkQueue,
} from "../../src/query/parallel/work-sharing.ts"

const square = (part: number): number => part * part
const squares = (parts: readonly number[]): number[] => parts.map(square)
/** Nothing takes any time, so that others are waited for without end. */
const timeless = (): number => 0
const partsArbitrary = fc.array(fc.integer(), { minLength: 1, maxLength: 12 })

/** Runs a number of partitions, then fails at the next one. */
function failingAfter(count: number): (part: number) => number {
  let left = count
  return (part) => {
    if (left-- === 0) throw new Error("no more")
    return square(part)
  }
}

test("whichever thread runs a partition or fails, the results are those of one thread", () => {
  const momentArbitrary = fc.record({ at: fc.nat(12), parts: fc.nat(4) })
  fc.assert(
    fc.property(partsArbitrary, fc.array(momentArbitrary, { maxLength: 4 }), (parts, moments) => {
      const { queue, sides } = createWorkQueue(parts.length, moments.length)
      let done = 0
      const others = () => {
        for (const [i, moment] of moments.entries()) {
          if (moment.at === done) runClaimedPartitions(parts, failingAfter(moment.parts), sides[i]!)
        }
      }
      others()
      const work = (part: number): number => {
        done++
        others()
        return square(part)
      }
      assert.deepEqual(runPartitions(parts, work, queue, timeless), squares(parts))
    }),
  )
})

test("the coordinator meets the error of a worker, and then no partition is begun", () => {
  const { queue, sides } = createWorkQueue(3, 2)
  const fail = (): never => {
    throw new Error("damaged")
  }
  runClaimedPartitions([1, 2, 3], fail, sides[0]!)
  assert.throws(() => [...runPartitions([1, 2, 3], fail, queue, timeless)], /damaged/)
  const begun: number[] = []
  runClaimedPartitions([1, 2, 3], (part) => begun.push(part), sides[1]!)
  assert.deepEqual(begun, [])
})

/** Takes a part and does not finish it; plain JavaScript, so that it starts without a loader. */
const stuck = `
  const { workerData, parentPort } = require("node:worker_threads")
  Atomics.compareExchange(workerData, 1, 0, 2)
  parentPort.postMessage("taken")
`

test("the coordinator runs the partition of a thread that ended", async () => {
  const parts = [1, 2, 3]
  const { queue, sides } = createWorkQueue(parts.length, 1)
  const worker = new Worker(stuck, { eval: true, workerData: sides[0]!.state })
  await new Promise((resolve) => worker.once("message", resolve))
  await worker.terminate()
  await turn()
  assert.equal(Atomics.load(queue.state, 1), 2)
  releaseClaims(queue.state, 2)
  assert.deepEqual(runPartitions(parts, square, queue, timeless), squares(parts))
})

test("the coordinator waits for a partition that another thread runs", async () => {
  const { queue } = createWorkQueue(2, 1)
  const worker = new Worker(stuck, { eval: true, workerData: queue.state })
  await new Promise((resolve) => worker.once("message", resolve))
  const freeing = new Worker(
    `const { workerData: state } = require("node:worker_threads")
     setTimeout(() => { Atomics.store(state, 1, 0); Atomics.notify(state, 1) }, 50)`,
    { eval: true, workerData: queue.state },
  )
  assert.deepEqual([...runPartitions([1, 2], square, queue, timeless)], [1, 4])
  await Promise.all([worker.terminate(), freeing.terminate()])
})

test("the coordinator runs the partition of a thread that is late", async () => {
  const parts = [1, 2, 3]
  const { queue, sides } = createWorkQueue(parts.length, 1)
  const worker = new Worker(stuck, { eval: true, workerData: queue.state })
  await new Promise((resolve) => worker.once("message", resolve))
  let nowMs = 0
  const got = runPartitions(parts, square, queue, () => (nowMs += 3))
  assert.deepEqual(got, squares(parts))
  sides[0]!.port.postMessage({ partition: 1, result: -1 })
  assert.deepEqual(got, squares(parts))
  await worker.terminate()
})
