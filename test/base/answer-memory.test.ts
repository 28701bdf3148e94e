import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { AnswerMemory, createAnswerMemory } from "../../src/base/answer-memory.ts"
import { ServiceError } from "../../src/base/errors.ts"

const kib = 1024
const bytesMax = 64 * kib

test("reservations stay within the limit, and within half of it for one tenant", () => {
  const step = fc.record({
    tenant: fc.nat(3),
    bytes: fc.integer({ min: 1, max: 20 * kib }),
    isReserving: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const parts = createAnswerMemory(bytesMax)
      // Threads share the counters.
      const sides = [new AnswerMemory(parts), new AnswerMemory(parts)]
      const held: { tenant: number; bytes: number }[] = []
      const units = (of: typeof held) =>
        of.reduce((sum, { bytes }) => sum + Math.ceil(bytes / kib) * kib, 0)
      for (const [i, { tenant, bytes, isReserving }] of steps.entries()) {
        const memory = sides[i % 2]!
        if (!isReserving) {
          const one = held.pop()
          if (one !== undefined) memory.release(one.tenant, one.bytes)
          continue
        }
        const wanted = [...held, { tenant, bytes }]
        const fits =
          units(wanted) <= bytesMax &&
          units(wanted.filter((one) => one.tenant === tenant)) <= bytesMax / 2
        if (fits) {
          memory.reserve(tenant, bytes)
          held.push({ tenant, bytes })
        } else {
          assert.throws(
            () => memory.reserve(tenant, bytes),
            (error) => error instanceof ServiceError && error.code === "overloaded",
          )
        }
        assert.equal(memory.usedBytes, units(held))
      }
      for (const { tenant, bytes } of held) sides[0]!.release(tenant, bytes)
      assert.equal(sides[1]!.usedBytes, 0)
    }),
    { numRuns: 200 },
  )
})

test("releasing bytes that were not reserved fails an assertion", () => {
  const memory = new AnswerMemory(createAnswerMemory(bytesMax))
  memory.reserve(0, 1)
  memory.release(0, 1)
  assert.throws(() => memory.release(0, 1), /Expected no more to be given back/)
})

test("a changed limit counts for all threads, and what is reserved stays", () => {
  const shared = createAnswerMemory(bytesMax)
  const [one, other] = [new AnswerMemory(shared), new AnswerMemory(shared)]
  one.reserve(0, bytesMax / 2)
  other.setBytesMax(bytesMax / 2)
  assert.throws(() => one.reserve(1, kib), /all accounts/)
  one.release(0, bytesMax / 2)
  one.reserve(1, kib)
  assert.equal(other.usedBytes, kib)
})
