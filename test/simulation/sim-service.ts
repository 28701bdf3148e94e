/**
 * SimService: the services of a server on one thread, composed as serve.ts does, under a simulated
 * clock. Work of other threads is done synchronously and answered by a copy; timers are due when
 * the clock has been moved past them.
 *
 *   crash   nothing is answered any more; another process opens a copy of the folder
 */

import assert from "node:assert/strict"
import { setImmediate as turn } from "node:timers/promises"
import { TestClock } from "../support/time/test-clock.ts"
import { silentLogger } from "../../src/base/log.ts"
import { WatchedTime } from "../../src/base/time/watched-time.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { createCycleScheduler } from "../../src/server/cycle-closing.ts"
import { CycleEvaluator } from "../../src/cycle/cycle-evaluator.ts"
import type { BatchRequest } from "../../src/cycle/cycle-protocol.ts"
import type { CycleScheduler, SchedulerState } from "../../src/cycle/cycle-scheduler.ts"
import { MaintenanceScheduler } from "../../src/engine/maintenance-scheduler.ts"
import { toWorkerResult } from "../../src/engine/worker-result.ts"
import type { WorkerPool } from "../../src/engine/worker-pool.ts"
import { documentStoreOf, ShardClient } from "../../src/engine/shard-client.ts"
import { Shard } from "../../src/engine/shard.ts"
import type { ShardTask } from "../../src/engine/shard-protocol.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { outboxChanges } from "../../src/notify/outbox.ts"
import { openRecords, type Records } from "../../src/records/records.ts"
import { inactiveCycles, tenantUuid } from "./service-plan.ts"
import { SimStore } from "./sim-store.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { ingestTask, openGuard } from "../support/ingest/shard-task.ts"

interface SimServiceOptions {
  readonly startMs: number
  readonly graceMs: number
  readonly missedCyclesMax: number
  readonly batchElements: number
  readonly commitBytes: number
  /** The folder of an existing store. */
  readonly folder?: string
  /** Receives the name of each moment around a commit; true makes the process die there. */
  readonly diesAt?: (point: string) => boolean
  /** How long the next step of background work may take. */
  readonly budgetMs?: () => number
  /** True if time passes in steps of seconds: then a longer one is missed by the service. */
  readonly watchesTime?: boolean
}

type Worker = "ticker" | "maintenance"

interface Timer {
  readonly of: Worker
  readonly dueMs: number
  readonly callback: () => void
}

/** One process, from its start to its end. */
interface Life {
  isDead: boolean
  readonly shard: ShardClient
  readonly records: Records
  readonly maintenance: MaintenanceScheduler
  readonly ticker: CycleScheduler
  timers: Timer[]
}

/** Far more turns than any moment takes. */
const turnsMax = 100_000
/** Turns of the event loop after which no work is pending. */
const calmTurns = 20

export class SimService {
  readonly clock: TestClock
  readonly store: SimStore
  /** Requested batches, in order, until one is taken. */
  readonly asked: BatchRequest[] = []
  /** Of each step back of the clock: the first cycle that closes again. */
  readonly reopened: number[] = []
  readonly errors: unknown[] = []
  private readonly options: SimServiceOptions
  private life: Life | null = null

  constructor(options: SimServiceOptions) {
    this.options = options
    this.clock = new TestClock(options.startMs)
    this.store = new SimStore({
      commitBytes: options.commitBytes,
      ...(options.folder === undefined ? {} : { folder: options.folder }),
      segmentBytes: 64 * 1024,
      onPoint: (name) => this.onPoint(name),
    })
  }

  get records(): Records {
    return this.living.records
  }

  get shard(): ShardClient {
    return this.living.shard
  }

  /** May die on the way. */
  async start(): Promise<void> {
    const life = this.open()
    this.life = life
    void life.ticker.start()
    life.maintenance.start()
    await this.quiesce()
  }

  async stop(): Promise<void> {
    const { ticker, maintenance } = this.living
    await ticker.stop()
    await maintenance.stop()
    this.life = null
    await this.store.reopen()
  }

  async crash(): Promise<void> {
    if (this.life !== null) this.life.isDead = true
    this.life = null
    await this.store.crash()
  }

  /** Moves time, and has done what is due; false if the process died on the way. */
  async advance(ms: number): Promise<boolean> {
    this.wait(ms)
    await this.quiesce()
    return this.isAlive
  }

  /** Time passes while no process runs, or before it notices. */
  wait(ms: number): void {
    this.clock.advance(ms)
    this.store.elapsedMs += ms
  }

  /** Sends a body; returns whether it was accepted, undefined if the process died over it. */
  async post(elements: readonly object[]): Promise<boolean | undefined> {
    const life = this.living
    const task = ingestTask([JSON.stringify(elements)], this.clock.nowMs())
    let status: number | undefined
    const answered = life.shard.ingest(task)
    void answered.then(({ statuses }) => (status = statuses[0]))
    while (status === undefined && !life.isDead) await turn()
    life.maintenance.noteIngest()
    return status === undefined ? undefined : status === 202
  }

  /** Flushes all samples that it has. */
  async flush(): Promise<void> {
    const moment = { nowMs: this.clock.nowMs(), budgetMs: 1_000, idle: true, flushUpToMs: Infinity }
    while (!(await this.shard.maintain(moment)).isFlushed);
  }

  /** Whether the part is in the store. */
  isClosed({ cycle, name }: BatchRequest): boolean {
    this.store.reader.refresh()
    return this.store.reader.isClosed(cycle, name)
  }

