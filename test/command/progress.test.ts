import assert from "node:assert/strict"
import { test } from "node:test"
import { Progress, stepText } from "../../src/command/text/progress.ts"
import { bytesText } from "../../src/command/text/table-text.ts"

const step = (done: number) => ({ what: "checking", done, total: 400, unit: "rows" }) as const

/** The output of a job of 400 rows that does one every 100 ms. */
function written(isTerminal: boolean): string[] {
  const texts: string[] = []
  let nowMs = 0
  const progress = new Progress({
    write: (text) => texts.push(text),
    isTerminal,
    elapsedMs: () => nowMs,
  })
  for (let done = 0; done <= 400; done++, nowMs += 100) progress.step(step(done))
  progress.clear()
  return texts
}

test("in a pipe a plain line every ten seconds, with amount, rate and time left", () => {
  assert.deepEqual(written(false), [
    "checking: 25 %, 100 rows of 400 rows, 10 rows/s, 0:30 left\n",
    "checking: 50 %, 200 rows of 400 rows, 10 rows/s, 0:20 left\n",
    "checking: 75 %, 300 rows of 400 rows, 10 rows/s, 0:10 left\n",
    "checking: 100 %, 400 rows of 400 rows, 10 rows/s\n",
  ])
})

test("on a terminal one line five times a second, which is taken away in the end", () => {
  const texts = written(true)
  assert.equal(texts.length, 201)
  assert.ok(texts.every((text) => text.startsWith("\r\u001b[K") && !text.includes("\n")))
  assert.equal(texts.at(-1), "\r\u001b[K")
})

test("a step without a total shows the count done, and hours are shown", () => {
  const open = { what: "reading", done: 3 * 1024 ** 3, total: null, unit: "B" } as const
  assert.equal(stepText(open, 0), "reading: 3.0 GiB")
  assert.equal(stepText(open, 2000), "reading: 3.0 GiB, 1.5 GiB/s")
  const long = { ...open, done: 1, total: 7261 }
  assert.match(stepText(long, 1000), /, 2:01:00 left$/)
  assert.deepEqual([1, 1023, 2048, 150 * 1024].map(bytesText), [
    "1 B",
    "1023 B",
    "2.0 KiB",
    "150 KiB",
  ])
})
