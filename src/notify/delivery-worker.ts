/**
 * The delivery worker sends the messages of the outbox. Queues are delivered concurrently, messages
 * of one queue one after the other in order of time. A message is acknowledged after its receiver
 * accepted it, so one that is interrupted by a stop of the server is sent again under the same id:
 * delivery is at least once.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Random } from "../base/random.ts"
import { ServiceError } from "../base/errors.ts"
import { firstRetryMs, retryAfterMs } from "./backoff.ts"
import type { NotificationSender, Recipient } from "./notification-sender.ts"
import type { DeliveryQueue, QueueFailure, Outbox, OutboxEntry } from "./outbox.ts"
import type { TenantIndex } from "../model/ids.ts"

/** The notification records as the delivery worker needs them. */
export interface RecipientDirectory {
  /** The recipient, undefined if the notification was removed or is disabled. */
  recipient(tenant: TenantIndex, notificationId: number): Promise<Recipient | undefined>
  /** Disables a notification; a user may enable it again. */
  disable(tenant: TenantIndex, notificationId: number): Promise<void>
}

interface DeliveryWorkerOptions {
  readonly outbox: Outbox
  readonly recipients: RecipientDirectory
  readonly sender: Pick<NotificationSender, "deliver">
  /** Indexes of all tenants at the time of the call. */
  readonly tenants: () => readonly number[]
  readonly clock: Clock
  readonly random: Random
  readonly delay: Delay
  readonly log: Pick<Logger, "info" | "warn" | "error">
}

/** Counts since the start; `failingQueues` is the number of queues that wait for a retry now. */
export interface DeliveryFigures {
  readonly delivered: number
  readonly failed: number
  readonly dropped: number
  readonly disabled: number
  readonly failingQueues: number
}

/** Queues delivered concurrently: each waits for another machine and holds a socket. */
const concurrentQueuesMax = 8
/** A notification that fails for this time is disabled: its receiver is taken for removed. */
const giveUpAfterMs = 86_400_000
/** A failing queue keeps this many of its newest messages: users would not read more. */
export const entriesPerQueueMax = 1_000
/** Interval of checks whether a failing queue is due; a check reads memory only. */
const pollMs = 1_000

export class DeliveryWorker {
  private readonly options: DeliveryWorkerOptions
  /** Failing queues by name; null for a queue in progress whose last delivery succeeded. */
  private readonly failures = new Map<string, QueueFailure | null>()
  private readonly running = new Map<string, Promise<void>>()
  private readonly counts = { delivered: 0, failed: 0, dropped: 0, disabled: 0 }
  private readonly poller: PeriodicTask
  private pass: Promise<void> | null = null
  private hasWork = false
  private isStopped = false

  constructor(options: DeliveryWorkerOptions) {
    this.options = options
    const { delay, log } = options
    this.poller = new PeriodicTask({
      delay,
      run: () => this.poll(),
      onError: (err) => {
        log.error({ err }, "polling the outbox failed")
        return pollMs
      },
    })
  }

  get figures(): DeliveryFigures {
    const failing = [...this.failures.values()].filter((failure) => failure !== null)
    return { ...this.counts, failingQueues: failing.length }
  }

  /** Delivers what an earlier run left in the outbox, then what `notifyWork` announces. */
  start(): void {
    this.notifyWork()
    this.poller.start(pollMs)
  }

  /** Starts a pass over the outbox, or another one after the running pass; does not wait for it. */
  notifyWork(): void {
    this.hasWork = true
    if (this.isStopped) return
    this.pass ??= this.dispatch().then(
      () => {
        this.pass = null
        // Work was announced after the end of the pass and before this callback.
        if (this.hasWork) this.notifyWork()
      },
      (err: unknown) => {
        this.pass = null
        this.hasWork = true
        this.options.log.error({ err }, "reading the outbox failed")
      },
    )
  }

  /** Resolves when no delivery is under way; failing queues may still wait for a retry. */
  async drained(): Promise<void> {
    while (this.pass !== null || this.running.size > 0) {
      await this.pass
      await Promise.all(this.running.values())
    }
  }

  /** Starts no further delivery; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.poller.stop()
    await this.drained()
  }

  /** Starts a pass if the outbox was announced or a failing queue is due. */
  private async poll(): Promise<number> {
    const nowMs = this.options.clock.nowMs()
    const isDue = (failure: QueueFailure | null) => failure !== null && failure.dueMs <= nowMs
    if (this.hasWork || [...this.failures.values()].some(isDue)) this.notifyWork()
    return pollMs
  }

  private async dispatch(): Promise<void> {
    while (this.hasWork && !this.isStopped) {
      this.hasWork = false
      for (const tenant of this.options.tenants()) {
        for await (const queue of this.options.outbox.queues(tenant)) {
          while (this.running.size >= concurrentQueuesMax) await Promise.race(this.running.values())
          if (this.isStopped) return
          this.startQueue(queue)
        }
      }
    }
  }

