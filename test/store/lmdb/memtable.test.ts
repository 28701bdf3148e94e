import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { runSync } from "../../../src/base/cooperative.ts"
import { Catalogue } from "../../../src/catalogue/catalogue.ts"
import { cycleMs } from "../../../src/model/resolution.ts"
import {
  fieldCount,
  findAggregate,
  runOf,
  SampleBatchBuilder,
  type SampleBatch,
} from "../../../src/model/sample-batch.ts"
import { isObserved } from "../../../src/rollup/contribution.ts"
import {
  columnsToBatchRecord,
  type BatchRecord,
} from "../../../src/store/lmdb/encoding/batch-record.ts"
import {
  type GroupedSamples,
  groupPass,
  GroupWorkspace,
  planGroups,
} from "../../../src/store/lmdb/merge/group-by-block.ts"
import { Memtable, type PendingBatch } from "../../../src/store/lmdb/wal/memtable.ts"
import { orderByCycleAndSlot } from "../../../src/store/lmdb/merge/sort-samples.ts"
import { cramped, incomingOf, spread, type RawSample } from "../../support/ingest/raw-samples.ts"

const seriesCount = 4
type Sent = readonly [series: number, sample: RawSample]
type Group = readonly (readonly Sent[])[]

const sent = fc.tuple(fc.nat({ max: seriesCount - 1 }), cramped)
const group: fc.Arbitrary<Group> = fc.array(fc.array(sent, { maxLength: 6 }), { maxLength: 4 })
const groups = fc.array(group, { maxLength: 5 })

function frameOf(requests: Group): BatchRecord {
  const columns = new SampleBatchBuilder()
  for (const samples of requests) {
    columns.startRequest()
    for (const [series, { timeMs, value, mask, fields }] of samples) {
      if (mask === 0) columns.push(series, timeMs, value)
      else columns.pushAggregate(series, timeMs, value, mask, fields)
    }
  }
  return columnsToBatchRecord(columns, 1)
}

function held(sequence: number, requests: Group): PendingBatch {
  return { sequence, batch: frameOf(requests) }
}

/** All samples with the number of their request over all groups. */
function flat(all: readonly Group[]): { series: number; sample: RawSample; request: number }[] {
  return all.flat().flatMap((samples, request) => {
    return samples.map(([series, sample]) => ({ series, sample, request }))
  })
}

function filled(all: readonly Group[]): Memtable {
  const memtable = new Memtable()
  all.forEach((each, i) => memtable.add(held(i + 1, each)))
  return memtable
}

test("selectNewest() has the newest observation of each series, also while a flush runs", () => {
  const series = fc.uniqueArray(fc.nat({ max: seriesCount + 1 }))
  const starts = fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }))
  fc.assert(
    fc.property(groups, fc.nat(), series, starts, (all, cut, wanted, [startMs, length]) => {
      const memtable = new Memtable()
      all.forEach((each, i) => {
        if (i === cut % (all.length + 1)) memtable.freeze()
        memtable.add(held(i + 1, each))
      })
      const span = { startMs, endMs: startMs + length }
      const asked = Int32Array.from(wanted)
      const newest = memtable.selectNewest(asked, span)
      assert.deepEqual(newestTimes(newest), newestTimes(memtable.select(asked, span)))
    }),
    { numRuns: 300 },
  )
})

function newestTimes(open: SampleBatch): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (let at = 0; at < open.count; at++) {
    if (!isObserved(open, at)) continue
    const timeMs = open.runTimesMs[runOf(open, at)]!
    times.set(open.series[at]!, Math.max(times.get(open.series[at]!) ?? -Infinity, timeMs))
  }
  return new Map([...times].sort(([one], [other]) => one - other))
}

test("select() gives the wanted samples in order of arrival, also while a flush runs", () => {
  const series = fc.uniqueArray(fc.nat({ max: seriesCount + 1 }))
  const starts = fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }))
  fc.assert(
    fc.property(groups, fc.nat(), series, starts, (all, cut, wanted, [startMs, length]) => {
      const memtable = new Memtable()
      all.forEach((each, i) => {
        if (i === cut % (all.length + 1)) memtable.freeze()
        memtable.add(held(i + 1, each))
      })
      const span = { startMs, endMs: startMs + length }
      const open = memtable.select(Int32Array.from(wanted), span)
      const want = flat(all).filter(
        ({ series: each, sample }) =>
          wanted.includes(each) && sample.timeMs >= span.startMs && sample.timeMs < span.endMs,
      )
      assert.deepEqual(
        [...open.series],
        want.map((each) => each.series),
      )
      const runs = want.map((_, at) => runOf(open, at))
      const ordinals = [...new Set(want.map((each) => each.request))]
      assert.deepEqual(
        runs.map((run) => open.runRequests[run]),
        want.map((each) => ordinals.indexOf(each.request)),
      )
      assert.deepEqual(
        runs.map((run) => open.runTimesMs[run]),
        want.map((each) => each.sample.timeMs),
      )
      assert.deepEqual(
        [...open.values],
        want.map((each) => each.sample.value),
      )
      const masks = want.map((_, at) => {
        const entry = findAggregate(open, at)
        return entry < 0 ? 0 : open.aggregateMasks[entry]
      })
      assert.deepEqual(
        masks,
        want.map((each) => each.sample.mask),
      )
    }),
    { numRuns: 300 },
  )
})

