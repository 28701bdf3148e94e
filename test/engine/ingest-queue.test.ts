import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { IngestQueue, requestOverheadBytes } from "../../src/engine/ingest-queue.ts"
import type {
  IngestBatchFigures,
  IngestQueueLimits,
  IngestResult,
} from "../../src/engine/ingest-queue.ts"
import type { IngestBody } from "../../src/engine/request-batch.ts"
import {
  charsetShift,
  flagInjectTimestamp,
  requestInts,
  requestLength,
  requestOffset,
} from "../../src/engine/shard-protocol.ts"
import type { IngestAnswer, IngestTask } from "../../src/engine/shard-protocol.ts"
import { charsets } from "../../src/ingest/ingest.ts"

interface Run {
  readonly task: IngestTask
  /** The bodies as the shard reads them, copied before the slab is reused. */
  readonly texts: string[]
  readonly resolve: (answer: IngestAnswer) => void
  readonly reject: (error: unknown) => void
}

/** A queue whose event-loop turns and answers are controlled by the test. */
function fixture(limits: Partial<IngestQueueLimits> = {}) {
  const runs: Run[] = []
  const turns: (() => void)[] = []
  const batches: IngestBatchFigures[] = []
  const waits: (() => void)[] = []
  const intake = new IngestQueue({
    run: (task) =>
      new Promise((resolve, reject) => runs.push({ task, texts: textsOf(task), resolve, reject })),
    schedule: (callback) => turns.push(callback),
    clock: new TestClock(1_700_000_000_000),
    // Every batch counts as a large one by default.
    limits: { lingerBytesMax: 0, ...limits },
    onBatch: (figures) => batches.push(figures),
    delay: (callback) => {
      waits.push(callback)
      return () => waits.splice(waits.indexOf(callback), 1)
    },
  })
  const results: (IngestResult | undefined)[] = []
  return {
    intake,
    runs,
    batches,
    results,
    submit(text: string, options: Partial<IngestBody> = {}): number {
      const chunk = Buffer.from(text)
      const quota = intake.quotaOf("key")
      assert.ok(quota.reserve(chunk.length + requestOverheadBytes))
      const at = results.push(undefined) - 1
      const given = { chunks: [chunk], length: chunk.length, tenant: 0, quota }
      const body = {
        ...given,
        injectTimestamp: false,
        charset: "none" as const,
        reportsLeftOut: false,
        ...options,
      }
      intake.submit(body, (result) => {
        assert.equal(results[at], undefined, "done() must be called once")
        results[at] = result
      })
      return at
    },
    endTurn(): void {
      for (const turn of turns.splice(0)) turn()
    },
    endWait(): void {
      for (const wait of waits.splice(0)) wait()
    },
    async answer(run: Run, change: Partial<IngestAnswer> = {}): Promise<void> {
      run.resolve({ ...accepted(run.texts.length), ...change })
      await new Promise(setImmediate)
    },
  }
}

function textsOf(task: IngestTask): string[] {
  const texts: string[] = []
  for (let row = 0; row < task.requests.length; row += requestInts) {
    const start = task.requests[row + requestOffset]!
    const end = start + task.requests[row + requestLength]!
    texts.push(Buffer.from(task.bytes.slice(start, end)).toString())
  }
  return texts
}

function accepted(count: number): IngestAnswer {
  const figures = {
    samples: count,
    newSeries: 0,
    unflushedSamples: 0,
    hasUnflushedSeries: false,
    commitMs: 1,
  }
  const statuses = new Uint16Array(count).fill(202)
  const requestSamples = new Int32Array(count).fill(1)
  const elements = new Int32Array(count).fill(1)
  const latestTimesMs = new Float64Array(count).fill(1_000)
  const columns = { statuses, elements, requestSamples, latestTimesMs }
  return { ...columns, refusals: [], leftOut: [], ...figures }
}

test("the queue packs all bodies of one event-loop turn into one task, in order of arrival", () => {
  const { submit, endTurn, runs } = fixture()

  submit("[1]")
  submit("[22]", { tenant: 3, injectTimestamp: true, charset: "iso-8859-1" })
  assert.equal(runs.length, 0)
  endTurn()

  assert.deepEqual(runs[0]?.texts, ["[1]", "[22]"])
  const flags = flagInjectTimestamp | (charsets.indexOf("iso-8859-1") << charsetShift)
  assert.deepEqual([...runs[0].task.requests], [0, 3, 0, 0, 3, 4, 3, flags])
  assert.equal(runs[0].task.nowMs, 1_700_000_000_000)
  assert.ok(runs[0].task.bytes.buffer instanceof SharedArrayBuffer)
})

