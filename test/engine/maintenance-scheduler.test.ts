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
class Fixture {
  readonly moments: MaintenanceOptions[] = []
  readonly errors: unknown[] = []
  readonly durations: number[] = []
  readonly pauses: number[] = []
  elapsedMs = 10_000
  private answers: { resolve: (it: MaintenanceResult) => void; reject: (e: unknown) => void }[] = []
  private readonly ends = new Set<() => void>()
  readonly scheduler = new MaintenanceScheduler({
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

async function started(): Promise<Fixture> {
  const fixture = new Fixture()
  fixture.scheduler.start()
  await settled()
  return fixture
}

test("steps follow one another while work is due; then there is a pause", async () => {
  const fixture = await started()
  await fixture.answer({ moreDue: true })
  await fixture.answer({ moreDue: true })
  assert.deepEqual([fixture.moments.length, fixture.pausing], [3, 0])
  await fixture.answer()
  assert.deepEqual([fixture.moments.length, fixture.pausing], [3, 1])
  assert.deepEqual(fixture.pauses, [250])
  await fixture.endPause()
  assert.equal(fixture.moments.length, 4)
  assert.ok(fixture.moments.every(({ nowMs }) => nowMs === 77))
})

test("after consecutive failures the pause doubles up to 10 s, until nothing is due", async () => {
  const fixture = await started()
  for (let failure = 0; failure < 8; failure++) {
    await fixture.fail(new Error("damaged"))
    await fixture.endPause()
  }
  assert.deepEqual(fixture.pauses.splice(0), [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  assert.equal(fixture.errors.length, 8)
  // A successful step says nothing about a job that fails at its end.
  await fixture.answer({ moreDue: true })
  await fixture.fail(new Error("damaged"))
  await fixture.endPause()
  await fixture.answer()
  await fixture.endPause()
  await fixture.fail(new Error("damaged"))
  assert.deepEqual(fixture.pauses, [10_000, 250, 250])
})

test("a store is idle half a second after the last ingest", async () => {
  const fixture = await started()
  assert.equal(fixture.moments[0]!.idle, true)
  fixture.scheduler.noteIngest()
  fixture.elapsedMs += 499
  await fixture.answer({ moreDue: true })
  await fixture.endPause()
  assert.equal(fixture.moments[1]!.idle, false)
  fixture.elapsedMs += 1
  await fixture.answer({ moreDue: true })
  assert.equal(fixture.moments[2]!.idle, true)
})

test("during ingest, the pause after a step is three times its duration", async () => {
  const fixture = await started()
  fixture.scheduler.noteIngest()
  fixture.elapsedMs += 4
  await fixture.answer({ moreDue: true })
  assert.deepEqual([fixture.pauses, fixture.moments.length], [[12], 1])
  await fixture.endPause()
  assert.equal(fixture.moments.length, 2)
})

test("while a caller waits for a flush, the pause after a step is its duration", async () => {
  const fixture = await started()
  fixture.scheduler.noteIngest()
  const flushed = fixture.scheduler.flushUpTo(1)
  await fixture.answer({ moreDue: true })
  fixture.elapsedMs += 4
  await fixture.answer({ moreDue: true, isFlushed: false })
  assert.equal(fixture.pauses.at(-1), 4)
  await fixture.endPause()
  await fixture.answer({ isFlushed: true })
  await flushed
})

test("a flush that is requested during a step begins with the next one directly", async () => {
  const fixture = await started()
  fixture.scheduler.noteIngest()
  const flushed = fixture.scheduler.flushUpTo(1)
  await fixture.answer({ isFlushed: true })
  assert.deepEqual([fixture.pauses, fixture.moments.length], [[], 2])
  assert.deepEqual(
    fixture.moments.map(({ flushUpToMs }) => flushUpToMs),
    [undefined, 1],
  )
  await fixture.answer({ isFlushed: true })
  await flushed
})

test("there is no pause while ingest is faster than the flush", async () => {
  const fixture = await started()
  fixture.scheduler.noteIngest()
  await fixture.answer({ moreDue: true, unflushedSamples: 3_000_001 })
  assert.deepEqual([fixture.pauses, fixture.moments.length], [[], 2])
})

test("steps grow with the unflushed samples, and are longer without ingest", async () => {
  const fixture = await started()
  const answer = async (unflushedSamples: number): Promise<void> => {
    await fixture.answer({ moreDue: true, unflushedSamples })
    if (fixture.pausing > 0) await fixture.endPause()
  }
  fixture.scheduler.noteIngest()
  for (const openSamples of [3_000_000, 3_100_000, 1e9, 0]) await answer(openSamples)
  const budgets = () => fixture.moments.splice(0).map(({ budgetMs }) => budgetMs)
  assert.deepEqual(budgets(), [6, 2, 4, 60, 2])

  fixture.elapsedMs += 500
  for (const openSamples of [3_000_000, 3_100_000, 1e9]) await answer(openSamples)
  assert.deepEqual(budgets(), [6, 12, 60])
})

test("a failed step is reported, and the next one follows after a pause", async () => {
  const fixture = await started()
  const error = new Error("disk")
  await fixture.fail(error)
  assert.deepEqual([fixture.errors, fixture.pausing, fixture.moments.length], [[error], 1, 1])
  await fixture.endPause()
  await fixture.answer({ moreDue: true })
  assert.equal(fixture.moments.length, 3)
  assert.equal(fixture.durations.length, 1)
})

test("stop() ends a pause immediately and leaves no timer", async () => {
  const fixture = await started()
  await fixture.answer()
  assert.equal(fixture.pausing, 1)
  await fixture.scheduler.stop()
  assert.deepEqual([fixture.pausing, fixture.moments.length], [0, 1])
})

test("stop() waits for the running step, and no other follows", async () => {
  const fixture = await started()
  let isStopped = false
  const stopping = fixture.scheduler.stop().then(() => (isStopped = true))
  await settled()
  assert.equal(isStopped, false)
  await fixture.answer({ moreDue: true })
  await stopping
  assert.deepEqual([fixture.moments.length, fixture.pausing], [1, 0])
})

test("starting twice has no effect, and a scheduler never started can be stopped", async () => {
  const fixture = await started()
  fixture.scheduler.start()
  await settled()
  assert.equal(fixture.moments.length, 1)
  await fixture.answer()
  await fixture.scheduler.stop()
  await new Fixture().scheduler.stop()
})
