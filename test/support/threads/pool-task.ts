/** A worker of the pool tests: answers, throws, or returns the input of its thread. */

import { threadId } from "node:worker_threads"
import { ServiceError } from "../../../src/base/errors.ts"
import { toWorkerResult } from "../../../src/engine/worker-result.ts"
import { poolWorkerData, eventLoopTurn } from "../../../src/engine/worker-pool.ts"

export type PoolTask =
  | { readonly kind: "echo"; readonly bytes: Uint8Array }
  | { readonly kind: "data" }
  | { readonly kind: "thread" }
  | { readonly kind: "refuse" }
  | { readonly kind: "bug" }
  /** Sets a timer that is due immediately. */
  | { readonly kind: "setTimer" }
  /** Whether it has called back. */
  | { readonly kind: "hasTimerFired" }

let hasTimerFired = false

export default function runTask(task: PoolTask | null): Promise<unknown> {
  if (task === null) return eventLoopTurn()
  return toWorkerResult(() => answer(task))
}

function answer(task: PoolTask): unknown {
  if (task.kind === "echo") return task.bytes
  if (task.kind === "data") return poolWorkerData()
  if (task.kind === "thread") return threadId
  if (task.kind === "hasTimerFired") return hasTimerFired
  if (task.kind === "setTimer") return void setTimeout(() => (hasTimerFired = true), 0)
  if (task.kind === "bug") throw new TypeError("our own bug")
  throw new ServiceError("throttled", ["one", "two"], { retryAfterSeconds: 3 })
}
