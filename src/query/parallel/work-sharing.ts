/**
 * Sharing: the parts of one query (spread.ts), done by the thread that was asked and by helpers.
 * Each takes the next free part when it has done its last one, so that whoever has less of a core
 * does less; and nobody waits for a helper that is late.
 *
 *   state[part]   0 ──► thread ──► −thread          free, taken, done; the asker is thread 1
 *                 ▲───────┘ failed
 *
 * A helper posts its result before it says that the part is done. A part in which it failed is free
 * again: the asker does it and meets what stands in the way itself, so an error is told as if
 * nobody had helped.
 */

import { MessageChannel, receiveMessageOnPort, type MessagePort } from "node:worker_threads"
import type { WorkQueue } from "../core/query-plan.ts"

const free = 0
const coordinator = 1

/** What one helper is handed; its port is to be transferred. */
export interface WorkerSide {
  readonly state: Int32Array
  readonly thread: number
  readonly port: MessagePort
}

/** Result of one part. */
interface PartitionResult<Result> {
  readonly part: number
  readonly result: Result
}

/** Both sides of a query of so many parts that so many others may help with. */
export function createWorkQueue(
  parts: number,
  helpers: number,
): { readonly queue: WorkQueue; readonly sides: readonly WorkerSide[] } {
  const state = new Int32Array(new SharedArrayBuffer(parts * Int32Array.BYTES_PER_ELEMENT))
  const channels = Array.from({ length: helpers }, () => new MessageChannel())
  return {
    queue: { state, ports: channels.map(({ port1 }) => port1) },
    sides: channels.map(({ port2 }, i) => ({ state, thread: coordinator + 1 + i, port: port2 })),
  }
}

/** For a thread that ended: frees what it had taken, for the asker. */
export function releaseClaims(state: Int32Array, thread: number): void {
  for (let part = 0; part < state.length; part++) {
    Atomics.compareExchange(state, part, thread, free)
    Atomics.notify(state, part)
  }
}

/** For less a thread that was interrupted is not given up. */
const waitMsMin = 5

/**
 * Does the parts that nobody has taken, and waits for the others; the results in order of parts.
 * Nobody is waited for longer than the longest of the own parts took, by `elapsedMs`, monotonic
 * milliseconds: a thread that is late, since its code is cold or it gets no core, is not worth it.
 */
export function runPartitions<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Result,
  { state, ports }: WorkQueue,
  elapsedMs: () => number,
): Result[] {
  const results = new Map<number, Result>()
  let longestMs = 0
  const doPart = (part: number): void => {
    const startedMs = elapsedMs()
    results.set(part, work(parts[part]!))
    longestMs = Math.max(longestMs, elapsedMs() - startedMs)
  }
  try {
    claimEach(state, coordinator, doPart)
    for (let part = 0; part < parts.length; part++) {
      const patienceMs = longestMs === 0 ? Infinity : Math.max(longestMs, waitMsMin)
      const isLate = !waitFor(state, part, patienceMs)
      if (isLate || claim(state, part, coordinator)) doPart(part)
      const by = -Atomics.load(state, part)
      while (!results.has(part)) receive(ports[by - coordinator - 1]!, results)
    }
    return parts.map((_, part) => results.get(part)!)
  } finally {
    // Where it failed, nobody shall begin what is left.
    for (let part = 0; part < parts.length; part++) claim(state, part, coordinator)
    for (const port of ports) port.close()
  }
}

/** False where a helper is still at the part after so long. */
function waitFor(state: Int32Array, part: number, patienceMs: number): boolean {
  for (let by; (by = Atomics.load(state, part)) > coordinator;) {
    if (Atomics.wait(state, part, by, patienceMs) === "timed-out") return false
  }
  return true
}

/** Does parts while there are free ones. */
export function runClaimedPartitions<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Result,
  { state, thread, port }: WorkerSide,
): void {
  try {
    claimEach(state, thread, (part) => {
      const done: PartitionResult<Result> = { part, result: work(parts[part]!) }
      port.postMessage(done)
      Atomics.store(state, part, -thread)
      Atomics.notify(state, part)
    })
  } catch {
    // Told by the asker, who meets it too.
    releaseClaims(state, thread)
  }
}

/** A part of the asker stays taken: nobody asks whether it is done. */
function claimEach(state: Int32Array, thread: number, work: (part: number) => void): void {
  for (let part = 0; part < state.length; part++) if (claim(state, part, thread)) work(part)
}

function claim(state: Int32Array, part: number, thread: number): boolean {
  return Atomics.compareExchange(state, part, free, thread) === free
}

function receive<Result>(port: MessagePort, results: Map<number, Result>): void {
  const { part, result } = receiveMessageOnPort(port)!.message as PartitionResult<Result>
  results.set(part, result)
}
