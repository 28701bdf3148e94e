/**
 * Postman: tells what waits in the outbox. Lanes side by side, notices of a lane one after the
 * other in order of time. A notice is taken out after its receiver took it, so one that a stop of
 * the server caught in between is told again, under the same id: at least once.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Random } from "../base/random.ts"
import { ServiceError } from "../base/errors.ts"
import { firstRetryMs, retryAfterMs } from "./backoff.ts"
import type { NotificationSender, Recipient } from "./notification-sender.ts"
import type { DeliveryQueue, QueueFailure, Outbox, OutboxEntry } from "./outbox.ts"

/** What the postman asks of the notification records. */
export interface RecipientDirectory {
  /** Undefined where the notification is gone or disabled. */
  recipient(tenant: number, notificationId: number): Promise<Recipient | undefined>
  /** Switches a notification off; a person may switch it on again. */
  disable(tenant: number, notificationId: number): Promise<void>
}

export interface DeliveryWorkerOptions {
  readonly outbox: Outbox
  readonly recipients: RecipientDirectory
  readonly sender: Pick<NotificationSender, "deliver">
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  readonly clock: Clock
  readonly random: Random
  readonly delay: Delay
  readonly log: Pick<Logger, "info" | "warn" | "error">
}

/** Since the start, but for `waiting`: lanes that wait for another attempt. */
export interface DeliveryFigures {
  readonly delivered: number
  readonly failed: number
  readonly dropped: number
  readonly disabled: number
  readonly failingQueues: number
}

/** Calls at once: each waits for another machine and holds a socket. */
export const concurrentQueuesMax = 8
/** A notification that fails this long is switched off: its receiver is gone for good. */
export const giveUpAfterMs = 86_400_000
/** Of a lane that fails, the newest are kept: who comes back reads no more. */
export const entriesPerQueueMax = 1_000
/** How often to look whether a failing lane is due; looks at memory only. */
const pollMs = 1_000

export class DeliveryWorker {
  private readonly options: DeliveryWorkerOptions
  /** By name; lanes that failed and are still in the outbox. */
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

  /** Tells what a former run left, and from then on what `wake` announces. */
  start(): void {
    this.notifyWork()
    this.poller.start(pollMs)
  }

  /** Something was put into the outbox: looks at once, without waiting for it. */
  notifyWork(): void {
    this.hasWork = true
    if (this.isStopped) return
    this.pass ??= this.dispatch().then(
      () => {
        this.pass = null
        // Announced after the last look, and before this.
        if (this.hasWork) this.notifyWork()
      },
      (err: unknown) => {
        this.pass = null
        this.hasWork = true
        this.options.log.error({ err }, "reading the outbox failed")
      },
    )
  }

  /** Resolves when nothing is on its way; what waits for another attempt goes on waiting. */
  async drained(): Promise<void> {
    while (this.pass !== null || this.running.size > 0) {
      await this.pass
      await Promise.all(this.running.values())
    }
  }