  private startQueue(queue: DeliveryQueue): void {
    const name = nameOf(queue)
    if (this.running.has(name)) {
      // It may have read its last message already, so start another pass when it has ended.
      void this.running.get(name)!.then(() => this.notifyWork())
      return
    }
    const run = this.runQueue(queue)
      .catch((err: unknown) => {
        this.options.log.error({ err }, "the outcome of a delivery could not be stored")
        this.postpone(name)
      })
      .finally(() => this.running.delete(name))
    this.running.set(name, run)
  }

  /** Schedules a retry after the store failed, which is no failure of the receiver. */
  private postpone(name: string): void {
    const nowMs = this.options.clock.nowMs()
    const { failingSinceMs = nowMs, attempts = 0 } = this.failures.get(name) ?? {}
    this.failures.set(name, { failingSinceMs, attempts, dueMs: nowMs + firstRetryMs })
  }

  /** Delivers a queue up to its end, or to its first failure. */
  private async runQueue(queue: DeliveryQueue): Promise<void> {
    const { outbox, clock } = this.options
    const name = nameOf(queue)
    if (!this.failures.has(name)) this.failures.set(name, await outbox.failure(queue))
    while (!this.isStopped) {
      const failure = this.failures.get(name) ?? null
      if (failure !== null && failure.dueMs > clock.nowMs()) return
      const entry = await outbox.head(queue)
      if (entry === undefined) break
      const recipient = await this.recipientOf(queue)
      if (recipient === null) return
      if (recipient === undefined) {
        await this.dropAll(queue, "the notification is disabled or removed")
        break
      }
      if (!(await this.deliver(queue, entry, recipient))) return
    }
    this.failures.delete(name)
  }

  /** Undefined if it was removed; null, after recording a failure, if its secrets are lost. */
  private async recipientOf(queue: DeliveryQueue): Promise<Recipient | undefined | null> {
    try {
      return await this.options.recipients.recipient(queue.tenant, queue.notificationId)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
      this.counts.failed++
      await this.recordFailure(queue, error.message)
      return null
    }
  }

  private async deliver(
    queue: DeliveryQueue,
    entry: OutboxEntry,
    recipient: Recipient,
  ): Promise<boolean> {
    const { sender, outbox, clock, log } = this.options
    const name = nameOf(queue)
    try {
      await sender.deliver(recipient, entry.message)
    } catch (error) {
      this.counts.failed++
      // Only messages of our own errors are logged: any other text could contain a secret.
      const reason = error instanceof ServiceError ? error.message : "an error of our own"
      if (!(error instanceof ServiceError)) log.error({ err: error }, "a sender failed")
      await this.recordFailure(queue, reason)
      return false
    }
    await outbox.acknowledge(queue, entry, clock.nowMs())
    this.failures.set(name, null)
    this.counts.delivered++
    return true
  }

  private async recordFailure(queue: DeliveryQueue, reason: string): Promise<void> {
    const { outbox, clock, random, log } = this.options
    const name = nameOf(queue)
    const nowMs = clock.nowMs()
    const former = this.failures.get(name) ?? null
    const failingSinceMs = former?.failingSinceMs ?? nowMs
    const attempts = (former?.attempts ?? 0) + 1
    log.warn({ ...queue, attempts, reason }, "a notification could not be delivered")
    if (nowMs - failingSinceMs >= giveUpAfterMs) return this.giveUp(queue, reason)
    const dueMs = nowMs + retryAfterMs(attempts, random)
    const failure = { failingSinceMs, attempts, dueMs, reason }
    this.failures.set(name, failure)
    await outbox.setFailure(queue, failure)
    const tooMany = `more than ${entriesPerQueueMax} messages waited: ${reason}`
    const dropped = await outbox.drop(queue, { keep: entriesPerQueueMax, reason: tooMany, nowMs })
    if (dropped === 0) return
    this.counts.dropped += dropped
    log.warn({ ...queue, dropped }, "the oldest messages of a failing notification were dropped")
  }

  private async giveUp(queue: DeliveryQueue, reason: string): Promise<void> {
    await this.options.recipients.disable(queue.tenant, queue.notificationId)
    this.counts.disabled++
    this.options.log.error({ ...queue }, "a notification failed for a day and was disabled")
    await this.dropAll(queue, `the notification failed for a day: ${reason}`)
    this.failures.delete(nameOf(queue))
  }

  private async dropAll(queue: DeliveryQueue, reason: string): Promise<void> {
    const { outbox, clock, log } = this.options
    const dropped = await outbox.drop(queue, { reason, nowMs: clock.nowMs() })
    await outbox.setFailure(queue, null)
    this.counts.dropped += dropped
    log.info({ ...queue, dropped, reason }, "messages were dropped")
  }
}

function nameOf({ tenant, notificationId }: DeliveryQueue): string {
  return `${tenant}/${notificationId}`
}
