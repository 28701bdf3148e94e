import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { RateLimit, createRateLimit } from "../../src/accounts/rate-limit.ts"
import { TestClock } from "../support/time/test-clock.ts"
import { ServiceError } from "../../src/base/errors.ts"

const startMs = 1_700_000_000_000

/** Seconds after which a payload may be retried; 0 if it was accepted. */
function waitSeconds(limit: RateLimit): number {
  try {
    limit.chargePayload()
    return 0
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === "throttled")
    return error.retryAfterSeconds!
  }
}

test("without rates there is no limit object to check", () => {
  const clock = new TestClock(startMs)
  assert.equal(createRateLimit({ payloadsPerMinute: 0, samplesPerMinute: 0 }, clock), null)
  assert.notEqual(createRateLimit({ payloadsPerMinute: 1, samplesPerMinute: 0 }, clock), null)
  assert.notEqual(createRateLimit({ payloadsPerMinute: 0, samplesPerMinute: 1 }, clock), null)
})

test("a minute's payloads may be sent in a burst, then tokens return evenly", () => {
  const clock = new TestClock(startMs)
  const limit = new RateLimit({ payloadsPerMinute: 6, samplesPerMinute: 0 }, clock)
  for (let i = 0; i < 6; i++) assert.equal(waitSeconds(limit), 0)
  assert.equal(waitSeconds(limit), 10)
  clock.advance(9_999)
  assert.equal(waitSeconds(limit), 1)
  clock.advance(1)
  assert.equal(waitSeconds(limit), 0)
  assert.equal(waitSeconds(limit), 10)
})

test("samples are charged afterwards; no payload is accepted while they are owed", () => {
  const clock = new TestClock(startMs)
  const limit = new RateLimit({ payloadsPerMinute: 0, samplesPerMinute: 600 }, clock)
  assert.equal(waitSeconds(limit), 0)
  limit.chargeSamples(1_200)
  assert.equal(waitSeconds(limit), 60)
  clock.advance(60_000)
  assert.equal(waitSeconds(limit), 1)
  clock.advance(1_000)
  assert.equal(waitSeconds(limit), 0)
})

test("a clock that steps back neither adds nor removes tokens", () => {
  const clock = new TestClock(startMs)
  const limit = new RateLimit({ payloadsPerMinute: 1, samplesPerMinute: 0 }, clock)
  assert.equal(waitSeconds(limit), 0)
  clock.advance(-3_600_000)
  assert.equal(waitSeconds(limit), 60)
  clock.advance(60_000)
  assert.equal(waitSeconds(limit), 0)
})

test("never more than a minute's burst plus the rate over time is accepted", () => {
  const steps = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), samples: fc.nat(500) }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 100 }), (sent, perMinute) => {
      const clock = new TestClock(startMs)
      const samplesPerMinute = 10 * perMinute
      const limit = new RateLimit({ payloadsPerMinute: perMinute, samplesPerMinute }, clock)
      let payloads = 0
      let samples = 0
      let largest = 0
      for (const step of sent) {
        clock.advance(step.afterMs)
        if (waitSeconds(limit) > 0) continue
        payloads++
        samples += step.samples
        largest = Math.max(largest, step.samples)
        limit.chargeSamples(step.samples)
      }
      const minutes = (clock.nowMs() - startMs) / 60_000
      assert.ok(payloads <= perMinute * (1 + minutes) + 1e-6)
      assert.ok(samples <= samplesPerMinute * (1 + minutes) + largest + 1e-6)
    }),
  )
})

test("a sender that waits for Retry-After is accepted", () => {
  const rate = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(rate, fc.nat(1_000_000), (perMinute, samples) => {
      const clock = new TestClock(startMs)
      const rates = { payloadsPerMinute: perMinute, samplesPerMinute: perMinute }
      const limit = new RateLimit(rates, clock)
      assert.equal(waitSeconds(limit), 0)
      limit.chargeSamples(samples)
      const seconds = waitSeconds(limit)
      // A sender that was accepted immediately has not waited, and may have used the last token.
      fc.pre(seconds > 0)
      // The first wait may end in the very moment in which the debt is paid, and nothing is there.
      clock.advance((seconds + 1) * 1000)
      assert.equal(waitSeconds(limit), 0)
    }),
  )
})