test("the queue joins the chunks of a body", () => {
  const { submit, endTurn, runs } = fixture()
  submit("[12]", { chunks: [Buffer.from("[1"), Buffer.from("2"), Buffer.from("]")] })
  endTurn()
  assert.deepEqual(runs[0]?.texts, ["[12]"])
})

test("the queue has two tasks in flight and packs later bodies into the next one", async () => {
  const { submit, endTurn, answer, runs } = fixture()
  for (const text of ["a", "b", "c", "d"]) {
    submit(text)
    endTurn()
  }
  assert.deepEqual(
    runs.map((run) => run.texts),
    [["a"], ["b"]],
  )

  await answer(runs[1]!)
  assert.deepEqual(runs[2]?.texts, ["c", "d"])
})

test("small batches linger for about as many requests as the last one had", async () => {
  const { submit, endTurn, answer, runs } = fixture({ lingerBytesMax: 100 })
  submit("a")
  endTurn()
  submit("b")
  endTurn()
  assert.equal(runs.length, 1, "a small batch does not follow before the last one is answered")

  await answer(runs[0]!)
  endTurn()
  assert.equal(runs.length, 1, "one more is worth waiting for")
  submit("c")
  endTurn()
  assert.deepEqual(runs[1]?.texts, ["b", "c"])
})

test("a lingering batch is sent after its time, or when it is large", async () => {
  const { submit, endTurn, endWait, answer, runs } = fixture({ lingerBytesMax: 4 })
  submit("a")
  endTurn()
  submit("b")
  await answer(runs[0]!)
  endTurn()
  endWait()
  assert.deepEqual(runs[1]?.texts, ["b"])

  submit("long")
  endTurn()
  assert.deepEqual(runs[2]?.texts, ["long"])
})

test("a task keeps its bounds, except for a single larger body", async () => {
  const bounds = { batchBytesMax: 8, batchRequestsMax: 3, tasksInFlightMax: 9 }
  const f = (texts: string[], want: string[][]) => {
    const { submit, endTurn, runs } = fixture(bounds)
    for (const text of texts) submit(text)
    endTurn()
    assert.deepEqual(
      runs.map((run) => run.texts),
      want,
    )
  }
  f(["1234", "5678"], [["1234", "5678"]])
  f(["1234", "5678", "9"], [["1234", "5678"], ["9"]])
  f(["1", "2", "3", "4"], [["1", "2", "3"], ["4"]])
  f(["1", "123456789", "2"], [["1"], ["123456789"], ["2"]])
  f(["", ""], [["", ""]])
})

const nothingMore = { leftOut: undefined, events: undefined, refusal: undefined }

test("every request gets its own result", async () => {
  const { submit, endTurn, answer, runs, results, batches } = fixture()
  for (const text of ["a", "b", "c"]) submit(text)
  endTurn()
  await answer(runs[0]!, {
    statuses: Uint16Array.of(202, 400, 500),
    elements: Int32Array.of(7, 0, 0),
    requestSamples: Int32Array.of(20, 0, 0),
    latestTimesMs: Float64Array.of(9_000, -Infinity, -Infinity),
    refusals: [{ request: 1, detail: "Input Validation Failed", errors: ["no id"] }],
  })

  const first = { elements: 7, samples: 20, latestTimeMs: 9_000 }
  assert.deepEqual(results[0], { outcome: "accepted", ...first, ...nothingMore })
  const refused = { outcome: "refused", detail: "Input Validation Failed", errors: ["no id"] }
  assert.deepEqual(results[1], refused)
  const third = results[2]
  assert.ok(third?.outcome === "failed" && third.error instanceof ServiceError)
  assert.equal(third.error.code, "readOnly")
  assert.deepEqual([batches[0]?.requests, batches[0]?.bytes], [3, 3])
})

test("events that come with samples go to the request that brought them", async () => {
  const { submit, endTurn, answer, runs, results } = fixture()
  for (const text of ["a", "b"]) submit(text)
  endTurn()
  const event = { title: "Disk is full" } as never
  await answer(runs[0]!, { events: [{ request: 1, events: [event] }] })
  const each = { outcome: "accepted", elements: 1, samples: 1, latestTimeMs: 1_000 }
  assert.deepEqual(results, [
    { ...each, ...nothingMore },
    { ...each, ...nothingMore, events: [event] },
  ])
})

test("a rejected task fails its requests only", async () => {
  const { submit, endTurn, answer, runs, results, intake } = fixture()
  const error = new Error("worker died")
  submit("a")
  endTurn()
  runs[0]!.reject(error)
  await new Promise(setImmediate)
  assert.deepEqual(results[0], { outcome: "failed", error })

  submit("b")
  endTurn()
  await answer(runs[1]!)
  assert.equal(results[1]?.outcome, "accepted")
  assert.equal(intake.queueBytes, 0)
})

