/**
 * Lets other threads go first. Where cores are few, a query takes a time slice of some milliseconds
 * from ingest; an answer that comes a little later harms nobody, a queue of posts does.
 */

import { readlinkSync } from "node:fs"
import { setPriority } from "node:os"

/** Of -20 to 19; at 5 a thread gets a quarter of what a normal one gets where both want all. */
const niceness = 5

/** Lowers the calling thread where the system can (Linux names it so, proc(5)); else does nothing. */
export function yieldToOthers(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1))
    if (Number.isInteger(thread) && thread > 0) setPriority(thread, niceness)
  } catch {
    // No such name on this system, or no right to: then all threads stay equal.
  }
}
