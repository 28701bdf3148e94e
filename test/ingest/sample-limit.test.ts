import assert from "node:assert/strict"
import { test } from "node:test"
import { nowMs, Reading, sample } from "./reading.ts"

const crowdOf = (elements: number, samples: number, round: number) =>
  Array.from({ length: elements }, (_, e) => ({
    id: `e${e}`,
    samples: Array.from({ length: samples }, (_, m) =>
      sample({ metricId: `m${m}`, timestamp: nowMs + round, val: e + round }),
    ),
  }))

/** Reads the same crowd again and again; tells which bodies the scanner took. */
function fastRounds(rounds: number, elements: number, samples: number): boolean[] {
  const warm = new Reading()
  const slow = new Reading({ scanner: false })
  return Array.from({ length: rounds }, (_, round) => {
    const body = crowdOf(elements, samples, round)
    const before = warm.reader.scannedBodies
    assert.deepEqual(warm.read(body), slow.read(body))
    assert.deepEqual(warm.samples(), slow.samples())
    assert.deepEqual(warm.known(), slow.known())
    return warm.reader.scannedBodies > before
  })
}

test("a crowd of short elements is learned over some bodies, and recognised from then on", () => {
  const rounds = fastRounds(10, 1_000, 1)
  assert.deepEqual([rounds[0], rounds[9]], [false, true])
  const first = rounds.indexOf(true)
  assert.ok(!rounds.includes(false, first), `Expected no slow body after the first fast one`)
})

test("a crowd of elements with as many samples as agents send is learned at first sight", () => {
  assert.deepEqual(fastRounds(2, 400, 12), [true, true])
})

test("what a crowd of strangers that is refused says is not known to the next body", () => {
  const reading = new Reading()
  const crowd = [...crowdOf(1_000, 0, 0), { id: "e" }, 7]
  assert.equal(reading.read(crowd).ok, false)
  assert.equal(reading.catalogue.elementCount, 0)
  assert.equal(reading.read(crowdOf(1, 1, 0)).ok, true)
  assert.equal(reading.catalogue.elementCount, 1)
})
