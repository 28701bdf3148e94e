/**
 * Thread priorities. If cores are few, a query takes time slices of some milliseconds from ingest,
 * and so does V8 when it compiles hot functions. An answer or a faster function may come a little
 * later; a growing queue of posts costs latency.
 *
 * Measured 2026-11-21 on Node 20; `TIDEGAUGE_TUNINGS_OFF=v8-threads,thread-priority` switches both
 * off.
 */

import { readdirSync, readlinkSync } from "node:fs"
import { setPriority } from "node:os"

/** At 10 a thread gets a tenth of the time of a normal one, if both want one core. */
const v8Niceness = 10

/**
 * Sets the niceness of the calling thread, 1 to 19, on systems that name threads as Linux does
 * (proc(5)); does nothing on others.
 */
export function lowerThreadPriority(niceness: number): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1))
    if (Number.isInteger(thread) && thread > 0) setPriority(thread, niceness)
  } catch {
    // No such name on this system, or no permission: all threads stay equal.
  }
}

/** Node's threads for V8: one for delayed tasks and, without `--v8-pool-size`, four workers. */
const v8Threads = 5

/**
 * Lowers the priority of the threads in which V8 compiles and collects for the others; called
 * before this process creates threads. At 2,800 posts a second on one core, the 99th percentile of
 * the first two seconds of a new load was 21 to 70 ms, and 17 to 40 ms with them at 10; new series
 * cost the same. A thread that needs a collection does not wait for a V8 thread that has not begun,
 * but does the work itself.
 */
export function lowerV8Threads(): void {
  try {
    const threads = readdirSync("/proc/self/task").map(Number)
    // Ids ascend by creation: the main thread has that of the process, these follow.
    const helpers = threads.filter((thread) => thread > process.pid).sort((a, b) => a - b)
    for (const thread of helpers.slice(0, v8Threads)) setPriority(thread, v8Niceness)
  } catch {
    // As above.
  }
}
