/**
 * Ingest queue: the bounded queue between HTTP and the shard.
 *
 *   submit ─► waiting batches ─(end of the turn, or an answer)─► run(task) ─► done(result)
 *             the last one fills         at most `tasksInFlightMax` at a time
 *
 * A task for each request would cost four times the whole HTTP request (Piscina: 46 µs); one task
 * for each event-loop turn costs 1.7 µs a request at 32 bodies. Two tasks in flight keep the shard
 * busy while the next batch is packed.
 */

import type { Delay } from "../base/async.ts"
import { assert } from "../base/assert.ts"
import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import {
  batchBytesMax,
  batchesInFlightMax,
  queueBytesDefault,
  requestsPerBatchMax,
} from "../base/limits.ts"
import type { LeftOutReport } from "../ingest/ingest.ts"
import type { PostedEvent } from "../model/records/posted-event.ts"
import { packBatch, SlabPool } from "./request-batch.ts"
import type { IngestBody } from "./request-batch.ts"
import { QueueQuota } from "./queue-quota.ts"
import type { QueueBudget } from "./queue-quota.ts"
import type { IngestAnswer, IngestRefusal, IngestTask } from "./shard-protocol.ts"

export type { UploadAnnouncement, QueueQuota } from "./queue-quota.ts"

export interface IngestQueueLimits {
  /** Bytes reserved between the socket and the shard's answer; requests beyond it are refused. */
  readonly queueBytesMax: number
  /** Bytes of one task; a single larger body is a task of its own. */
  readonly batchBytesMax: number
  /** Requests of one task: bounds how long the first one waits for the last one to be parsed. */
  readonly batchRequestsMax: number
  readonly tasksInFlightMax: number
  /** A batch of this size neither lingers nor waits for the answer to the previous batch. */
  readonly lingerBytesMax: number
}

const defaultIngestQueueLimits: IngestQueueLimits = {
  queueBytesMax: queueBytesDefault,
  batchBytesMax,
  batchRequestsMax: requestsPerBatchMax,
  tasksInFlightMax: batchesInFlightMax,
  // It takes half a millisecond to scan, compared with which a commit is cheap.
  lingerBytesMax: 256 * 1024,
}

/**
 * Memory of a request besides its body (message objects, socket buffers). It is counted so that a
 * flood of empty bodies is bounded, too.
 */
export const requestOverheadBytes = 2048

/** The result of one request. */
export type IngestResult =
  /** Durable: written and synced, except for its events. */
  | {
      readonly outcome: "accepted"
      readonly elements: number
      readonly samples: number
      /** Time of the latest sample; -Infinity without samples. */
      readonly latestTimeMs: number
      /** Undefined if every sample was stored. */
      readonly leftOut: LeftOutReport | undefined
      /** Events that came with the samples and are still to be stored; undefined if there are none. */
      readonly events: readonly PostedEvent[] | undefined
      /** Why a part of the request is not stored; undefined if all of it is. */
      readonly refusal: IngestRefusal | undefined
    }
  | { readonly outcome: "refused"; readonly detail: string; readonly errors: readonly string[] }
  /** Nothing is acknowledged; `error` is a `ServiceError` or an internal failure. */
  | { readonly outcome: "failed"; readonly error: unknown }

export type OnIngestResult = (result: IngestResult) => void

/** Figures of one answered task, for the metrics page. */
export interface IngestBatchFigures {
  readonly requests: number
  readonly bytes: number
  readonly answer: IngestAnswer
}

export interface IngestQueueOptions {
  /** Sends a task to the shard. `task.bytes` is reused as soon as the promise settles. */
  readonly run: (task: IngestTask) => Promise<IngestAnswer>
  /** Calls back at the end of the event-loop turn: `setImmediate`. */
  readonly schedule: (callback: () => void) => void
  readonly clock: Clock
  readonly limits?: Partial<IngestQueueLimits>
  readonly onBatch?: (figures: IngestBatchFigures) => void
  /** Without it, batches do not linger. */
  readonly delay?: Delay
}

/**
 * A group commit costs 160 µs of CPU regardless of its size. Clients that were just answered mostly
 * send again immediately, so a small batch waits this long for as many requests as the last one
 * had: 16 connections then share one commit; without the wait they alternate between two.
 */
