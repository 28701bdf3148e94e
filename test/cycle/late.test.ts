/**
 * Late samples reach what fills: fillings are those of a list of all that is known
 * (spec/samples §7).
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import { cycleMs, cyclesPerDay, hourMs } from "../../src/model/resolution.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { lateNoteKind } from "../../src/store/late-notes.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import {
  append,
  findSeries,
  noonMs,
  plain,
  seriesName,
  upsertSeries,
} from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { SimStore } from "../simulation/sim-store.ts"

const firstCycle = noonMs / cycleMs
const metrics = [
  [seriesName("host-1", "max"), "ReplaceWithHistoricalMax"],
  [seriesName("host-1", "min"), "ReplaceWithHistoricalMin"],
  [seriesName("host-1", "last"), "ReplaceWithLast"],
] as const
/** Speaks in every cycle, so that its element is never inactive. */
const steady = seriesName("host-1", "steady")

interface Subject {
  readonly writer: WriteStore
  readonly reader: ReadStore
  flush(nowMs: number): void
  crash(): Promise<void>
}

/** A value for one of the metrics, some cycles before the open one. */
interface Post {
  readonly metric: number
  readonly cyclesAgo: number
  readonly value: number
}

interface Step {
  readonly posts: readonly Post[]
  readonly again: boolean
  readonly crash: boolean
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    posts: fc.array(
      fc.record({
        metric: fc.nat({ max: metrics.length - 1 }),
        cyclesAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 })),
        value: fc.integer({ min: -9, max: 9 }).map((n) => n * 8),
      }),
      { maxLength: 3 },
    ),
    again: fc.boolean(),
    crash: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 8 },
)

/** All that is known of one metric: values by cycle, and what filled the others. */
class Known {
  readonly values = new Map<number, number[]>()
  readonly fillings = new Map<number, number>()

  add(cycle: number, value: number): void {
    this.values.set(cycle, [...(this.values.get(cycle) ?? []), value])
  }

  /** The gap fill of a cycle, from all actuals before it; undefined if the cycle has a value. */
  filling(metric: number, cycle: number): number | undefined {
    if (this.values.has(cycle)) return undefined
    const actuals = [...this.values]
      .filter(([of]) => of < cycle)
      .sort(([left], [right]) => left - right)
      .map(([, values]) => values.reduce((sum, one) => sum + one, 0) / values.length)
    if (metric === 2) return actuals.at(-1)
    const filled = [...this.fillings].filter(([of]) => !this.values.has(of)).map(([, one]) => one)
    const all = [...actuals, ...filled]
    return metric === 0 ? Math.max(...all) : Math.min(...all)
  }
}

async function live(subject: Subject, story: readonly Step[]): Promise<void> {
  const known = metrics.map(() => new Known())
  const sent: SampleRequest[] = []
  const post = (...requests: SampleRequest[]) => {
    for (const [of, sparseDataStrategy] of metrics) {
      upsertSeries(subject.writer.catalogue, of, { sparseDataStrategy })
    }
    append(subject.writer, ...requests)
    sent.push(...requests)
  }
  let serial = 0
  const start: Step = {
    posts: metrics.map((_, metric) => ({ metric, cyclesAgo: 0, value: 1 })),
    again: false,
    crash: false,
  }
  for (const [i, { posts, again, crash }] of [start, start, ...story].entries()) {
    const cycle = firstCycle + i
    const samples = posts.map(({ metric, cyclesAgo, value }) => {
      const of = Math.max(firstCycle, cycle - cyclesAgo)
      known[metric]!.add(of, value)
      return plain(of * cycleMs + ++serial, value, metrics[metric]![0])
    })
    post([plain(cycle * cycleMs, 1, steady), ...samples])
    if (again) post(...sent.slice(-3))
    const nowMs = (cycle + 1) * cycleMs + 60_000
    subject.flush(nowMs)
    if (crash) await subject.crash()
    const fills = close(subject, cycle)
    for (const [metric, [of]] of metrics.entries()) {
      const want = known[metric]!.filling(metric, cycle)
      const got = fills.get(findSeries(subject.reader.catalogue, of))
      assert.equal(got, want, `${of.metric} in cycle ${i} of ${JSON.stringify(story)}`)
      if (want !== undefined) known[metric]!.fillings.set(cycle, want)
    }
  }
  assert.deepEqual(subject.reader.states(lateNoteKind), [])
}

/** Closes a cycle as the service does; gives what it filled in, by series. */
function close({ writer, reader }: Subject, cycle: number): Map<number, number> {
  writer.flushIndex()
  reader.refresh()
  const closer = new CycleEvaluator({ store: reader, tenantUuid: () => "tenant" })
  const { elementCount } = reader.catalogue
  const elements = Int32Array.from({ length: elementCount }, (_, element) => element)
  const closingMs = (cycle + 1) * cycleMs + 60_000
  const request = { cycle, name: "0", elements, closingMs, isMissed: false }
  const { changes } = closer.evaluate({ ...request, inactiveCycles: (7 * hourMs) / cycleMs })
  assert.ok(changes !== null)
  assert.equal(writer.commitCycle({ ...changes, documents: [] }), true)
  reader.refresh()
  const { series, actuals } = changes.gapFills
  return new Map(Array.from(series, (one, i) => [one, actuals[i]!]))
}

test("a closing of years ago, by a clock that went back, leaves the notes of today", async () => {
  const store = new MemoryStore()
  const subject = { writer: store, reader: store, flush: () => {}, crash: async () => {} }
  const [of, sparseDataStrategy] = metrics[2]
  upsertSeries(store.catalogue, of, { sparseDataStrategy })
  const post = (cycle: number, value: number) =>
    append(store, [plain(cycle * cycleMs, value, of), plain(cycle * cycleMs, 1, steady)])
  post(firstCycle, 1)
  close(subject, firstCycle)
  close(subject, firstCycle + 1)
  post(firstCycle + 1, 2)
  assert.equal(store.states(lateNoteKind).length, 1)
  close(subject, firstCycle - 3_650 * cyclesPerDay)
  const fills = close(subject, firstCycle + 2)
  assert.equal(fills.get(findSeries(store.catalogue, of)), 2)
  assert.deepEqual(store.states(lateNoteKind), [])
})

test("fillings are those of all samples, late ones included, in the reference store", async () => {
  await fc.assert(
    fc.asyncProperty(steps, (story) => {
      const store = new MemoryStore()
      const subject = { writer: store, reader: store, flush: () => {}, crash: async () => {} }
      return live(subject, story)
    }),
    { numRuns: 60 },
  )
})

test("likewise in the embedded store, through crashes and samples sent again", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const store = new SimStore({ segmentBytes: 64 * 1024 })
      const subject: Subject = {
        get writer() {
          return store.writer
        },
        get reader() {
          return store.reader
        },
        flush: (nowMs) => {
          const moment = { nowMs, budgetMs: 1_000, idle: true }
          while (store.maintain(moment));
        },
        crash: () => store.crash(),
      }
      try {
        await live(subject, story)
      } finally {
        await store.remove()
      }
    }),
    { numRuns: 12 },
  )
})
