/**
 * Watches the server with itself: once a minute its own metrics are samples of the element
 * `tidegauge` in its own store, in the first account. They take the way of every post, so they are
 * missing while posts are refused, and the dashboards show the gap.
 */

import { hostname } from "node:os"
import { PeriodicTask, type Delay } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import type { Logger } from "../../base/log.ts"
import { customDatasourceId } from "../../accounts/first-start.ts"
import { requestOverheadBytes, type IngestQueue } from "../../engine/ingest-queue.ts"
import { version } from "../../runtime/version.ts"
import { ownSamples, type OwnMetric } from "./own-samples.ts"

export interface SelfWatchDeps {
  /** The metrics as of now. */
  readonly metrics: () => Promise<readonly OwnMetric[]>
  readonly ingestQueue: Pick<IngestQueue, "quotaOf" | "submit">
  /** Called for each accepted post, as for those of clients. */
  readonly onAccepted: (
    sender: { readonly tenant: number; readonly datasourceId: number },
    kind: string,
  ) => void
  readonly clock: Clock
  readonly delay: Delay
  readonly log: Pick<Logger, "warn">
  readonly isOn: boolean
}

/** As agents post: a bucket of five minutes has five samples. */
const everyMs = 60_000
/** The first account is that of the operator. */
const tenant = 0
/** In place of an API key, which it has none of. */
const quotaName = "(self)"
/** Of the element, and of the package that belongs to it. */
const elementId = "tidegauge"
const elementType = "TIDEGAUGE"

export class SelfWatch {
  private readonly deps: SelfWatchDeps
  private readonly task: PeriodicTask
  private isOn: boolean

  constructor(parts: SelfWatchDeps) {
    this.deps = parts
    this.isOn = parts.isOn
    this.task = new PeriodicTask({
      delay: parts.delay,
      run: async () => {
        if (this.isOn) await this.post()
        return everyMs
      },
      onError: (err) => {
        parts.log.warn({ err }, "the server's own metrics were not stored")
        return everyMs
      },
    })
  }

  start(): void {
    this.task.start()
  }

  stop(): Promise<void> {
    return this.task.stop()
  }

  /** From now on; the first samples come immediately. */
  setOn(isOn: boolean): void {
    this.isOn = isOn
    if (isOn) this.task.wake()
  }

  /** Stores one sample of each metric; rejects with the reason if it is refused. */
  private async post(): Promise<void> {
    const { metrics, clock, onAccepted } = this.deps
    const values = await metrics()
    const nowMs = clock.nowMs()
    const samples = ownSamples(values, nowMs)
    const element = {
      id: elementId,
      name: elementId,
      type: elementType,
      attributes: [
        { name: "host", value: hostname() },
        { name: "version", value: version },
        { name: "runtime", value: `node ${process.version}` },
      ],
      metrics: samples.map(({ metricId, type }) => ({ id: metricId, type })),
      samples: samples.map(({ metricId, value }) => ({ metricId, timestamp: nowMs, val: value })),
    }
    await this.submit(Buffer.from(JSON.stringify([element])))
    onAccepted({ tenant, datasourceId: customDatasourceId }, elementType)
  }

  private submit(bytes: Buffer): Promise<void> {
    const { ingestQueue } = this.deps
    const quota = ingestQueue.quotaOf(quotaName)
    if (!quota.reserve(bytes.length + requestOverheadBytes)) {
      return Promise.reject(new Error("The ingest queue is full"))
    }
    return new Promise((resolve, reject) => {
      const about = { tenant, injectTimestamp: false, charset: "utf-8", isCollectd: false } as const
      const body = { chunks: [bytes], length: bytes.length, reportsLeftOut: false, quota, ...about }
      ingestQueue.submit(body, (result) => {
        if (result.outcome === "accepted") return resolve()
        if (result.outcome === "failed") return reject(result.error as Error)
        reject(new Error(result.errors.join("; ")))
      })
    })
  }
}