const lingerMs = 1

/** Requests of one task; `callbacks[i]` gets the result of `bodies[i]`. */
interface Batch {
  readonly bodies: IngestBody[]
  readonly callbacks: OnIngestResult[]
  bytes: number
}

export class IngestQueue {
  private readonly options: IngestQueueOptions
  private readonly limits: IngestQueueLimits
  private readonly slabs: SlabPool
  private readonly budget: QueueBudget
  /** By API key; only known keys get here. */
  private readonly quotas = new Map<string, QueueQuota>()
  /** Oldest first; only the last batch accepts further bodies. */
  private readonly waiting: Batch[] = []
  private readonly drainWaiters: (() => void)[] = []
  private tasksInFlight = 0
  private isScheduled = false
  private isStopped = false
  /**
   * While lingering: the number of requests that ends the wait, and the function that cancels it.
   */
  private requestsExpected = 0
  private endLinger: (() => void) | null = null

  constructor(options: IngestQueueOptions) {
    this.options = options
    this.limits = { ...defaultIngestQueueLimits, ...options.limits }
    this.budget = {
      bytesMax: this.limits.queueBytesMax,
      reservedBytes: 0,
      announcedBytes: 0,
      activeQuotas: 0,
      isMemoryShort: false,
    }
    this.slabs = new SlabPool({
      slabsMax: this.limits.tasksInFlightMax,
      slabBytesMax: this.limits.batchBytesMax,
    })
  }

  /** Bytes reserved for requests that are uploading, waiting or with the shard. */
  get queueBytes(): number {
    return this.budget.reservedBytes
  }

  /** Changes the limit of the queue; requests that have their room keep it. */
  setBytesMax(bytesMax: number): void {
    this.budget.bytesMax = bytesMax
  }

  /** Refuses further requests while memory is short; those that were admitted go on. */
  setMemoryShort(isShort: boolean): void {
    this.budget.isMemoryShort = isShort
  }

  /** Requests that wait for a free task. */
  get waitingRequests(): number {
    return this.waiting.reduce((sum, batch) => sum + batch.bodies.length, 0)
  }

  /** The quota of the requests of one API key. */
  quotaOf(apiKey: string): QueueQuota {
    let quota = this.quotas.get(apiKey)
    if (quota === undefined) {
      quota = new QueueQuota(this.budget, this.options.delay)
      this.quotas.set(apiKey, quota)
    }
    return quota
  }

  /**
   * Queues one body. Its bytes and `requestOverheadBytes` must be reserved in its quota; the queue
   * releases them. `done` is called exactly once: later, or within this call if the queue is
   * stopped. It must not throw: the other requests of its batch would get no result.
   */
  submit(body: IngestBody, done: OnIngestResult): void {
    if (this.isStopped) {
      releaseReservation(body)
      const error = new ServiceError("stopping", "The server is shutting down")
      done({ outcome: "failed", error })
      return
    }
    const batch = this.batchFor(body.length)
    batch.bodies.push(body)
    batch.callbacks.push(done)
    batch.bytes += body.length
    this.scheduleSend()
  }

  /** Resolves when every submitted request has its result. */
  drain(): Promise<void> {
    if (this.isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.drainWaiters.push(resolve))
  }

  /** Refuses further requests; those submitted before are still sent and answered. */
  stop(): void {
    this.isStopped = true
    this.stopLingering()
    this.sendWaiting()
  }

  private isIdle(): boolean {
    return this.waiting.length === 0 && this.tasksInFlight === 0
  }

  /** The last batch if it has room for `bytes` more, otherwise a new one. */
  private batchFor(bytes: number): Batch {
    const last = this.waiting.at(-1)
    const fits =
      last !== undefined &&
      last.bytes + bytes <= this.limits.batchBytesMax &&
      last.bodies.length < this.limits.batchRequestsMax
    if (fits) return last

    const batch: Batch = { bodies: [], callbacks: [], bytes: 0 }
    this.waiting.push(batch)
    return batch
  }

  private scheduleSend(): void {
    if (this.isScheduled || !this.canSend()) return
    this.isScheduled = true
    this.options.schedule(() => {
      this.isScheduled = false
      this.sendWaiting()
    })
  }

