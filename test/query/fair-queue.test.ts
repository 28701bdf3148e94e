import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { usageHalfLifeMs, trackedUsersMax } from "../../src/base/limits/queries.ts"
import { FairQueue, type QueryOwner } from "../../src/query/admission/fair-queue.ts"

interface Item extends QueryOwner {
  readonly number: number
}

const any = () => true
const party: fc.Arbitrary<QueryOwner> = fc.record({
  tenant: fc.integer({ min: 0, max: 2 }),
  user: fc.constantFrom("a", "b", "c"),
})
const parties = fc.array(party, { minLength: 1, maxLength: 60 })

function filled(all: readonly QueryOwner[]): { turns: FairQueue<Item>; items: Item[] } {
  const turns = new FairQueue<Item>()
  const items = all.map((one, number) => ({ ...one, number }))
  for (const item of items) turns.add(item)
  return { turns, items }
}

/** Serves whose turn it is, each at a cost. */
function take(turns: FairQueue<Item>, nowMs: number, costMs: number): Item | null {
  const next = turns.next(nowMs, any)
  if (next === null) return null
  turns.remove(next)
  turns.noteTurn(next)
  turns.charge(next, costMs, nowMs)
  return next
}

function takeAll(turns: FairQueue<Item>, costMs = 5): Item[] {
  const taken: Item[] = []
  for (let one; (one = take(turns, 0, costMs)) !== null;) taken.push(one)
  return taken
}

const keyOf = ({ tenant, user }: QueryOwner): string => `${tenant}${user}`

test("every waiting item has one turn, and items of one user go in order", () => {
  fc.assert(
    fc.property(parties, (all) => {
      const { turns, items } = filled(all)
      const taken = takeAll(turns)
      assert.equal(turns.size, 0)
      assert.deepEqual(new Set(taken), new Set(items))
      for (const key of new Set(all.map(keyOf))) {
        const numbers = taken.filter((one) => keyOf(one) === key).map((one) => one.number)
        assert.deepEqual(
          numbers,
          numbers.toSorted((left, right) => left - right),
        )
      }
    }),
  )
})

test("at equal costs tenants, and users of one, take turns while they wait", () => {
  const f = (
    groupOf: (one: QueryOwner) => string | number,
    of: (all: QueryOwner[]) => QueryOwner[],
  ) =>
    fc.assert(
      fc.property(parties, (all) => {
        const { turns, items } = filled(of(all))
        const waiting = new Map<string | number, number>()
        for (const one of items) waiting.set(groupOf(one), (waiting.get(groupOf(one)) ?? 0) + 1)
        const served = new Map([...waiting.keys()].map((key) => [key, 0]))
        for (const one of takeAll(turns)) {
          const key = groupOf(one)
          // Who is served now has not been served more often than another who waits.
          for (const [other, left] of waiting) {
            if (left > 0) assert.ok(served.get(key)! <= served.get(other)!, `${key} ${other}`)
          }
          served.set(key, served.get(key)! + 1)
          waiting.set(key, waiting.get(key)! - 1)
        }
      }),
    )
  f(
    (one) => one.tenant,
    (all) => all,
  )
  f(
    (one) => one.user,
    (all) => all.map((one) => ({ ...one, tenant: 1 })),
  )
})

test("a light user goes before a heavy one, regardless of arrival", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.boolean(), (count, isOtherTenant) => {
      const turns = new FairQueue<Item>()
      const heavy = { tenant: 1, user: "heavy" }
      const light = { tenant: isOtherTenant ? 2 : 1, user: "light" }
      turns.charge(heavy, 9_000, 0)
      turns.charge(light, 40, 0)
      for (let number = 0; number < count; number++) turns.add({ ...heavy, number })
      turns.add({ ...light, number: count })
      assert.equal(turns.next(0, any)!.number, count)
      assert.equal(turns.hasUsedMore(heavy, light, 0), true)
      assert.equal(turns.hasUsedMore(light, heavy, 0), false)
    }),
  )
})

