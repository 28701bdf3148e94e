/**
 * Work sharing: the coordinator, which is the thread that answers a query, and scan workers read
 * the partitions of the query (partition.ts). Each thread claims the next free partition when its
 * last one is finished, so a thread with less CPU time does less, and the coordinator does not wait
 * for a late worker.
 *
 *   state[partition]   0 ──► thread ──► −thread    free, claimed, done; coordinator: thread 1
 *                      ▲───────┘ failed
 *
 * A worker posts its result before it marks the partition as done. A partition in which it failed
 * is free again: the coordinator reads it and meets the same error, so errors are reported as if no
 * worker had taken part.
 */

import { MessageChannel, receiveMessageOnPort, type MessagePort } from "node:worker_threads"
import type { WorkQueue } from "../core/query-plan.ts"
import { createWorkingUnits } from "../core/working-memory.ts"

const free = 0
const coordinator = 1

/** A scan worker's side of shared work; its port is transferred. */
export interface WorkerSide {
  readonly state: Int32Array
  readonly thread: number
  readonly port: MessagePort
  /** As of `WorkQueue`. */
  readonly workingUnits: Int32Array
}

/** The message of a scan worker: the result of one partition. */
interface PartitionResult<Result> {
  readonly partition: number
  readonly result: Result
}

/** Both sides of a query, for its number of partitions and of scan workers. */
export function createWorkQueue(
  partitions: number,
  workers: number,
): { readonly queue: WorkQueue; readonly sides: readonly WorkerSide[] } {
  const state = new Int32Array(new SharedArrayBuffer(partitions * Int32Array.BYTES_PER_ELEMENT))
  const workingUnits = createWorkingUnits()
  const channels = Array.from({ length: workers }, () => new MessageChannel())
  return {
    queue: { state, ports: channels.map(({ port1 }) => port1), workingUnits },
    sides: channels.map(({ port2 }, i) => {
      return { state, thread: coordinator + 1 + i, port: port2, workingUnits }
    }),
  }
}

/** Frees the claims of a thread that ended or failed, for the coordinator. */
export function releaseClaims(state: Int32Array, thread: number): void {
  for (let partition = 0; partition < state.length; partition++) {
    Atomics.compareExchange(state, partition, thread, free)
    Atomics.notify(state, partition)
  }
}

/** Minimum wait for a worker, which may only have been interrupted briefly. */
const waitMsMin = 5

/**
 * Runs the unclaimed partitions and waits for the others; returns the results in order of
 * partitions. Waits for a partition no longer than the longest of its own took, by `elapsedMs`,
 * monotonic milliseconds, and then runs it itself: a worker may be late because its code is cold or
 * because it gets no core.
 */
export function runPartitions<Part, Result>(
  partitions: readonly Part[],
  work: (partition: Part) => Result,
  { state, ports }: WorkQueue,
  elapsedMs: () => number,
): Result[] {
  const results = new Map<number, Result>()
  let longestMs = 0
  const runOne = (partition: number): void => {
    const startedMs = elapsedMs()
    results.set(partition, work(partitions[partition]!))
    longestMs = Math.max(longestMs, elapsedMs() - startedMs)
  }
  try {
    claimEach(state, coordinator, runOne)
    for (let partition = 0; partition < partitions.length; partition++) {
      const waitMs = longestMs === 0 ? Infinity : Math.max(longestMs, waitMsMin)
      const isLate = !waitFor(state, partition, waitMs)
      if (isLate || claim(state, partition, coordinator)) runOne(partition)
      const by = -Atomics.load(state, partition)
      while (!results.has(partition)) receive(ports[by - coordinator - 1]!, results)
    }
    return partitions.map((_, partition) => results.get(partition)!)
  } finally {
    // After a failure no worker shall begin what is left.
    for (let partition = 0; partition < partitions.length; partition++)
      claim(state, partition, coordinator)
    for (const port of ports) port.close()
  }
}

/** False if a worker is still running the partition after the wait. */
function waitFor(state: Int32Array, partition: number, waitMs: number): boolean {
  for (let by; (by = Atomics.load(state, partition)) > coordinator;) {
    if (Atomics.wait(state, partition, by, waitMs) === "timed-out") return false
  }
  return true
}

/** Runs partitions while there are free ones. `buffersOf`: what of a result is transferred. */
export function runClaimedPartitions<Part, Result>(
  partitions: readonly Part[],
  work: (partition: Part) => Result,
  { state, thread, port }: WorkerSide,
  buffersOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  try {
    claimEach(state, thread, (partition) => {
      const result = work(partitions[partition]!)
      const done: PartitionResult<Result> = { partition, result }
      port.postMessage(done, buffersOf(result))
      Atomics.store(state, partition, -thread)
      Atomics.notify(state, partition)
    })
  } catch {
    // The coordinator meets the same error and reports it.
    releaseClaims(state, thread)
  }
}

/** Partitions of the coordinator stay claimed: no thread waits for them. */
function claimEach(state: Int32Array, thread: number, work: (partition: number) => void): void {
  for (let partition = 0; partition < state.length; partition++)
    if (claim(state, partition, thread)) work(partition)
}

function claim(state: Int32Array, partition: number, thread: number): boolean {
  return Atomics.compareExchange(state, partition, free, thread) === free
}

function receive<Result>(port: MessagePort, results: Map<number, Result>): void {
  const { partition, result } = receiveMessageOnPort(port)!.message as PartitionResult<Result>
  results.set(partition, result)
}
