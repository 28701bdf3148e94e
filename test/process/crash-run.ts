/**
 * Crash run: a store that grows over many rounds; each round loads the real server, kills it at a
 * random moment, starts it again and reads everything back.
 *
 *   start ─► check ─► load ─► (calm: flush and compaction) ─► SIGKILL ─► next round
 *                                                      every so often SIGTERM, then `verify`
 */

import assert from "node:assert/strict"
import { setTimeout as wait } from "node:timers/promises"
import { elementUuid } from "../../src/model/fqn.ts"
import { dayMs } from "../../src/model/resolution.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { runProgram, startServer } from "../support/server/server.ts"
import type { TestServer } from "../support/server/server.ts"
import { aggregateCount, aggregateMetric, Ledger, plainMetrics } from "./crash-ledger.ts"
import type { Observation, SentRequest } from "./crash-ledger.ts"

interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  readonly nowMs: number
  readonly tell: (line: string) => void
}

const connections = 4
/** Longest load of a round, and longest calm after it, in which background work is under way. */
const loadMsMax = 200
const calmMsMax = 600
const roundsPerVerify = 10

/** Throws with the seed if the store lost, doubled or invented anything. */
export async function crashRun(options: CrashOptions): Promise<void> {
  const folder = makeFolder("tidegauge-crash")
  const run = new Run(options, folder)
  try {
    for (let round = 1; round <= options.rounds; round++) await run.round(round)
    await run.resendEverything()
    removeFolder(folder)
  } catch (cause) {
    const where = `seed ${options.seed}, store kept in ${folder}`
    throw new Error(`${(cause as Error).message} (${where})`, { cause })
  } finally {
    await run.end()
  }
}

class Run {
  private readonly options: CrashOptions
  private readonly folder: string
  private readonly ledger: Ledger
  private doubtful: SentRequest[] = []
  private server: TestServer | null = null

  constructor(options: CrashOptions, folder: string) {
    this.options = options
    this.folder = folder
    this.ledger = new Ledger(options.seed, options.nowMs)
  }

  async round(round: number): Promise<void> {
    const server = await this.start()
    await this.checkAndRetry(server)
    const loadMs = this.ledger.below(loadMsMax)
    const calmMs = this.ledger.below(2) === 0 ? 0 : this.ledger.below(calmMsMax)
    const isLast = round === this.options.rounds
    const isOrderly = round % roundsPerVerify === 0 || isLast
    const load = this.load(server, { round, loadMs, untilEnd: calmMs === 0 })
    await wait(loadMs + calmMs)
    if (isOrderly) await this.stopInOrder(server)
    else await server.kill()
    await load
    if (isOrderly) await this.verify()
    const { acknowledged } = this.ledger
    this.options.tell(
      `round ${round}: ${loadMs} + ${calmMs} ms, ${isOrderly ? "stopped" : "killed"}, ` +
        `${acknowledged.length} requests acknowledged, ${this.doubtful.length} in doubt`,
    )
  }

  /** Everything stored is sent once more: no answer may change. */
  async resendEverything(): Promise<void> {
    const server = await this.start()
    await this.checkAndRetry(server)
    const before = await this.answers(server)
    const waiting = [...this.ledger.acknowledged]
    const worker = async (): Promise<void> => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        assert.equal((await server.client.ingest(one.body)).status, 202)
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
    assert.deepEqual(await this.answers(server), before, "Answers changed by sending again")
    await this.stopInOrder(server)
    await this.verify()
  }

  /** Leaves no process behind. */
  async end(): Promise<void> {
    if (this.server?.isRunning()) await this.server.kill()
  }

  private async start(): Promise<TestServer> {
    const { folder } = this
    // The window of acceptance must not move past what is sent again at the end.
    const flags = ["--accept-past", "P20D", "--retention-zero", "P30D"]
    this.server = await startServer({ folder, flags })
    return this.server
  }

  private async checkAndRetry(server: TestServer): Promise<void> {
    this.ledger.check(await this.readAll(server), this.doubtful)
    for (const request of this.doubtful.splice(0)) {
      assert.equal((await server.client.ingest(request.body)).status, 202)
      this.ledger.acknowledge(request)
    }
  }