test("use decays with a half-life", () => {
  const turns = new FairQueue<Item>()
  const [past, now] = [
    { tenant: 1, user: "past", number: 0 },
    { tenant: 1, user: "now", number: 1 },
  ]
  turns.add(past)
  turns.add(now)
  turns.charge(past, 1_000, 0)
  turns.charge(now, 600, 0)
  assert.equal(turns.next(0, any), now)
  turns.charge(now, 300, usageHalfLifeMs)
  assert.equal(turns.next(usageHalfLifeMs, any), past)
})

test("an item that may not go is skipped, and keeps its position", () => {
  const turns = new FairQueue<Item>()
  const [first, second] = [0, 1].map((number) => ({ tenant: 1, user: "a", number }))
  turns.add(first!)
  turns.add(second!)
  assert.equal(
    turns.next(0, ({ number }) => number > 0),
    second,
  )
  assert.equal(
    turns.next(0, () => false),
    null,
  )
  assert.equal(turns.next(0, any), first)
  assert.equal(turns.remove(first!), true)
  assert.equal(turns.remove(first!), false)
  turns.add(first!, true)
  assert.equal(turns.next(0, any), first)
})

test("a look-up goes before the other queries of its own user only", () => {
  const turns = new FairQueue<Item>()
  const [first, second] = [0, 1].map((number) => ({ tenant: 1, user: "a", number }))
  const lookUp = { tenant: 1, user: "a", number: 2, isLookUp: true }
  for (const one of [first!, second!, lookUp]) turns.add(one)
  assert.equal(turns.next(0, any), lookUp)
  assert.equal(
    turns.next(0, ({ number }) => number < 2),
    first,
  )
  const light = { tenant: 1, user: "b", number: 3 }
  turns.add(light)
  turns.charge(first!, 5, 0)
  assert.equal(turns.next(0, any), light)
})

test("the last of the longest queue is that of the user with the most", () => {
  fc.assert(
    fc.property(parties, fc.option(fc.integer({ min: 0, max: 2 })), (all, tenant) => {
      const { turns, items } = filled(all)
      const counted = (of: (one: QueryOwner) => string | number, among: readonly Item[]) => {
        const counts = new Map<string | number, number>()
        for (const one of among) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1)
        return counts
      }
      const last = turns.lastOfLongest(tenant)
      const ofTenants = counted((one) => one.tenant, items)
      if (tenant !== null && !ofTenants.has(tenant)) return assert.equal(last, null)
      assert.ok(last !== null)
      const most = (counts: Map<unknown, number>) => [...counts.values()].sort((a, b) => b - a)[0]
      if (tenant === null) assert.equal(ofTenants.get(last.tenant), most(ofTenants))
      else assert.equal(last.tenant, tenant)
      const users = counted(
        keyOf,
        items.filter((one) => one.tenant === last.tenant),
      )
      assert.equal(users.get(keyOf(last)), most(users))
      const own = items.filter((one) => keyOf(one) === keyOf(last))
      assert.equal(own.at(-1), last)
    }),
  )
})

test("idle users are dropped once there are many, waiting ones are not", () => {
  const turns = new FairQueue<Item>()
  const waiting = { tenant: 1, user: "waiting", number: 0 }
  turns.add(waiting)
  for (let i = 0; i <= trackedUsersMax; i++) turns.charge({ tenant: 0, user: `u${i}` }, 1, 0)
  turns.charge({ tenant: 2, user: "heavy" }, 1_000_000, 0)
  turns.evictIdle(2 * usageHalfLifeMs)
  assert.equal(turns.next(0, any), waiting)
  const other = { tenant: 2, user: "heavy" }
  assert.equal(turns.hasUsedMore(other, waiting, 2 * usageHalfLifeMs), true)
  assert.equal(turns.hasUsedMore({ tenant: 0, user: "u1" }, waiting, 2 * usageHalfLifeMs), false)
})
