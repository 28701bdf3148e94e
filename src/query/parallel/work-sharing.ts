/**
 * Sharing: the parts of one question (spread.ts), done by the thread that was asked and by helpers.
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

const free = 0
const asker = 1

/** What the asker is handed; its ports are to be transferred. */
export interface Sharing {
  readonly state: Int32Array
  /** Results of each helper, the first of which is thread 2. */
  readonly ports: readonly MessagePort[]
}

/** What one helper is handed; its port is to be transferred. */
export interface HelperSide {
  readonly state: Int32Array
  readonly thread: number
  readonly port: MessagePort
}

/** Result of one part. */
interface PartDone<Result> {
  readonly part: number
  readonly result: Result
}

/** Both sides of a question of so many parts that so many others may help with. */
export function shareOut(
  parts: number,
  helpers: number,
): { readonly sharing: Sharing; readonly sides: readonly HelperSide[] } {
  const state = new Int32Array(new SharedArrayBuffer(parts * Int32Array.BYTES_PER_ELEMENT))
  const channels = Array.from({ length: helpers }, () => new MessageChannel())
  return {
    sharing: { state, ports: channels.map(({ port1 }) => port1) },
    sides: channels.map(({ port2 }, i) => ({ state, thread: asker + 1 + i, port: port2 })),
  }
}

/** For a thread that ended: frees what it had taken, for the asker. */
export function giveBack(state: Int32Array, thread: number): void {
  for (let part = 0; part < state.length; part++) {
    Atomics.compareExchange(state, part, thread, free)
    Atomics.notify(state, part)
  }
}

/** For less a thread that was interrupted is not given up. */
const patienceMsMin = 5

/**
 * Does the parts that nobody has taken, and waits for the others; the results in order of parts.
 * Nobody is waited for longer than the longest of the own parts took, by `elapsedMs`, monotonic
 * milliseconds: a thread that is late, since its code is cold or it gets no core, is not worth it.
 */
export function doParts<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Result,
  { state, ports }: Sharing,
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
    takeParts(state, asker, doPart)
    for (let part = 0; part < parts.length; part++) {
      const patienceMs = longestMs === 0 ? Infinity : Math.max(longestMs, patienceMsMin)
      const isLate = !waitFor(state, part, patienceMs)
      if (isLate || take(state, part, asker)) doPart(part)
      const by = -Atomics.load(state, part)
      while (!results.has(part)) receive(ports[by - asker - 1]!, results)
    }
    return parts.map((_, part) => results.get(part)!)
  } finally {
    // Where it failed, nobody shall begin what is left.
    for (let part = 0; part < parts.length; part++) take(state, part, asker)
    for (const port of ports) port.close()
  }
}

/** False where a helper is still at the part after so long. */
function waitFor(state: Int32Array, part: number, patienceMs: number): boolean {
  for (let by; (by = Atomics.load(state, part)) > asker;) {
    if (Atomics.wait(state, part, by, patienceMs) === "timed-out") return false
  }
  return true
}

/** Does parts while there are free ones. */
export function helpWithParts<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Result,
  { state, thread, port }: HelperSide,
): void {
  try {
    takeParts(state, thread, (part) => {
      const done: PartDone<Result> = { part, result: work(parts[part]!) }
      port.postMessage(done)
      Atomics.store(state, part, -thread)
      Atomics.notify(state, part)
    })
  } catch {
    // Told by the asker, who meets it too.
    giveBack(state, thread)
  }
}

/** A part of the asker stays taken: nobody asks whether it is done. */
function takeParts(state: Int32Array, thread: number, work: (part: number) => void): void {
  for (let part = 0; part < state.length; part++) if (take(state, part, thread)) work(part)
}

function take(state: Int32Array, part: number, thread: number): boolean {
  return Atomics.compareExchange(state, part, free, thread) === free
}

function receive<Result>(port: MessagePort, results: Map<number, Result>): void {
  const { part, result } = receiveMessageOnPort(port)!.message as PartDone<Result>
  results.set(part, result)
}
