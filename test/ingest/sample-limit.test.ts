import assert from "node:assert/strict"
import { test } from "node:test"
import { nowMs, Reading, sample } from "./reading.ts"

const loopOf = (elements: number, samples: number, round: number) =>
  Array.from({ length: elements }, (_, e) => ({
    id: `e${e}`,
    samples: Array.from({ length: samples }, (_, m) =>
      sample({ metricId: `m${m}`, timestamp: nowMs + round, val: e + round }),
    ),
  }))

/** Reads the same elements repeatedly; returns for each round whether the scanner read it. */
function fastRounds(rounds: number, elements: number, samples: number): boolean[] {
  const warm = new Reading()
  const slow = new Reading({ scanner: false })
  return Array.from({ length: rounds }, (_, round) => {
    const body = loopOf(elements, samples, round)
    const before = warm.reader.scannedBodies
    assert.deepEqual(warm.read(body), slow.read(body))
    assert.deepEqual(warm.samples(), slow.samples())
    assert.deepEqual(warm.known(), slow.known())
    return warm.reader.scannedBodies > before
  })
}

test("templates of very many short elements are built over several bodies", () => {
  const rounds = fastRounds(10, 1_000, 1)
  assert.deepEqual([rounds[0], rounds[9]], [false, true])
  const first = rounds.indexOf(true)
  assert.ok(!rounds.includes(false, first), `Expected no slow body after the first fast one`)
})

test("templates of very many elements with an agent's samples are built in one body", () => {
  assert.deepEqual(fastRounds(2, 400, 12), [true, true])
})

test("the new elements of a refused body are unknown to the next one", () => {
  const reading = new Reading()
  const loop = [...loopOf(1_000, 0, 0), { id: "e" }, 7]
  assert.equal(reading.read(loop).ok, false)
  assert.equal(reading.catalogue.elementCount, 0)
  assert.equal(reading.read(loopOf(1, 1, 0)).ok, true)
  assert.equal(reading.catalogue.elementCount, 1)
})
