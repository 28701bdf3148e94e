import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  answerBytesDefault,
  bodyBytesDefault,
  memoryBytesMin,
  prefetchBytesMax,
  queueBytesDefault,
  sampleLimitPartitionSamples,
  seriesDefault,
  unflushedBytesMax,
} from "../../src/base/limits.ts"
import {
  memoryProblem,
  memoryThresholds,
  plannedKeys,
  planMemory,
  type ChosenParts,
  type MemoryPlan,
} from "../../src/config/memory-plan.ts"

const mib = 1024 ** 2
/** Of the least that is supported up to a large machine, most of them small. */
const bytes = fc.oneof(
  fc.integer({ min: memoryBytesMin, max: 4096 * mib }),
  fc.integer({ min: memoryBytesMin, max: 512 * 1024 * mib }),
)
const cores = fc.integer({ min: 1, max: 128 })

function plan(limitBytes: number, coreCount: number, chosen: Partial<ChosenParts> = {}) {
  return planMemory({ limit: { bytes: limitBytes, source: "test" }, cores: coreCount, chosen })
}

function sumOf({ parts }: MemoryPlan): number {
  return Object.values(parts).reduce((sum, one) => sum + one, 0)
}

/** All sizes of a plan, by name. */
function sizesOf(one: MemoryPlan): Record<string, number> {
  const numbers = Object.entries(one).filter(([, value]) => typeof value === "number")
  return Object.fromEntries(numbers)
}

test("the parts fit what the reserve leaves of the limit", () => {
  fc.assert(
    fc.property(bytes, cores, (limitBytes, coreCount) => {
      const one = plan(limitBytes, coreCount)
      assert.ok(sumOf(one) <= limitBytes - one.reserveBytes)
      assert.ok(one.reserveBytes >= 64 * mib)
      assert.equal(memoryProblem(one), null)
    }),
  )
})

test("no size shrinks if there is more memory", () => {
  fc.assert(
    fc.property(bytes, fc.nat(1024 * mib), cores, (limitBytes, more, coreCount) => {
      const less = sizesOf(plan(limitBytes, coreCount))
      const greater = sizesOf(plan(limitBytes + more, coreCount))
      for (const [name, size] of Object.entries(less)) assert.ok(size <= greater[name]!, name)
    }),
  )
})

test("with enough memory every size is the one of a server without a limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 128 }), fc.nat(64 * 1024), (coreCount, more) => {
      const one = plan((64 * 1024 + more) * mib, coreCount)
      const workerCount = Math.min(64, Math.max(1, coreCount - 1))
      assert.ok(one.isFull)
      assert.deepEqual(sizesOf(one), {
        reserveBytes: one.reserveBytes,
        queueBytesMax: queueBytesDefault,
        answerBytesMax: answerBytesDefault,
        unflushedBytesMax,
        flushSamplesMax: 2_000_000,
        partitionSamplesMax: sampleLimitPartitionSamples,
        scannerCacheBytes: 128 * mib,
        prefetchBytesMax,
        seriesMax: seriesDefault,
        heapGrowthSeriesMax: 200_000,
        shardNurseryMb: 64,
        queryNurseryMb: 64,
        scanNurseryMb: 16,
        workerCount,
        scanWorkerCount: Math.min(workerCount, coreCount - 1),
        closingThreads: Math.min(Math.max(1, workerCount - 1), 4),
      })
    }),
  )
})

test("that much is 2.5 GiB with two cores, 5 with eight", () => {
  const f = (gib: number, coreCount: number, want: boolean) =>
    assert.equal(plan(gib * 1024 * mib, coreCount).isFull, want, `${gib} GiB, ${coreCount} cores`)

  f(2.5, 2, true)
  f(2, 2, false)
  f(4, 4, true)
  f(5, 8, true)
  f(4, 8, false)
})

test("the least that is supported fits, with any number of cores", () => {
  fc.assert(
    fc.property(cores, (coreCount) => {
      const one = plan(memoryBytesMin, coreCount)
      assert.ok(sumOf(one) + one.reserveBytes <= memoryBytesMin)
      assert.ok(one.queueBytesMax >= bodyBytesDefault)
      assert.ok(one.seriesMax >= 100_000)
      assert.ok(one.workerCount >= 1)
    }),
  )
})

test("what the operator chose holds; if it does not fit, a sentence says so", () => {
  const chosen = fc.record({
    workerCount: fc.integer({ min: 1, max: 64 }),
    scanWorkerCount: fc.integer({ min: 0, max: 64 }),
    queueBytesMax: fc.integer({ min: mib, max: 4096 * mib }),
    answerBytesMax: fc.integer({ min: mib, max: 4096 * mib }),
    seriesMax: fc.integer({ min: 1, max: 100_000_000 }),
  })
  fc.assert(
    fc.property(bytes, cores, chosen, (limitBytes, coreCount, choice) => {
      const one = plan(limitBytes, coreCount, choice)
      for (const key of plannedKeys) assert.equal(one[key], choice[key])
      const fits = sumOf(one) + one.reserveBytes <= limitBytes
      assert.equal(memoryProblem(one) === null, fits)
    }),
  )
})

test("less than the least gets the least sizes, and a sentence with both figures", () => {
  const one = plan(256 * mib, 2)
  assert.equal(one.seriesMax, 100_000)
  assert.match(memoryProblem(one)!, /limited to 256 MiB \(test\), and 448 MiB are needed/)
})

test("the guard collects, then refuses where the reserve begins, and eases below both", () => {
  fc.assert(
    fc.property(bytes, cores, (limitBytes, coreCount) => {
      const one = plan(limitBytes, coreCount)
      const { collectBytes, easedBytes, shortBytes } = memoryThresholds(one)
      assert.equal(shortBytes, limitBytes - one.reserveBytes)
      assert.ok(collectBytes < easedBytes && easedBytes < shortBytes)
    }),
  )
})
