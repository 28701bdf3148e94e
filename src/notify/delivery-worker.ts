/**
 * The delivery worker sends the messages of the outbox. Queues are delivered concurrently, messages
 * of one queue one after the other (queue-pass.ts). A message is removed after its receiver
 * accepted it, so one that is interrupted by a stop of the server is sent again under the same id:
 * delivery is at least once.
 */

import { PeriodicTask, type Delay } from "../base/async.ts"
import type { Clock } from "../base/clock.ts"
import type { Logger } from "../base/log.ts"
import type { Random } from "../base/random.ts"
import { ServiceError } from "../base/errors.ts"
import { firstRetryMs } from "./backoff.ts"
import { MessageRefused } from "./message-refused.ts"
import type { NotificationSender, Recipient } from "./notification-sender.ts"
import type { DeliveryQueue, Outbox } from "./outbox.ts"
import { QueuePass, type AttemptResult, type QueueState } from "./queue-pass.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { NotificationMessage } from "../model/records/notification-message.ts"

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

/** Counts since the start; `failingQueues` is the number of queues whose last attempt failed. */
export interface DeliveryFigures {
  readonly delivered: number
  /** Attempts. */
  readonly failed: number
  /** Messages that were given up. */
  readonly dropped: number
  /** Notifications. */
  readonly disabled: number
  readonly failingQueues: number
}

/** Queues delivered concurrently: each waits for another machine and holds a socket. */
const concurrentQueuesMax = 8
/** A failing queue keeps this many of its newest messages: users would not read more. */
export const entriesPerQueueMax = 1_000
/** Interval of checks whether a queue is due; a check reads memory only. */
const pollMs = 1_000

/** A queue whose messages wait, or that fails. */
interface KnownQueue extends Omit<QueueState, "waitingCount" | "reason"> {
  readonly queue: DeliveryQueue
}

