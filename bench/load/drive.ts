/** Sends requests over a few connections, as fast as they are answered or at a given rate. */

import { type Answer, Connection } from "./connection.ts"
import { StolenTime } from "./stolen.ts"

/** An array of them, or what makes them one by one: each index is asked for once, in order. */
export interface Requests {
  readonly length: number
  at(index: number): Buffer | undefined
}

interface DriveOptions {
  readonly port: number
  /** Certificate of the server as PEM; absent: plain HTTP. */
  readonly ca?: string | undefined
  /** Sent in order, each once. */
  readonly requests: Requests
  /** Samples in each request; the last may hold fewer. */
  readonly samples: (index: number) => number
  readonly connections: number
  /** No request starts later than this. */
  readonly secondsMax: number
  /** Requests a second; absent: as fast as they are answered. */
  readonly rate?: number
  /** Requests due in these first seconds are excluded from the latencies; 0 by default. */
  readonly warmUpSeconds?: number
}

export interface DriveFigures {
  /** Requests that were answered with 2xx. */
  readonly requests: number
  /** Samples in those. */
  readonly samples: number
  readonly refused: number
  /** The first answer that was not 2xx; empty without one. */
  readonly firstRefusal: string
  readonly seconds: number
  /** Between sending, or being due if all connections were busy, and the answer. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Of the requests in the warm-up; NaN without one. */
  readonly warmUpP99Ms: number
  /** The part of the processors' time that the host gave to others during the run. */
  readonly stolenShare: number
  /** The same of the requests that lay in undisturbed time, and how many those are. */
  readonly undisturbed: {
    readonly requests: number
    readonly p50Ms: number
    readonly p99Ms: number
  }
}

/** A refusal now and then is a figure; this many are a broken run. */
const refusedMax = 50

/** Rejects if a connection breaks or too many requests are refused. */
export async function drive(options: DriveOptions): Promise<DriveFigures> {
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Connection.open(options.port, options.ca)),
  )
  const run = new Run(options)
  try {
    await (options.rate === undefined
      ? Promise.all(connections.map((connection) => run.sendAll(connection)))
      : run.sendPaced(connections, options.rate))
  } finally {
    run.end()
    for (const connection of connections) connection.close()
  }
  return run.figures()
}

class Run {
  private readonly options: DriveOptions
  private readonly startedMs = performance.now()
  private readonly latencies: Float64Array
  private readonly answerTimes: Float64Array
  private readonly stolen = new StolenTime()
  private answered = 0
  private next = 0
  private accepted = 0
  private samples = 0
  private refused = 0
  private firstRefusal = ""

  constructor(options: DriveOptions) {
    this.options = options
    this.latencies = new Float64Array(options.requests.length)
    this.answerTimes = new Float64Array(options.requests.length)
  }

  end(): void {
    this.stolen.stop()
  }

  async sendAll(connection: Connection): Promise<void> {
    const untilMs = this.startedMs + this.options.secondsMax * 1000
    while (this.next < this.options.requests.length) {
      const nowMs = performance.now()
      if (nowMs > untilMs) return
      await this.sendNext(connection, nowMs)
    }
  }

  /** Polls the clock every millisecond; sends what is due once a connection is free. */
  async sendPaced(connections: readonly Connection[], rate: number): Promise<void> {
    const free = [...connections]
    const due: number[] = []
    const inFlight = new Set<Promise<unknown>>()
    const { requests, secondsMax } = this.options
    const count = Math.min(requests.length, Math.floor(secondsMax * rate))
    let seen = 0
    let failure: { error: unknown } | null = null as { error: unknown } | null
    while (this.next < count) {
      const nowMs = performance.now()
      const shouldBe = Math.min(count, ((nowMs - this.startedMs) * rate) / 1000)
      for (; seen < shouldBe; seen++) due.push(nowMs)
      while (due.length > 0 && free.length > 0) {
        // In turn: the server ends a connection that said nothing for 10 s.
        const connection = free.shift()!
        const sent = this.sendNext(connection, due.shift()!).then(
          () => {
            free.push(connection)
            inFlight.delete(sent)
          },
          (error: unknown) => (failure ??= { error }),
        )
        inFlight.add(sent)
      }
      if (failure !== null) throw failure.error
      const tick = new Promise<void>((resolve) => setTimeout(resolve, 1))
      await (free.length > 0 ? tick : Promise.race(inFlight))
    }
    await Promise.all(inFlight)
    if (failure !== null) throw failure.error
  }

  private async sendNext(connection: Connection, dueMs: number): Promise<void> {
    const index = this.next++
    const answer = await connection.send(this.options.requests.at(index)!)
    const nowMs = performance.now()
    this.latencies[this.answered] = nowMs - dueMs
    this.answerTimes[this.answered++] = nowMs
    this.count(answer, index)
  }

  private count({ status, body }: Answer, index: number): void {
    if (status >= 200 && status < 300) {
      this.accepted++
      this.samples += this.options.samples(index)
      return
    }
    this.refused++
    if (this.firstRefusal === "") this.firstRefusal = `${status} ${body.slice(0, 300)}`
    if (this.refused > refusedMax) throw new Error(`Too many refusals, first: ${this.firstRefusal}`)
  }

  figures(): DriveFigures {
    const { warmUpSeconds = 0 } = this.options
    const warmUntilMs = this.startedMs + warmUpSeconds * 1000
    const all = this.latenciesWhere((dueMs) => dueMs >= warmUntilMs)
    const quiet = this.latenciesWhere(
      (dueMs, toMs) => dueMs >= warmUntilMs && this.stolen.isUndisturbed(dueMs, toMs),
    )
    const { p50Ms, p99Ms } = quantiles(quiet)
    return {
      requests: this.accepted,
      samples: this.samples,
      refused: this.refused,
      firstRefusal: this.firstRefusal,
      seconds: (performance.now() - this.startedMs) / 1000,
      ...quantiles(all),
      warmUpP99Ms: quantiles(this.latenciesWhere((dueMs) => dueMs < warmUntilMs)).p99Ms,
      stolenShare: this.stolen.share,
      undisturbed: { requests: quiet.length, p50Ms, p99Ms },
    }
  }

  private latenciesWhere(counts: (dueMs: number, toMs: number) => boolean): Float64Array {
    return this.latencies.subarray(0, this.answered).filter((latencyMs, i) => {
      const toMs = this.answerTimes[i]!
      return counts(toMs - latencyMs, toMs)
    })
  }
}

function quantiles(latencies: Float64Array): { p50Ms: number; p99Ms: number; maxMs: number } {
  const sorted = latencies.slice().sort()
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  return {
    p50Ms: at(0.5) ?? Number.NaN,
    p99Ms: at(0.99) ?? Number.NaN,
    maxMs: sorted.at(-1) ?? Number.NaN,
  }
}
