/**
 * A random walk: appends, background work, reopening and queries in any order, on an
 * implementation and on the reference store; every answer is compared. The samples lie within few
 * days around one noon and collide on purpose; the clock only moves forward, within retention.
 */

import { test } from "node:test"
import fc from "fast-check"
import { cycleMs, dayMs, hourMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { noonMs, seriesName, steadyRequests } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import {
  fewSeries,
  requestsArbitrary,
  resolutionArbitrary,
  spanArbitrary,
} from "./store-arbitraries.ts"
import { withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

type Step =
  | { readonly kind: "append"; readonly requests: readonly SampleRequest[] }
  | { readonly kind: "collect"; readonly startMs: number; readonly steps: number }
  | { readonly kind: "redeliver"; readonly back: number }
  | { readonly kind: "maintain"; readonly budgetMs: number; readonly idle: boolean }
  | { readonly kind: "settle" }
  | { readonly kind: "wait"; readonly byMs: number }
  | { readonly kind: "reopen" }
  | { readonly kind: "samples"; readonly index: number; readonly asked: Asked }
  | { readonly kind: "statistics"; readonly exact: boolean; readonly asked: Asked }

interface Asked {
  readonly span: Span
  readonly resolution: Resolution
}

const askedArbitrary = fc.record({ span: spanArbitrary, resolution: resolutionArbitrary })
const indexArbitrary = fc.nat({ max: fewSeries.length - 1 })

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: kind("append"), requests: requestsArbitrary }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("collect"),
      startMs: fc.integer({ min: -70, max: -1 }).map((hours) => noonMs + hours * hourMs),
      steps: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("redeliver"), back: fc.nat({ max: 20 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind("maintain"),
      budgetMs: fc.constantFrom(0, 1, 50),
      idle: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("settle") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind("wait"),
      byMs: fc.constantFrom(cycleMs, hourMs, 13 * hourMs, 2 * dayMs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("reopen") }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: kind("samples"), index: indexArbitrary, asked: askedArbitrary }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: kind("statistics"),
      exact: fc.boolean(),
      asked: askedArbitrary,
    }),
  },
)

/** The walk stays where even the oldest sample is within the default retention. */
const waitMsMax = 10 * dayMs

export function walkContract({ open, runs }: Contract): void {
  test("a random walk gives the reference store's answer to every query", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 40 }), (steps) =>
        withTrial(open, (trial) => walk(trial, steps)),
      ),
      { numRuns: runs },
    )
  })
}

async function walk(trial: Trial, steps: readonly Step[]): Promise<void> {
  await trial.declare(fewSeries)
  let nowMs = noonMs
  const sent: SampleRequest[] = []
  const send = async (requests: readonly SampleRequest[]): Promise<void> => {
    sent.push(...requests)
    await trial.append(...requests)
  }
  for (const one of steps) {
    switch (one.kind) {
      case "append":
        await send(one.requests)
        break
      case "collect":
        await send(collected(one.startMs, one.steps))
        break
      case "redeliver":
        await trial.appendToSubject(...sent.slice(-one.back))
        break
      case "maintain":
        await trial.maintain({ nowMs, budgetMs: one.budgetMs, idle: one.idle })
        break
      case "wait":
        nowMs = Math.min(nowMs + one.byMs, noonMs + waitMsMax)
        break
      case "settle":
        await trial.maintainFully(nowMs)
        break
      case "reopen":
        await trial.pass("reopen")
        break
      case "samples":
        await trial.agreeOnSamples(one.index, one.asked.resolution, one.asked.span)
        break
      case "statistics":
        await trial.agreeOnStatistics(everySeries(one.asked, one.exact))
        break
    }
  }
  await trial.agree()
}

/** An agent's hours: one request a minute with every metric of its elements. */
function collected(startMs: number, steps: number): SampleRequest[] {
  const of = [...fewSeries, seriesName("host-3", "cpu.total")]
  const plan = { fromMs: startMs, toMs: startMs + steps * 60_000, stepMs: 60_000 }
  return steadyRequests({ of, ...plan, seed: startMs % 1009 })
}

function everySeries(asked: Asked, exact: boolean) {
  const series = Int32Array.from(fewSeries.keys())
  return { ...asked, series, exact, withValues: resolutions.indexOf(asked.resolution) % 2 === 0 }
}

function kind<K extends Step["kind"]>(name: K): fc.Arbitrary<K> {
  return fc.constant(name)
}