  private async load(
    server: TestServer,
    { round, loadMs, untilEnd }: { round: number; loadMs: number; untilEnd: boolean },
  ): Promise<void> {
    const endMs = performance.now() + loadMs
    const worker = async (): Promise<void> => {
      while (server.isRunning() && (untilEnd || performance.now() < endMs)) {
        const request = this.ledger.makeRequest(round)
        const status = await statusOf(server, request)
        if (status === 202) this.ledger.acknowledge(request)
        else if (status === null) this.doubtful.push(request)
        else assert.equal(status, 503)
        if (status !== 202) return
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
  }

  private async stopInOrder(server: TestServer): Promise<void> {
    assert.equal(await server.stop(), 0, server.output())
  }

  private async verify(): Promise<void> {
    const { status, output } = await runProgram(["verify", "--data", this.folder])
    assert.equal(status, 0, output)
    this.options.tell(output.trim())
  }

  private async readAll(server: TestServer): Promise<Observation[]> {
    const wanted = new Set(this.ledger.elements)
    for (const { observations } of this.doubtful) {
      for (const { element } of observations) wanted.add(element)
    }
    const tenantId = await this.tenantId(server, wanted)
    const elementById = new Map([...wanted].map((fqn) => [elementUuid(tenantId, fqn), fqn]))
    const metrics = [...plainMetrics, aggregateMetric]
    const found = metrics.map((metric) => this.readMetric(server, { metric, elementById }))
    return (await Promise.all(found)).flat()
  }

  /** From any element that is stored; after the first kill all requests may be in doubt. */
  private async tenantId(server: TestServer, elements: Iterable<string>): Promise<string> {
    for (const element of elements) {
      const reply = await server.client.get(`/elements/${element}`)
      if (reply.status === 200)
        return reply.json<{ element: { tenantId: string } }>().element.tenantId
    }
    return ""
  }

  private async readMetric(
    server: TestServer,
    { metric, elementById }: { metric: string; elementById: Map<string, string> },
  ): Promise<Observation[]> {
    const params = { ...this.window(), fqn: metric, rollup: "ZERO", showTimestamps: true }
    const reply = await server.client.get("/metrics/statistics", { ...params, showValues: true })
    assert.equal(reply.status, 200, reply.text)
    // An aggregate of four is shown as its average.
    const weight = metric === aggregateMetric ? aggregateCount : 1
    return reply.json<StatisticsBody>().metrics.flatMap((one) => {
      assert.equal(one.statistics.count, one.data.length * weight)
      const element = elementById.get(one.elementId)
      assert.ok(element !== undefined, `Nobody sent element ${one.elementId}`)
      return one.data.map((shown, i) => {
        return { element, metric, timeMs: Date.parse(one.timestamps[i]!), value: shown * weight }
      })
    })
  }

  /** Every statistic at every rollup, as texts. */
  private async answers(server: TestServer): Promise<string[]> {
    const texts: string[] = []
    for (const fqn of [...plainMetrics, aggregateMetric]) {
      for (const rollup of ["ZERO", "PT5M", "PT1H", "PT24H"]) {
        const params = { ...this.window(), fqn, rollup, showValues: true, showTimestamps: true }
        const reply = await server.client.get("/metrics/statistics", params)
        assert.equal(reply.status, 200, reply.text)
        texts.push(reply.text)
      }
    }
    return texts
  }

  private window() {
    const { nowMs } = this.options
    return { startTime: nowMs - 12 * dayMs, endTime: nowMs + dayMs }
  }
}

interface StatisticsBody {
  readonly metrics: readonly {
    readonly elementId: string
    readonly statistics: { readonly count: number }
    readonly data: readonly number[]
    readonly timestamps: readonly string[]
  }[]
}

/** Null if the connection ended before the answer came. */
async function statusOf(server: TestServer, request: SentRequest): Promise<number | null> {
  try {
    return (await server.client.ingest(request.body)).status
  } catch {
    return null
  }
}
