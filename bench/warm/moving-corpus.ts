/** Requests without an end: a corpus in passes, each later than the one before. */

import { assert } from "../../src/base/assert.ts"
import { bodies } from "../load/bodies.ts"
import { postRequest } from "../load/connection.ts"
import type { Requests } from "../load/drive.ts"
import { mixedBody, mixedOpenTsdbBody } from "../load/mixed-bodies.ts"
import { type MixedWorkload, samplesOf } from "../load/mixed-workload.ts"
import type { Server } from "../load/server.ts"
import { type Cut, cutWorkload, samplesOfCut, type Workload } from "../load/workload.ts"
import { MovingRequest, type PassStep, type ValueKind } from "./moving-request.ts"

const minuteMs = 60_000
/** More than the counter of the workload adds to itself in a minute. */
const counterGrowthPerMinute = 1500
/** A run of the driver keeps two numbers for each; a minute takes about a million. */
const requestsMax = 4_000_000

interface MovingCorpusParts {
  readonly requests: readonly MovingRequest[]
  /** Samples in each of them. */
  readonly samples: (index: number) => number
  readonly minutes: number
  /** Epoch milliseconds that no sample may reach. */
  readonly untilMs: number
}

export class MovingCorpus {
  private readonly parts: MovingCorpusParts
  private readonly step: PassStep
  /** Requests that were sent. */
  private sent = 0

  constructor(parts: MovingCorpusParts) {
    this.parts = parts
    const { minutes } = parts
    const counterGrowth = minutes * counterGrowthPerMinute
    this.step = { spanMs: minutes * minuteMs, counterGrowth }
  }

  /** Requests of one pass. */
  get length(): number {
    return this.parts.requests.length
  }

  /** How often the corpus was sent, the pass that is not over included. */
  get passes(): number {
    return Math.ceil(this.sent / this.length)
  }

  /**
   * Those that come next, for one run of the driver; asking for the request `index` of them makes
   * it. Throws then if its samples would reach `untilMs`.
   */
  next(): { readonly requests: Requests; readonly samples: (index: number) => number } {
    const from = this.sent
    return {
      requests: { length: requestsMax, at: (index) => this.make(from + index) },
      samples: (index) => this.parts.samples((from + index) % this.length),
    }
  }

  private make(at: number): Buffer {
    assert(at === this.sent, `Expected request ${this.sent}, got ${at}`)
    this.sent++
    const request = this.parts.requests[at % this.length]!
    const pass = Math.floor(at / this.length)
    if (request.lastMs(pass, this.step) >= this.parts.untilMs) {
      throw new Error(`Samples reach the present in pass ${pass}: begin earlier`)
    }
    return request.move(pass, this.step)
  }
}

/** Requests of the same elements, metrics and minutes as those of the cold load. */
export function movingCorpus(
  workload: Workload,
  size: { readonly elements: number; readonly minutes: number },
  server: Server,
  untilMs: number,
): MovingCorpus {
  const cuts = cutWorkload(workload, size)
  const { format } = server.subject
  if (format === "line") throw new Error("Expected no line protocol: nothing moves it")
  const requests = cuts.map((cut) => {
    return new MovingRequest({
      bytes: postRequest(server.launch.target, bodies[format](workload, cut)),
      format,
      samples: samplesOfCut(workload, cut),
      kindOf: (sample) => workload.metricList[metricOf(format, workload, cut, sample)]!.stream,
    })
  })
  const samples = (index: number) => samplesOfCut(workload, cuts[index]!)
  return new MovingCorpus({ requests, samples, minutes: workload.minutes, untilMs })
}

/** Metrics follow each other, but in the import, which has all minutes of one first. */
function metricOf(format: string, workload: Workload, cut: Cut, sample: number): number {
  const minutes = format === "import" ? cut.minuteTo - cut.minuteFrom : 1
  return Math.floor(sample / minutes) % workload.metrics
}

/** Time first, then elements; the workload has generations. */
export function movingMixedCorpus(
  workload: MixedWorkload,
  { launch, subject }: Server,
  untilMs: number,
): MovingCorpus {
  const format = subject.format === "opentsdb" ? "opentsdb" : "tidegauge"
  const print = format === "opentsdb" ? mixedOpenTsdbBody : mixedBody
  const count = workload.elements.length
  const requests = Array.from({ length: count * workload.minutes }, (_, i) => {
    const element = i % count
    const { metrics } = workload.elements[element]!
    return new MovingRequest({
      bytes: postRequest(launch.target, print(workload, element, Math.floor(i / count))),
      format,
      samples: metrics.length,
      kindOf: (sample): ValueKind => {
        const { isAggregated, stream } = metrics[sample]!
        return isAggregated ? "fixed" : stream
      },
    })
  })
  const samples = (index: number) => samplesOf(workload, index % count)
  return new MovingCorpus({ requests, samples, minutes: workload.minutes, untilMs })
}
