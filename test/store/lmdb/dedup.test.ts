import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { copyIfAscending, mergeMultisets } from "../../../src/store/lmdb/merge/dedup.ts"
import { SampleRun } from "../../../src/store/lmdb/encoding/sample-run.ts"
import {
  canonical,
  cramped,
  incomingOf,
  sampleRunOf,
  samplesOf,
  sampleText,
  spread,
  type RawSample,
} from "../../support/ingest/raw-samples.ts"

type Multiset = readonly RawSample[]

const multiset = fc.array(cramped, { maxLength: 8 })
const multisets = fc.array(multiset, { maxLength: 5 })

/** The result of `mergeMultisets` for stored samples and one group of requests. */
function merge(stored: Multiset, requests: readonly Multiset[]): RawSample[] {
  const columns = sampleRunOf([stored])
  const samples = incomingOf(requests)
  const order = Int32Array.from(samples.values, (_, i) => i)
  const out = new SampleRun()
  const arrived = { samples, order, from: 0, to: order.length }
  mergeMultisets({ columns, from: 0, to: columns.count }, arrived, out)
  return samplesOf(out)
}

/** Each distinct sample as often as in the request that holds it most often. */
function naiveUnion(all: readonly Multiset[]): RawSample[] {
  const most = new Map<string, { sample: RawSample; count: number }>()
  for (const one of all) {
    const counts = new Map<string, number>()
    for (const sample of one) {
      const text = sampleText(sample)
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      if (count > (most.get(text)?.count ?? 0)) most.set(text, { sample, count })
    }
  }
  const copies = [...most.values()].flatMap(({ sample, count }) => Array(count).fill(sample))
  return canonical(copies as RawSample[])
}

function assertSame(got: Multiset, want: Multiset): void {
  assert.deepEqual(got.map(sampleText), want.map(sampleText))
}

test("the union holds each sample as often as the request that has most of it, in order", () => {
  fc.assert(
    fc.property(multiset, multisets, (stored, requests) => {
      assertSame(merge(canonical(stored), requests), naiveUnion([stored, ...requests]))
    }),
    { numRuns: 1000 },
  )
})

test("many arrivals are as few", () => {
  const many = fc.array(fc.array(cramped, { minLength: 30, maxLength: 60 }), { minLength: 3 })
  fc.assert(
    fc.property(multiset, many, (stored, requests) => {
      assertSame(merge(canonical(stored), requests), naiveUnion([stored, ...requests]))
    }),
    { numRuns: 30 },
  )
})

test("what arrived of many slots is their union, if each is later than the one before it", () => {
  const slots = fc.array(fc.array(fc.oneof(cramped, spread), { maxLength: 4 }), { minLength: 1 })
  let taken = 0
  fc.assert(
    fc.property(slots, fc.boolean(), (lists, isSorted) => {
      const all = isSorted ? lists.map(canonical) : lists
      fc.pre(all.some((one) => one.length > 0))
      const samples = incomingOf([all.flat()])
      const order = Int32Array.from(samples.values, (_, i) => i)
      samples.slots.set(all.flatMap((one, slot) => one.map(() => slot)))
      const out = new SampleRun(1)
      const isTaken = copyIfAscending({ samples, order, from: 0, to: order.length }, out)
      const isLater = all.every((one) =>
        one.every((each, i) => i === 0 || each.timeMs > one[i - 1]!.timeMs),
      )
      assert.equal(isTaken, isLater)
      if (!isTaken) return
      taken++
      for (const [slot, one] of all.entries()) {
        const part = new SampleRun()
        part.append(out, out.slotFrom(slot), out.slotTo(slot))
        assertSame(samplesOf(part), naiveUnion([one]))
      }
    }),
    { numRuns: 500 },
  )
  assert.ok(taken > 50, `Expected that many are taken, got ${taken}`)
})

test("samples that are all different and later are placed after the stored ones", () => {
  fc.assert(
    fc.property(fc.array(spread), fc.array(spread), (stored, later) => {
      const shifted = later.map((one) => ({ ...one, timeMs: one.timeMs + 3_600_000 }))
      const both = naiveUnion([stored, shifted])
      assertSame(merge(canonical(stored), [canonical(shifted)]), both)
    }),
    { numRuns: 200 },
  )
})

test("the union is commutative", () => {
  fc.assert(
    fc.property(multiset, multiset, multiset, (stored, a, b) => {
      const first = merge(merge(canonical(stored), [a]), [b])
      assertSame(merge(merge(canonical(stored), [b]), [a]), first)
      assertSame(merge(canonical(stored), [b, a]), first)
    }),
    { numRuns: 500 },
  )
})

test("the union is associative: how requests are grouped makes no difference", () => {
  fc.assert(
    fc.property(multisets, fc.nat(), (requests, cut) => {
      const at = cut % (requests.length + 1)
      const parted = merge(merge([], requests.slice(0, at)), requests.slice(at))
      assertSame(parted, merge([], requests))
    }),
    { numRuns: 500 },
  )
})

test("the union is idempotent: a request that comes again changes nothing", () => {
  fc.assert(
    fc.property(multiset, multisets, (stored, requests) => {
      const once = merge(canonical(stored), requests)
      assertSame(merge(once, requests), once)
      assertSame(merge(once, [...requests, ...requests]), once)
      assertSame(merge(once, [once]), once)
    }),
    { numRuns: 500 },
  )
})
