import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { IntLists } from "../../src/catalogue/int-lists.ts"

/** Adds a list, appends a number to one, or takes numbers of it away. */
const step = fc.oneof(
  fc.constant({ kind: "add" } as const),
  fc.record({ kind: fc.constantFrom("halve" as const, "remove" as const), list: fc.nat(40) }),
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
          lists.addList(plain.length)
          plain.push([])
          continue
        }
        const list = one.list % plain.length
        if (one.kind === "push") {
          views.push({ view: lists.view(list), want: [...plain[list]!] })
          for (let i = 0; i < one.times; i++, next++) {
            lists.push(list, next)
            plain[list]!.push(next)
          }
          continue
        }
        if (one.kind === "halve") {
          plain[list] = plain[list]!.filter((_, i) => i % 2 === 0)
          lists.replace(list, Int32Array.from(plain[list]))
          continue
        }
        lists.removeList(list)
        lists.addList(list)
        plain[list] = []
      }
      plain.forEach((want, list) => assert.deepEqual([...lists.view(list)], want))
      // Views do not change.
      for (const { view, want } of views) assert.deepEqual([...view], want)
    }),
  )
})

test("pushing to a list that does not exist fails", () => {
  const lists = new IntLists()
  assert.throws(() => lists.push(0, 1), /Expected a list that was added/)
})

test("space that lists left is used again, and views stay what they were", () => {
  const lists = new IntLists()
  lists.addList(0)
  lists.push(0, 7)
  const before = lists.view(0)
  for (let list = 1; list < 3_000; list++) {
    lists.addList(list)
    for (let i = 0; i < 100; i++) lists.push(list, i)
    if (list > 10) lists.removeList(list - 10)
  }
  assert.deepEqual([[...before], [...lists.view(0)]], [[7], [7]])
  assert.deepEqual([...lists.view(2_999)], [...Array(100).keys()])
  assert.equal(lists.view(5).length, 0)
  // A thousand entries are in use, of 300,000 that were.
  assert.ok(lists.length < 200_000, `${lists.length}`)
})