  state(): SchedulerState {
    return this.store.writer.getDocument("cycle", "ticker") as SchedulerState
  }

  get isAlive(): boolean {
    return this.life?.isDead === false
  }

  private get living(): Life {
    assert.ok(this.life !== null && !this.life.isDead, "Expected a process that runs")
    return this.life
  }

  private onPoint(name: string): void {
    if (this.life === null || this.options.diesAt?.(name) !== true) return
    this.life.isDead = true
    throw new Error(`the simulated process died at ${name}`)
  }

  /** Runs until all pending work waits for the clock. */
  private async quiesce(): Promise<void> {
    const { life } = this
    assert.ok(life !== null, "Expected a process")
    let calm = 0
    for (let turns = 0; turns < turnsMax; turns++) {
      const before = life.timers
      await turn()
      if (life.isDead) return
      calm = life.timers === before ? calm + 1 : 0
      const isAtRest = new Set(life.timers.map(({ of }) => of)).size === 2
      if (!isAtRest && calm < calmTurns) continue
      // Who alone waits for a timer is waited for: a moment passes.
      const due = life.timers.filter(({ dueMs }) => !isAtRest || dueMs <= this.store.elapsedMs)
      if (isAtRest && due.length === 0) return
      life.timers = life.timers.filter((one) => !due.includes(one))
      for (const { callback } of due) callback()
      calm = 0
    }
    const waiting = life.timers.map(({ of, dueMs }) => `${of} in ${dueMs - this.store.elapsedMs}`)
    throw new Error(`Expected the service to come to rest: ${waiting.join(", ")}`)
  }

  private open(): Life {
    const { store, clock, options } = this
    const life = { isDead: false, timers: [] } as unknown as Life
    const shard = new ShardClient(this.shardPool(life))
    const documents = documentStoreOf(shard)
    const records = openRecords({
      documents,
      clock,
      random: seededRandom(1),
      keys: {} as never,
      secretKey: new Uint8Array(32),
      tenantUuid: () => tenantUuid,
      acceptEvents: { pastMs: dayMs, futureMs: 0 },
      lookUpElements: async () => new Map(),
      outbox: { changes: outboxChanges, notifyWork: () => {} },
      ...(options.watchesTime === true && {
        watchedTime: new WatchedTime({ clock, elapsedMs: () => store.elapsedMs }),
      }),
    })
    const deps = { clock, shard, documents, records, tenants: () => [0] }
    const onError = (error: unknown): void => void this.errors.push(error)
    const maintenance = new MaintenanceScheduler({
      run: (moment) => {
        const budgetMs = options.budgetMs?.() ?? moment.budgetMs
        return shard.maintain({ ...moment, budgetMs })
      },
      nowMs: () => clock.nowMs(),
      elapsedMs: () => store.elapsedMs,
      closedUpToMs: () => ticker.closedUpToMs,
      delay: this.delayOf("maintenance", life),
      onError,
    })
    const reopening = {
      knownElements: () => shard.knownElements(),
      commitCycle: (batch: CycleBatch) => shard.commitCycle(batch),
      reopenCycles: (fromCycle: number) => {
        this.reopened.push(fromCycle)
        return shard.reopenCycles(fromCycle)
      },
    }
    const ticker: CycleScheduler = createCycleScheduler({
      ...deps,
      shard: reopening,
      config: {
        cycleGraceMs: options.graceMs,
        missedCyclesMax: options.missedCyclesMax,
        inactiveAfterMs: inactiveCycles * 300_000,
      },
      batchElements: options.batchElements,
      closingPool: { ...this.closingPool(life), threads: 1 },
      maintenance,
      delay: this.delayOf("ticker", life),
      sleep: () => Promise.resolve(),
      onClosed: () => {},
      log: { ...silentLogger, error: (fields) => onError(fields) },
    })
    return Object.assign(life, { shard, records, maintenance, ticker })
  }

  private shardPool(life: Life): WorkerPool {
    const reader = new IngestReader({
      catalogue: this.store.writer.catalogue,
      acceptPastMs: 14 * dayMs,
      acceptFutureMs: hourMs / 12,
    })
    const { store } = this
    const shard = new Shard({
      store: store.writer,
      reader,
      guard: openGuard,
      elapsedMs: () => store.elapsedMs,
    })
    return poolOf(life, (task) => shard.run(task as ShardTask as never))
  }

  private closingPool(life: Life): WorkerPool {
    const { reader } = this.store
    const closer = new CycleEvaluator({ store: reader, tenantUuid: () => tenantUuid })
    return poolOf(life, (task) => {
      const { question } = task as { question: BatchRequest }
      this.asked.push(question)
      reader.refresh()
      return closer.evaluate(question)
    })
  }

  private delayOf(of: Worker, life: Life) {
    return (callback: () => void, ms: number) => {
      const timer = { of, callback, dueMs: this.store.elapsedMs + ms }
      life.timers = [...life.timers, timer]
      return () => void (life.timers = life.timers.filter((one) => one !== timer))
    }
  }
}

/** Executes a task synchronously; a dead process answers nothing. */
function poolOf(life: Life, work: (task: unknown) => unknown): WorkerPool {
  const run = async (task: unknown): Promise<unknown> => {
    const answer = life.isDead ? null : toWorkerResult(() => work(task))
    const ends = await Promise.allSettled([answer])
    if (life.isDead) return new Promise(() => {})
    if (ends[0].status === "rejected") throw ends[0].reason
    return structuredClone(ends[0].value)
  }
  return { run: (task) => run(task) as never, close: async () => {} }
}