  private sendWaiting(): void {
    while (this.canSend()) {
      const batch = this.waiting.shift()!
      this.stopLingering()
      this.tasksInFlight++
      void this.send(batch)
    }
  }

  /** True if a task is free and the first batch is full, or need not wait for more requests. */
  private canSend(): boolean {
    const [first] = this.waiting
    if (first === undefined || this.tasksInFlight === this.limits.tasksInFlightMax) return false
    if (first.bytes >= this.limits.lingerBytesMax || this.waiting.length > 1) return true
    if (this.tasksInFlight > 0) return false
    return this.endLinger === null || first.bodies.length >= this.requestsExpected
  }

  /** Starts to wait for as many requests as were in the last batch and queued behind it. */
  private linger(requestsAnswered: number): void {
    const { delay } = this.options
    if (delay === undefined || this.isStopped || this.tasksInFlight > 0) return
    this.stopLingering()
    this.requestsExpected = requestsAnswered + this.waitingRequests
    this.endLinger = delay(() => {
      this.endLinger = null
      this.sendWaiting()
    }, lingerMs)
  }

  private stopLingering(): void {
    this.endLinger?.()
    this.endLinger = null
  }

  private async send(batch: Batch): Promise<void> {
    const slab = this.slabs.acquire(batch.bytes)
    const task = packBatch(batch.bodies, slab, this.options.clock.nowMs())
    let answer: IngestAnswer | null = null
    let failure: unknown = null
    try {
      answer = await this.options.run(task)
    } catch (error) {
      failure = error
    }
    this.slabs.release(slab)
    this.tasksInFlight--
    for (const body of batch.bodies) releaseReservation(body)
    assert(this.budget.reservedBytes >= 0, "Expected to release only what was reserved")
    this.linger(batch.bodies.length)
    // If enough is waiting, the shard gets its next task before these results are delivered.
    this.sendWaiting()
    if (answer === null) answerFailed(batch, failure)
    else this.answerBatch(batch, answer)
    if (this.isIdle()) for (const resolve of this.drainWaiters.splice(0)) resolve()
  }

  private answerBatch(batch: Batch, answer: IngestAnswer): void {
    answerEach(batch, answer)
    this.options.onBatch?.({ requests: batch.bodies.length, bytes: batch.bytes, answer })
  }
}

function releaseReservation({ quota, length }: IngestBody): void {
  quota.release(length + requestOverheadBytes)
}

function answerFailed(batch: Batch, error: unknown): void {
  for (const done of batch.callbacks) done({ outcome: "failed", error })
}

/** Passes its own result to each request of a batch, in order. */
function answerEach(batch: Batch, answer: IngestAnswer): void {
  const count = batch.callbacks.length
  assert(
    answer.statuses.length === count,
    `Expected ${count} statuses, got ${answer.statuses.length}`,
  )
  const refusals = new Map(answer.refusals.map((refusal) => [refusal.request, refusal]))
  const leftOut = new Map(answer.leftOut.map((report) => [report.request, report]))
  const posted = new Map(answer.events?.map(({ request, events }) => [request, events]))
  let failure: ServiceError | undefined
  for (let index = 0; index < count; index++) {
    const done = batch.callbacks[index]!
    const refusal = refusals.get(index)
    if (answer.statuses[index] === 202) {
      done({
        outcome: "accepted",
        elements: answer.elements[index]!,
        samples: answer.requestSamples[index]!,
        latestTimeMs: answer.latestTimesMs[index]!,
        leftOut: leftOut.get(index),
        events: posted.get(index),
        refusal,
      })
    } else if (answer.statuses[index] === 400 && refusal !== undefined) {
      done({ outcome: "refused", detail: refusal.detail, errors: refusal.errors })
    } else if (answer.statuses[index] === 429 && refusal !== undefined) {
      done({ outcome: "failed", error: throttledError(refusal) })
    } else {
      // One error object for the whole batch: it is one failure, and is logged once.
      failure ??= new ServiceError("readOnly", "The store takes no samples now; none were kept")
      done({ outcome: "failed", error: failure })
    }
  }
}

/** The error of a request that, or a part of which, exceeds a rate. */
export function throttledError({ errors, retryAfterSeconds }: IngestRefusal): ServiceError {
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return new ServiceError("throttled", errors, options)
}
