import assert from "node:assert/strict"
import { test } from "node:test"
import { BackupSchedule } from "../../src/backup/schedule.ts"
import { ServiceError } from "../../src/base/errors.ts"
import { silentLogger } from "../../src/base/log.ts"

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 0, 5)

const report = {
  name: "2026",
  bytes: 1000,
  chunks: 4,
  newChunks: 1,
  newBytes: 250,
  removedBackups: 0,
  removedChunks: 0,
  collectProblem: null,
}

/** A schedule of hourly backups with a clock that its pauses move. */
function fixture({ newestMs = null as number | null, stepMs = 0 } = {}) {
  const state = { nowMs: startMs, newestMs, takes: [] as number[], running: 0 }
  const answer = { work: async () => report as typeof report }
  let resume: (() => void) | null = null
  let pauseMs = 0
  const schedule = new BackupSchedule({
    everyMs: hourMs,
    newestMs: async () => state.newestMs,
    backUp: async (takenMs) => {
      assert.equal(state.running++, 0, "Expected one at a time")
      try {
        state.takes.push(takenMs)
        state.nowMs += stepMs
        return await answer.work()
      } finally {
        state.running--
      }
    },
    clock: { nowMs: () => state.nowMs },
    elapsedMs: () => state.nowMs,
    delay: (callback, ms) => {
      pauseMs = ms
      resume = callback
      return () => (resume = null)
    },
    log: silentLogger,
  })
  /** Lets the next pause pass, and waits for the one after it; gives the length of the former. */
  const pass = async (): Promise<number> => {
    const passed = pauseMs
    const callback = resume!
    resume = null
    state.nowMs += passed
    callback()
    while (resume === null) await new Promise(setImmediate)
    return passed
  }
  const passUntil = async (ms: number): Promise<void> => {
    while (state.nowMs < ms) await pass()
  }
  schedule.start()
  return { schedule, state, answer, pass, passUntil }
}

test("the first backup comes in the first minute, the next ones an interval after it", async () => {
  const { schedule, state, passUntil } = fixture({ stepMs: 1000 })
  await passUntil(startMs + 3.5 * hourMs)
  const first = startMs + 60_000
  assert.equal(state.takes[0], first)
  assert.equal(state.takes.length, 4)
  for (const [i, takenMs] of state.takes.entries()) {
    assert.ok(takenMs >= first + i * hourMs && takenMs < first + i * hourMs + 600_000)
  }
  const { lastSuccessMs, lastDurationMs, successes, uploadedBytes } = schedule.figures
  assert.deepEqual(
    { lastSuccessMs, lastDurationMs, successes, uploadedBytes },
    { lastSuccessMs: state.takes.at(-1), lastDurationMs: 1000, successes: 4, uploadedBytes: 1000 },
  )
})

test("a backup that the vault has counts, and missed ones are taken once", async () => {
  const recent = fixture({ newestMs: startMs - hourMs / 2 })
  await recent.passUntil(startMs + hourMs / 4)
  assert.equal(recent.schedule.figures.lastSuccessMs, startMs - hourMs / 2)
  await recent.passUntil(startMs + hourMs / 2)
  assert.deepEqual(recent.state.takes, [startMs + hourMs / 2])

  const late = fixture({ newestMs: startMs - 50 * hourMs })
  await late.passUntil(startMs + hourMs / 2)
  assert.equal(late.state.takes.length, 1)
})

test("a clock that was set back does not stop backups", async () => {
  const { state, pass } = fixture({ newestMs: startMs + 900 * hourMs })
  await pass()
  assert.equal(state.takes.length, 1)
})

test("failures are repeated after 1, 2, 4 … 60 minutes, and counted", async () => {
  const { schedule, state, answer, pass, passUntil } = fixture()
  answer.work = () => Promise.reject(new ServiceError("storage", "no such bucket"))
  const pauses: number[] = []
  for (let i = 0; i < 10; i++) pauses.push((await pass()) / 60_000)
  assert.deepEqual(pauses, [1, 1, 2, 4, 8, 16, 32, 60, 60, 60])
  assert.equal(schedule.figures.failures, 10)
  assert.equal(schedule.figures.problem, "no such bucket")
  answer.work = async () => report
  await passUntil(state.nowMs + hourMs)
  assert.equal(schedule.figures.problem, null)
  assert.equal(schedule.figures.successes, 1)
})

test("a backup that ends because the server stops is no failure", async () => {
  const { schedule, answer, pass } = fixture()
  answer.work = () => Promise.reject(new ServiceError("stopping", "The server stops"))
  await pass()
  assert.equal(schedule.figures.failures, 0)
  await schedule.stop()
})
