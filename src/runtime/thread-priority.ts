/**
 * Which threads go first. Where cores are few, a query takes a time slice of some milliseconds from
 * ingest, and so does V8 when it compiles what became hot; an answer or a faster function that
 * comes a little later harms nobody, a queue of posts does.
 */

import { readdirSync, readlinkSync } from "node:fs"
import { setPriority } from "node:os"

/** At 10 a thread gets a tenth of what a normal one gets where both want all. */
const v8Niceness = 10

/**
 * Gives the calling thread a niceness of 1 to 19 if the system can (Linux names it so, proc(5));
 * else does nothing.
 */
export function lowerThreadPriority(niceness: number): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1))
    if (Number.isInteger(thread) && thread > 0) setPriority(thread, niceness)
  } catch {
    // No such name on this system, or no right to: then all threads stay equal.
  }
}

/**
 * One that keeps the delayed work, and as many as Node gives V8 to compile and collect with, unless
 * `--v8-pool-size` says otherwise.
 */
const v8Threads = 5

/**
 * Lowers the threads in which V8 compiles and collects for the others; to be called before this
 * process makes threads of its own. At 2,800 posts a second on one core, the 99th percentile of the
 * first two seconds of a new load was 21 to 70 ms, and 17 to 40 ms with them at 10; new series cost
 * the same. Who needs a collection does not wait for a helper that has not begun: it does the work
 * itself.
 */
export function lowerV8Threads(): void {
  try {
    const threads = readdirSync("/proc/self/task").map(Number)
    // Numbered as they were made: the main thread, which has the number of the process, then these.
    const helpers = threads.filter((thread) => thread > process.pid).sort((a, b) => a - b)
    for (const thread of helpers.slice(0, v8Threads)) setPriority(thread, v8Niceness)
  } catch {
    // As above.
  }
}
