import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { createWorkingUnits, WorkingMemory } from "../../src/query/core/working-memory.ts"

const mib = 1024 ** 2
const bytesMax = 8 * mib
const overloaded = { code: "overloaded" }

interface Step {
  readonly query: number
  readonly thread: number
  readonly bytes: number
  readonly isTaking: boolean
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  query: fc.nat(1),
  thread: fc.nat(2),
  bytes: fc.integer({ min: 1, max: 2 * mib }),
  isTaking: fc.boolean(),
})

test("what is used is reserved, within the limit, whichever thread frees it", () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 80 }), (steps) => {
      const shared = createAnswerMemory(bytesMax)
      const memory = new AnswerMemory(shared)
      const queries = [0, 1].map((tenant) => {
        const units = createWorkingUnits()
        const threads = [0, 1, 2].map(
          () => new WorkingMemory(new AnswerMemory(shared), tenant, units),
        )
        return { threads, used: [] as number[] }
      })
      const usedBytes = () => queries.flatMap(({ used }) => used).reduce((sum, n) => sum + n, 0)
      for (const { query, thread, bytes, isTaking } of steps) {
        const { threads, used } = queries[query]!
        if (!isTaking) {
          // By another thread than the one that took it, as often as not.
          const freed = used.pop()
          if (freed !== undefined) threads[thread]!.free(freed)
        } else if (isTaken(() => threads[thread]!.take(bytes))) used.push(bytes)
        assert.ok(memory.usedBytes >= usedBytes())
        assert.ok(memory.usedBytes <= bytesMax)
        const spare = queries.length * 3 * 321 * 1024
        assert.ok(memory.usedBytes <= usedBytes() + spare, "no more than a little is kept free")
      }
      for (const { threads } of queries) threads[0]!.end()
      assert.equal(memory.usedBytes, 0)
    }),
    { numRuns: 300 },
  )
})

function isTaken(take: () => void): boolean {
  try {
    take()
    return true
  } catch (error) {
    assert.equal((error as { code?: string }).code, "overloaded")
    return false
  }
}

test("bytes beyond the share of the tenant are refused, and counted for no one", () => {
  const memory = new AnswerMemory(createAnswerMemory(bytesMax))
  const [one, other] = [new WorkingMemory(memory, 0), new WorkingMemory(memory, 0)]
  one.take(3 * mib)
  assert.throws(() => other.take(2 * mib), overloaded)
  one.take(mib / 2)
  new WorkingMemory(memory, 1).take(3 * mib)
  assert.throws(() => memory.reserve(0, mib), overloaded, "parts of answers have the same share")
  one.end()
  other.take(2 * mib)
})

test("without an answer memory nothing is counted", () => {
  const working = new WorkingMemory(null, 0)
  working.take(Number.MAX_SAFE_INTEGER)
  working.free(1)
  working.end()
})
