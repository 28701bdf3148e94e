import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type SampleField, sampleFields } from "../../src/model/sample-batch.ts"
import { Contributions, isPartial, sampleMean } from "../../src/rollup/contribution.ts"

type Sent = Partial<Record<SampleField, number>>

function packed(sent: Sent): { mask: number; fields: number[] } {
  const mask = sampleFields.reduce((m, name, bit) => (name in sent ? m | (1 << bit) : m), 0)
  return { mask, fields: sampleFields.map((name) => sent[name] ?? 0) }
}

test("missing fields of a sample are derived from the others", () => {
  const f = (sent: Sent, want: readonly number[], partial: boolean) => {
    const { mask, fields } = packed(sent)
    const all = new Contributions()
    all.pushSample(mask, fields)
    const { mean, count, sum, min, max } = all
    assert.deepEqual([mean[0], count[0], sum[0], min[0], max[0]], want, JSON.stringify(sent))
    assert.equal(all.partial[0], partial ? 1 : 0)
    assert.equal(isPartial(mask), partial)
    assert.equal(sampleMean(mask, fields), want[0])
  }
  //                                                    mean count sum min max
  f({ val: 5 }, [5, 1, 5, 5, 5], false)
  f({ min: 1, max: 9, avg: 4, cnt: 3, sum: 12 }, [4, 3, 12, 1, 9], false)
  f({ val: 99, min: 1, max: 9, avg: 4, cnt: 3, sum: 12 }, [4, 3, 12, 1, 9], false)
  f({ avg: 4 }, [4, 1, 4, 4, 4], true)
  f({ avg: 4, cnt: 3 }, [4, 3, 12, 4, 4], true)
  f({ val: 4, cnt: 3 }, [4, 3, 12, 4, 4], true)
  f({ val: 4, min: 1, max: 9, cnt: 2 }, [4, 2, 8, 1, 9], true)
  f({ val: 7, avg: 4, cnt: 2 }, [4, 2, 8, 4, 4], true)
  f({ sum: 12 }, [12, 1, 12, 12, 12], true)
  f({ sum: 12, cnt: 4 }, [3, 4, 12, 3, 3], true)
  f({ sum: 0.3, cnt: 3 }, [0.1, 3, 0.3, 0.1, 0.1], true)
  f({ min: 2, max: 4 }, [3, 1, 3, 2, 4], true)
  f({ min: 2, max: 4, cnt: 5 }, [3, 5, 15, 2, 4], true)
  f({ min: 2 }, [2, 1, 2, 2, 2], true)
  f({ max: 4, cnt: 2 }, [4, 2, 8, 4, 4], true)
  f({ cnt: 6 }, [1, 6, 6, 1, 1], true)
  f({ min: 10, avg: 5 }, [5, 1, 5, 10, 10], true)
  f({ max: 1, avg: 5 }, [5, 1, 5, 1, 1], true)
})

test("a count of 0 contributes nothing; its value is its average, else its sum, else 0", () => {
  const f = (sent: Sent, want: number) => {
    const { mask, fields } = packed(sent)
    const all = new Contributions()
    all.pushSample(mask, fields)
    assert.equal(all.count[0], 0)
    assert.equal(sampleMean(mask, fields), want)
  }
  f({ cnt: 0 }, 0)
  f({ cnt: 0, sum: 0, avg: 3 }, 3)
  f({ cnt: 0, sum: 2 }, 2)
  f({ cnt: -4, val: 2 }, 0)
})

test("entries are read from their own six fields", () => {
  const fields = [...packed({ val: 1 }).fields, ...packed({ val: 2, cnt: 3 }).fields]
  assert.equal(sampleMean(packed({ val: 2, cnt: 3 }).mask, fields, 1), 2)
  const all = new Contributions()
  all.pushSample(packed({ val: 2, cnt: 3 }).mask, fields, 1)
  assert.equal(all.sum[0], 6)
})

test("for any sample, the digest's value is inside [min, max] and all columns are finite", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const six = fc.array(number, { minLength: 6, maxLength: 6 })
  fc.assert(
    fc.property(six, fc.integer({ min: 1, max: 63 }), (fields, mask) => {
      const all = new Contributions()
      all.pushSample(mask, fields)
      for (const column of [all.mean, all.count, all.sum, all.min, all.max]) {
        assert.ok(Number.isFinite(column[0]))
      }
      if (all.min[0]! > all.max[0]!) return
      assert.ok(all.min[0]! <= all.digestMean(0) && all.digestMean(0) <= all.max[0]!)
    }),
  )
})

test("contributions grow beyond their initial capacity", () => {
  const all = new Contributions()
  for (let i = 0; i < 1000; i++) all.pushValue(i)
  assert.equal(all.length, 1000)
  assert.equal(all.sum[999], 999)
  all.clear()
  assert.equal(all.length, 0)
})