test("counts and bytes follow what is held through freeze, thaw and drop", () => {
  fc.assert(
    fc.property(groups, groups, (early, late) => {
      const memtable = filled(early)
      memtable.freeze()
      late.forEach((each, i) => memtable.add(held(early.length + i + 1, each)))
      const both = filled([...early, ...late])
      assert.equal(memtable.sampleCount, both.sampleCount)
      assert.equal(memtable.bytes, both.bytes)
      assert.equal(memtable.activeOldestMs, filled(late).activeOldestMs)

      memtable.unfreeze()
      assert.deepEqual(memtable, both)
      memtable.freeze()
      memtable.dropFrozen()
      assert.deepEqual(memtable, new Memtable())
    }),
    { numRuns: 200 },
  )
})

test("findAggregate() finds each entry and nothing else", () => {
  fc.assert(
    fc.property(group, (requests) => {
      const frame = frameOf(requests)
      const samples = flat([requests])
      let next = 0
      for (const [i, { sample }] of samples.entries()) {
        assert.equal(findAggregate(frame, i), sample.mask === 0 ? -1 : next++)
      }
    }),
    { numRuns: 200 },
  )
})

/** The passes of one flush, each of `perPassMin` samples, or of a quarter if no block has more. */
function passesOf(memtable: Memtable, catalogue: Catalogue, perPassMin: number): GroupedSamples[] {
  const { active } = memtable
  const plan = runSync(planGroups(active, catalogue, perPassMin))
  const workspace = new GroupWorkspace()
  return plan.passes.slice(1).map((_, pass) => {
    // The next pass overwrites what this one grouped.
    return structuredClone(runSync(groupPass(active, catalogue, { plan, pass, workspace })))
  })
}

test("grouping sets samples of a block side by side in order of arrival, pass after pass", () => {
  const catalogue = new Catalogue()
  // Series 0 and 2 share a block and so do 1 and 3, since these have one name.
  for (const element of ["a", "b"]) {
    const index = catalogue.upsertElement(0, element, { nowMs: 1 })
    for (const metric of ["cpu", "disk"]) catalogue.upsertSeries(index, metric)
  }
  const perPass = fc.constantFrom(1, 10, 100)
  fc.assert(
    fc.property(groups, perPass, (all, perPassMin) => {
      const perPassMax = Math.max(perPassMin, Math.ceil(flat(all).length / 4))
      const got = passesOf(filled(all), catalogue, perPassMin).flatMap((pass) => {
        assert.ok(pass.blocks.length === 1 || pass.values.length <= perPassMax)
        return [...pass.blocks].flatMap((block, i) => samplesOfBlock(pass, block, i))
      })
      const want = [0, 1].flatMap((block) => {
        const ofBlock = flat(all).filter(({ series }) => catalogue.partitionOf(series) === block)
        return ofBlock.map(({ series, sample, request }) => {
          return { block, slot: catalogue.indexInPartition(series), request, ...sample }
        })
      })
      assert.deepEqual(got, want)
    }),
    { numRuns: 300 },
  )
})

test("a cleared scratch holds no memory, and the next pass finds as much as it needs", () => {
  const scratch = new GroupWorkspace()
  for (const count of [1, 100_000, 1]) {
    scratch.reserve(count)
    assert.ok(scratch.slots.length >= count && scratch.values.length === scratch.slots.length)
    scratch.clear()
    assert.deepEqual([scratch.slots.length, scratch.timesMs.length], [0, 0])
    assert.deepEqual([scratch.values.length, scratch.requests.length], [0, 0])
  }
})

test("after a flush a scratch keeps what an ordinary one needs, nothing of a larger one", () => {
  const scratch = new GroupWorkspace()
  scratch.reserve(500_000)
  scratch.shrink()
  assert.ok(scratch.slots.length >= 500_000)
  scratch.reserve(1_000_000)
  scratch.shrink()
  assert.equal(scratch.slots.length, 0)
})

const fieldsOf = ({ aggregateFields }: GroupedSamples, entry: number): Float64Array => {
  return aggregateFields.subarray(entry * fieldCount, (entry + 1) * fieldCount)
}

function samplesOfBlock(pass: GroupedSamples, block: number, i: number) {
  const from = pass.starts[i]!
  const length = pass.starts[i + 1]! - from
  assert.ok(length > 0)
  return Array.from({ length }, (_, j) => {
    const at = from + j
    const entry = pass.aggregates.length === 0 ? -1 : pass.aggregates[at]!
    return {
      block,
      slot: pass.slots[at]!,
      request: pass.requests[at]!,
      timeMs: pass.timesMs[at]!,
      value: pass.values[at]!,
      mask: entry < 0 ? 0 : pass.aggregateMasks[entry]!,
      fields: entry < 0 ? [] : [...fieldsOf(pass, entry)],
    }
  })
}

test("order is by cycle, then slot, then arrival, however far the cycles lie apart", () => {
  const far = fc.constantFrom(1, 300, 1_000_000)
  const arrivals = fc.array(fc.tuple(spread, fc.nat({ max: 255 })), { minLength: 1 })
  fc.assert(
    fc.property(arrivals, far, fc.nat(), (all, by, cut) => {
      const times = all.map(([{ timeMs }]) => timeMs * by)
      const samples = {
        ...incomingOf([all.map(([sample]) => sample)]),
        timesMs: Float64Array.from(times),
        slots: Uint8Array.from(all, ([, slot]) => slot),
      }
      const from = cut % all.length
      const want = times.map((_, i) => i).slice(from)
      const cycle = (i: number): number => Math.floor(times[i]! / cycleMs)
      want.sort((l, r) => cycle(l) - cycle(r) || samples.slots[l]! - samples.slots[r]! || l - r)
      assert.deepEqual([...orderByCycleAndSlot(samples, from, all.length)], want)
    }),
    { numRuns: 300 },
  )
})
