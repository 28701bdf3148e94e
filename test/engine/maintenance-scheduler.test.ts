import assert from "node:assert/strict"
import { test } from "node:test"
import { MaintenanceScheduler } from "../../src/engine/maintenance-scheduler.ts"
import type { MaintenanceResult, MaintenanceOptions } from "../../src/store/maintenance-store.ts"

const done: MaintenanceResult = {
  moreDue: false,
  isFlushed: true,
  unflushedSamples: 0,
  hasUnflushedSeries: false,
  flushed: 0,
  compacted: 0,
  dropped: 0,
}

/** Answers steps and ends pauses by hand. */
class Rig {
  readonly moments: MaintenanceOptions[] = []
  readonly errors: unknown[] = []
  readonly durations: number[] = []
  readonly pauses: number[] = []
  elapsedMs = 10_000
  private answers: { resolve: (it: MaintenanceResult) => void; reject: (e: unknown) => void }[] = []
  private readonly ends = new Set<() => void>()
  readonly caretaker = new MaintenanceScheduler({
    run: (moment) => {
      this.moments.push(moment)
      return new Promise((resolve, reject) => this.answers.push({ resolve, reject }))
    },
    nowMs: () => 77,
    elapsedMs: () => this.elapsedMs,
    delay: (callback, ms) => {
      this.pauses.push(ms)
      this.ends.add(callback)
      return () => this.ends.delete(callback)
    },
    onStep: (_, durationMs) => this.durations.push(durationMs),
    onError: (error) => this.errors.push(error),
  })

  get pausing(): number {
    return this.ends.size
  }

  async answer(maintenance: Partial<MaintenanceResult> = {}): Promise<void> {
    this.answers.shift()!.resolve({ ...done, ...maintenance })
    await settled()
  }

  async fail(error: unknown): Promise<void> {
    this.answers.shift()!.reject(error)
    await settled()
  }

  async endPause(): Promise<void> {
    const [end] = this.ends
    this.ends.delete(end!)
    end!()
    await settled()
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function started(): Rig {
  const rig = new Rig()
  rig.caretaker.start()
  return rig
}

test("steps follow one another while work is due; then there is a pause", async () => {
  const rig = started()
  await rig.answer({ moreDue: true })
  await rig.answer({ moreDue: true })
  assert.deepEqual([rig.moments.length, rig.pausing], [3, 0])
  await rig.answer()
  assert.deepEqual([rig.moments.length, rig.pausing], [3, 1])
  assert.deepEqual(rig.pauses, [250])
  await rig.endPause()
  assert.equal(rig.moments.length, 4)
  assert.ok(rig.moments.every(({ nowMs }) => nowMs === 77))
})

test("after consecutive failures the pause doubles up to 10 s, until nothing is due", async () => {
  const rig = started()
  for (let failure = 0; failure < 8; failure++) {
    await rig.fail(new Error("damaged"))
    await rig.endPause()
  }
  assert.deepEqual(rig.pauses.splice(0), [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  assert.equal(rig.errors.length, 8)
  // A successful step says nothing about a job that fails at its end.
  await rig.answer({ moreDue: true })
  await rig.fail(new Error("damaged"))
  await rig.endPause()
  await rig.answer()
  await rig.endPause()
  await rig.fail(new Error("damaged"))
  assert.deepEqual(rig.pauses, [10_000, 250, 250])
})

test("a store is idle half a second after the last ingest", async () => {
  const rig = started()
  assert.equal(rig.moments[0]!.idle, true)
  rig.caretaker.noteIngest()
  rig.elapsedMs += 499
  await rig.answer({ moreDue: true })
  await rig.endPause()
  assert.equal(rig.moments[1]!.idle, false)
  rig.elapsedMs += 1
  await rig.answer({ moreDue: true })
  assert.equal(rig.moments[2]!.idle, true)
})

test("during ingest, the pause after a step is three times its duration", async () => {
  const rig = started()
  rig.caretaker.noteIngest()
  rig.elapsedMs += 4
  await rig.answer({ moreDue: true })
  assert.deepEqual([rig.pauses, rig.moments.length], [[12], 1])
  await rig.endPause()
  assert.equal(rig.moments.length, 2)
})

test("while a caller waits for a flush, the pause after a step is its duration", async () => {
  const rig = started()
  rig.caretaker.noteIngest()
  const folded = rig.caretaker.flushUpTo(1)
  await rig.answer({ moreDue: true })
  await rig.endPause()
  rig.elapsedMs += 4
  await rig.answer({ moreDue: true, isFlushed: false })
  assert.equal(rig.pauses.at(-1), 4)
  await rig.endPause()
  await rig.answer({ isFlushed: true })
  await folded
})

test("there is no pause while ingest is faster than the flush", async () => {
  const rig = started()
  rig.caretaker.noteIngest()
  await rig.answer({ moreDue: true, unflushedSamples: 3_000_001 })
  assert.deepEqual([rig.pauses, rig.moments.length], [[], 2])
})

test("steps grow with the unflushed samples, and are longer without ingest", async () => {
  const rig = started()
  const answer = async (unflushedSamples: number): Promise<void> => {
    await rig.answer({ moreDue: true, unflushedSamples })
    if (rig.pausing > 0) await rig.endPause()
  }
  rig.caretaker.noteIngest()
  for (const openSamples of [3_000_000, 3_100_000, 1e9, 0]) await answer(openSamples)
  const budgets = () => rig.moments.splice(0).map(({ budgetMs }) => budgetMs)
  assert.deepEqual(budgets(), [6, 2, 4, 60, 2])

  rig.elapsedMs += 500
  for (const openSamples of [3_000_000, 3_100_000, 1e9]) await answer(openSamples)
  assert.deepEqual(budgets(), [6, 12, 60])
})

test("a failed step is reported, and the next one follows after a pause", async () => {
  const rig = started()
  const error = new Error("disk")
  await rig.fail(error)
  assert.deepEqual([rig.errors, rig.pausing, rig.moments.length], [[error], 1, 1])
  await rig.endPause()
  await rig.answer({ moreDue: true })
  assert.equal(rig.moments.length, 3)
  assert.equal(rig.durations.length, 1)
})

test("stop() ends a pause immediately and leaves no timer", async () => {
  const rig = started()
  await rig.answer()
  assert.equal(rig.pausing, 1)
  await rig.caretaker.stop()
  assert.deepEqual([rig.pausing, rig.moments.length], [0, 1])
})

test("stop() waits for the running step, and no other follows", async () => {
  const rig = started()
  let isStopped = false
  const stopping = rig.caretaker.stop().then(() => (isStopped = true))
  await settled()
  assert.equal(isStopped, false)
  await rig.answer({ moreDue: true })
  await stopping
  assert.deepEqual([rig.moments.length, rig.pausing], [1, 0])
})

test("starting twice has no effect, and a scheduler never started can be stopped", async () => {
  const rig = started()
  rig.caretaker.start()
  assert.equal(rig.moments.length, 1)
  await rig.answer()
  await rig.caretaker.stop()
  await new Rig().caretaker.stop()
})