export class DeliveryWorker {
  private readonly options: DeliveryWorkerOptions
  /** By name, as their last passes left them: one for each notification at most. */
  private readonly known = new Map<string, KnownQueue>()
  private readonly running = new Map<string, Promise<void>>()
  private readonly counts = { delivered: 0, failed: 0, dropped: 0, disabled: 0 }
  private readonly poller: PeriodicTask
  private round: Promise<void> | null = null
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
    const failing = [...this.known.values()].filter(({ isFailing }) => isFailing)
    return { ...this.counts, failingQueues: failing.length }
  }

  /** Delivers what an earlier run left in the outbox, then what `notifyWork` announces. */
  start(): void {
    this.notifyWork()
    this.poller.start(pollMs)
  }

  /** Starts a round over the outbox, or another one after the running one; does not wait for it. */
  notifyWork(): void {
    this.hasWork = true
    this.startRound()
  }

  private startRound(): void {
    if (this.isStopped) return
    this.round ??= this.dispatch().then(
      () => {
        this.round = null
        // Work was announced after the end of the round and before this callback.
        if (this.hasWork) this.startRound()
      },
      (err: unknown) => {
        this.round = null
        this.hasWork = true
        this.options.log.error({ err }, "reading the outbox failed")
      },
    )
  }

  /** Resolves when no delivery is under way; failing queues may still wait for a retry. */
  async drained(): Promise<void> {
    while (this.round !== null || this.running.size > 0) {
      await this.round
      await Promise.all(this.running.values())
    }
  }

  /** Starts no further delivery; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.poller.stop()
    await this.drained()
  }

  /** Starts a round if the outbox was announced or a queue is due. */
  private async poll(): Promise<number> {
    if (this.hasWork || this.dueQueues().length > 0) this.startRound()
    return pollMs
  }

  /** All queues if the outbox was announced, and those that are due. */
  private async dispatch(): Promise<void> {
    while (this.hasWork && !this.isStopped) {
      this.hasWork = false
      for (const tenant of this.options.tenants()) {
        for await (const queue of this.options.outbox.queues(tenant)) await this.startNext(queue)
      }
    }
    for (const queue of this.dueQueues()) await this.startNext(queue)
  }

  private dueQueues(): DeliveryQueue[] {
    const waiting = [...this.known].filter(([name]) => !this.running.has(name))
    return waiting.filter(([, one]) => this.isDue(one)).map(([, { queue }]) => queue)
  }

  /** A clock that went back says nothing about when a queue is due. */
  private isDue({ lookedMs, dueMs }: KnownQueue): boolean {
    const nowMs = this.options.clock.nowMs()
    return nowMs >= dueMs || nowMs < lookedMs
  }

  /** Starts a queue as soon as another one may run. */
  private async startNext(queue: DeliveryQueue): Promise<void> {
    while (this.running.size >= concurrentQueuesMax) await Promise.race(this.running.values())
    if (!this.isStopped) this.startQueue(queue)
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
        this.postpone(queue)
      })
      .finally(() => this.running.delete(name))
    this.running.set(name, run)
  }

  /** Schedules another pass after the store failed, which is no failure of the receiver. */
  private postpone(queue: DeliveryQueue): void {
    const lookedMs = this.options.clock.nowMs()
    const isFailing = this.known.get(nameOf(queue))?.isFailing ?? false
    const dueMs = lookedMs + firstRetryMs
    this.known.set(nameOf(queue), { queue, lookedMs, dueMs, isPaused: true, isFailing })
  }

  private async runQueue(queue: DeliveryQueue): Promise<void> {
    const name = nameOf(queue)
    const known = this.known.get(name)
    if (known?.isPaused === true && !this.isDue(known)) return
    const state = await new QueuePass(queue, {
      ...this.options,
      attempt: (of, message) => this.attempt(of, message),
      hasRecipient: async (of) => (await this.recipientOf(of)) !== undefined,
      disable: (of) => this.options.recipients.disable(of.tenant, of.notificationId),
      isStopped: () => this.isStopped,
      counts: this.counts,
    }).run()
    if (state === null) return void this.known.delete(name)
    this.known.set(name, { queue, ...state })
    const { isPaused, waitingCount, reason } = state
    if (isPaused || waitingCount > entriesPerQueueMax) await this.trim(queue, reason)
  }

  private async attempt(
    queue: DeliveryQueue,
    message: NotificationMessage,
  ): Promise<AttemptResult> {
    const recipient = await this.recipientOf(queue)
    if (recipient === undefined) return { state: "noRecipient" }
    if (recipient instanceof ServiceError) return { state: "failed", reason: recipient.message }
    try {
      const refused = await this.options.sender.deliver(recipient, message)
      return { state: "delivered", reason: refused === undefined ? null : `not for ${refused}` }
    } catch (error) {
      // Only messages of our own errors are logged: any other text could contain a secret.
      if (error instanceof ServiceError) {
        const state = error instanceof MessageRefused ? "refused" : "failed"
        return { state, reason: error.message }
      }
      this.options.log.error({ err: error }, "a sender failed")
      return { state: "failed", reason: "an error of our own" }
    }
  }

  /** Undefined if it was removed or is disabled; the error if its secrets are lost. */
  private async recipientOf(queue: DeliveryQueue): Promise<Recipient | ServiceError | undefined> {
    try {
      return await this.options.recipients.recipient(queue.tenant, queue.notificationId)
    } catch (error) {
      if (error instanceof ServiceError && error.code === "invalid") return error
      throw error
    }
  }

  private async trim(queue: DeliveryQueue, cause: string | null): Promise<void> {
    const { outbox, clock, log } = this.options
    const tooMany = `more than ${entriesPerQueueMax} messages waited`
    const reason = cause === null ? tooMany : `${tooMany}: ${cause}`
    const nowMs = clock.nowMs()
    const dropped = await outbox.drop(queue, { keep: entriesPerQueueMax, reason, nowMs })
    if (dropped === 0) return
    this.counts.dropped += dropped
    log.warn({ ...queue, dropped }, "the oldest messages of a failing notification were dropped")
  }
}

function nameOf({ tenant, notificationId }: DeliveryQueue): string {
  return `${tenant}/${notificationId}`
}