test("a run() that throws synchronously fails its requests", async () => {
  const intake = new IngestQueue({
    run: () => {
      throw new Error("no worker")
    },
    schedule: setImmediate,
    clock: new TestClock(0),
  })
  const quota = intake.quotaOf("key")
  quota.reserve(requestOverheadBytes)
  const result = await new Promise<IngestResult>((resolve) =>
    intake.submit(
      {
        chunks: [],
        length: 0,
        tenant: 0,
        injectTimestamp: false,
        charset: "none",
        reportsLeftOut: false,
        quota,
      },
      resolve,
    ),
  )
  assert.equal(result.outcome, "failed")
})

test("bytes are reserved up to the bound, until the shard has answered", async () => {
  const room = 2 * requestOverheadBytes
  const { submit, endTurn, answer, runs, intake } = fixture({ queueBytesMax: room })
  submit("1234")
  assert.equal(intake.queueBytes, requestOverheadBytes + 4)
  const quota = intake.quotaOf("another")
  assert.equal(quota.admission(requestOverheadBytes - 4), "admitted")
  assert.equal(quota.admission(requestOverheadBytes - 3), "full")
  assert.equal(quota.reserve(requestOverheadBytes), false)
  assert.equal(intake.queueBytes, requestOverheadBytes + 4)

  endTurn()
  assert.equal(quota.reserve(requestOverheadBytes), false)
  await answer(runs[0]!)
  assert.equal(quota.reserve(requestOverheadBytes), true)
  quota.release(requestOverheadBytes)
  assert.equal(intake.queueBytes, 0)
})

test("requests after stop() fail as `stopping`, and drain() waits for earlier ones", async () => {
  const { submit, endTurn, answer, runs, results, intake } = fixture()
  await intake.drain()
  submit("a")
  intake.stop()
  submit("b")
  const late = results[1]
  assert.ok(late?.outcome === "failed" && late.error instanceof ServiceError)
  assert.equal(late.error.code, "stopping")

  let drained = false
  const drain = intake.drain().then(() => (drained = true))
  endTurn()
  await new Promise(setImmediate)
  assert.equal(drained, false)
  await answer(runs[0]!)
  await drain
  assert.equal(results[0]?.outcome, "accepted")
  assert.equal(intake.queueBytes, 0)
})

test("the queue reuses few slabs, and drops the one of a large body", async () => {
  const { submit, endTurn, answer, runs } = fixture({ batchBytesMax: 300_000 })
  const slabs = new Set<unknown>()
  for (let turn = 0; turn < 20; turn++) {
    submit("x".repeat(1000))
    endTurn()
    slabs.add(runs.at(-1)!.task.bytes.buffer)
    if (turn % 2 === 1) for (const run of runs.slice(-2)) await answer(run)
  }
  assert.equal(slabs.size, 2)

  submit("y".repeat(400_000))
  endTurn()
  const large = runs.at(-1)!
  assert.equal(large.task.bytes.buffer.byteLength, 400_000)
  await answer(large)
  submit("z")
  endTurn()
  assert.ok(slabs.has(runs.at(-1)!.task.bytes.buffer))
})

test("each request gets one result and no byte is lost, in any order of events", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("submit" as const), text: fc.string({ maxLength: 12 }) }),
    fc.constant({ kind: "turn" as const }),
    fc.record({ kind: fc.constant("answer" as const), pick: fc.nat(1), fails: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { submit, endTurn, answer, runs, results, intake } = fixture({ batchBytesMax: 16 })
      const open: Run[] = []
      const sent: string[] = []
      let seen = 0
      const takeIn = () => {
        for (; seen < runs.length; seen++) open.push(runs[seen]!)
        assert.ok(open.length <= 2)
      }
      const settle = async (pick: number, fails: boolean) => {
        const [run] = open.splice(Math.min(pick, open.length - 1), 1)
        if (fails) run!.reject(new Error("failed"))
        await answer(run!)
        takeIn()
      }
      for (const each of steps) {
        if (each.kind === "submit") {
          submit(each.text)
          sent.push(Buffer.from(each.text).toString())
        } else if (each.kind === "turn") endTurn()
        else if (open.length > 0) await settle(each.pick, each.fails)
        takeIn()
      }
      endTurn()
      takeIn()
      while (open.length > 0) await settle(0, false)
      await intake.drain()
      assert.deepEqual(
        runs.flatMap((run) => run.texts),
        sent,
      )
      assert.ok(results.every((result) => result !== undefined))
      assert.equal(intake.queueBytes, 0)
    }),
    { numRuns: 60 },
  )
})
