import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { IntLists } from "../../src/catalogue/int-lists.ts"

/** Adds a list, or appends a number to one. */
const step = fc.oneof(
  fc.constant({ kind: "add" } as const),
  fc.record({ kind: fc.constant("push" as const), list: fc.nat(40), times: fc.nat(30) }),
)

test("lists are independent, in any order of growth", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const lists = new IntLists()
      const plain: number[][] = []
      const views: { readonly view: Int32Array; readonly want: readonly number[] }[] = []
      let next = 0
      for (const one of steps) {
        if (one.kind === "add" || plain.length === 0) {
          lists.addList()
          plain.push([])
          continue
        }
        const list = one.list % plain.length
        views.push({ view: lists.view(list), want: [...plain[list]!] })
        for (let i = 0; i < one.times; i++, next++) {
          lists.push(list, next)
          plain[list]!.push(next)
        }
      }
      assert.equal(lists.count, plain.length)
      plain.forEach((want, list) => assert.deepEqual([...lists.view(list)], want))
      // Views do not change.
      for (const { view, want } of views) assert.deepEqual([...view], want)
    }),
  )
})

test("pushing to a list that does not exist fails", () => {
  const lists = new IntLists()
  assert.throws(() => lists.push(0, 1), /Expected one of 0 lists, got 0/)
})
