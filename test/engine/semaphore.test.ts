import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Semaphore } from "../../src/engine/semaphore.ts"

test("never more than so many at a time, in order, and a failure frees its slot", async () => {
  const works = fc.array(
    fc.record({ turns: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() }),
    { maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), works, async (count, all) => {
      const slots = new Semaphore(count)
      const begun: number[] = []
      let running = 0
      let most = 0
      const ends = await Promise.allSettled(
        all.map(({ turns, fails }, i) =>
          slots.run(async () => {
            begun.push(i)
            most = Math.max(most, ++running)
            for (let turn = 0; turn < turns; turn++) await Promise.resolve()
            running--
            if (fails) throw new Error(String(i))
            return i
          }),
        ),
      )
      assert.deepEqual(begun, [...all.keys()])
      assert.equal(most, Math.min(count, all.length))
      for (const [i, end] of ends.entries()) {
        if (all[i]!.fails) assert.equal(end.status === "rejected" && end.reason.message, String(i))
        else assert.equal(end.status === "fulfilled" && end.value, i)
      }
    }),
  )
})