  /** Ends after the calls that are on their way. */
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
        for await (const lane of this.options.outbox.queues(tenant)) {
          while (this.running.size >= concurrentQueuesMax) await Promise.race(this.running.values())
          if (this.isStopped) return
          this.startQueue(lane)
        }
      }
    }
  }

  private startQueue(lane: DeliveryQueue): void {
    const name = nameOf(lane)
    if (this.running.has(name)) {
      // It may have seen its end already: look once more when it is through.
      void this.running.get(name)!.then(() => this.notifyWork())
      return
    }
    const run = this.runQueue(lane)
      .catch((err: unknown) => {
        this.options.log.error({ err }, "a delivery could not be noted")
        this.postpone(name)
      })
      .finally(() => this.running.delete(name))
    this.running.set(name, run)
  }

  /** The store failed, not the receiver: the same again in a while. */
  private postpone(name: string): void {
    const nowMs = this.options.clock.nowMs()
    const { failingSinceMs = nowMs, attempts = 0 } = this.failures.get(name) ?? {}
    this.failures.set(name, { failingSinceMs, attempts, dueMs: nowMs + firstRetryMs })
  }

  /** Up to the end of the lane, or to its first failure. */
  private async runQueue(lane: DeliveryQueue): Promise<void> {
    const { outbox, clock } = this.options
    const name = nameOf(lane)
    if (!this.failures.has(name)) this.failures.set(name, await outbox.failure(lane))
    while (!this.isStopped) {
      const failure = this.failures.get(name) ?? null
      if (failure !== null && failure.dueMs > clock.nowMs()) return
      const entry = await outbox.head(lane)
      if (entry === undefined) break
      const recipient = await this.recipientOf(lane)
      if (recipient === null) return
      if (recipient === undefined) {
        await this.dropAll(lane, "the notification is disabled or gone")
        break
      }
      if (!(await this.deliver(lane, entry, recipient))) return
    }
    this.failures.delete(name)
  }

  /** Undefined if there is none any more; null, and told, if its secrets cannot be opened. */
  private async recipientOf(lane: DeliveryQueue): Promise<Recipient | undefined | null> {
    try {
      return await this.options.recipients.recipient(lane.tenant, lane.notificationId)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
      this.counts.failed++
      await this.recordFailure(lane, error.message)
      return null
    }
  }

  private async deliver(
    lane: DeliveryQueue,
    entry: OutboxEntry,
    recipient: Recipient,
  ): Promise<boolean> {
    const { sender, outbox, log } = this.options
    const name = nameOf(lane)
    try {
      await sender.deliver(recipient, entry.message)
    } catch (error) {
      this.counts.failed++
      // Only sentences that are meant for people: anything else could hold a secret.
      const reason = error instanceof ServiceError ? error.message : "an error of our own"
      if (!(error instanceof ServiceError)) log.error({ err: error }, "a sender failed")
      await this.recordFailure(lane, reason)
      return false
    }
    await outbox.acknowledge(lane, entry)
    this.failures.set(name, null)
    this.counts.delivered++
    return true
  }

  private async recordFailure(lane: DeliveryQueue, reason: string): Promise<void> {
    const { outbox, clock, random, log } = this.options
    const name = nameOf(lane)
    const nowMs = clock.nowMs()
    const former = this.failures.get(name) ?? null
    const failingSinceMs = former?.failingSinceMs ?? nowMs
    const attempts = (former?.attempts ?? 0) + 1
    log.warn({ ...lane, attempts, reason }, "a notification could not be delivered")
    if (nowMs - failingSinceMs >= giveUpAfterMs) return this.giveUp(lane)
    const failure = { failingSinceMs, attempts, dueMs: nowMs + retryAfterMs(attempts, random) }
    this.failures.set(name, failure)
    await outbox.setFailure(lane, failure)
    const dropped = await outbox.drop(lane, entriesPerQueueMax)
    if (dropped === 0) return
    this.counts.dropped += dropped
    log.warn({ ...lane, dropped }, "the oldest notices of a failing notification were dropped")
  }

  private async giveUp(lane: DeliveryQueue): Promise<void> {
    await this.options.recipients.disable(lane.tenant, lane.notificationId)
    this.counts.disabled++
    this.options.log.error({ ...lane }, "a notification failed for a day and was disabled")
    await this.dropAll(lane, "the notification failed for a day")
    this.failures.delete(nameOf(lane))
  }

  private async dropAll(lane: DeliveryQueue, reason: string): Promise<void> {
    const { outbox, log } = this.options
    const dropped = await outbox.drop(lane)
    await outbox.setFailure(lane, null)
    this.counts.dropped += dropped
    log.info({ ...lane, dropped, reason }, "notices were dropped")
  }
}

function nameOf({ tenant, notificationId }: DeliveryQueue): string {
  return `${tenant}/${notificationId}`
}
