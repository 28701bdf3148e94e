/**
 * Posts the fleet's samples as the server's clock goes, each cycle before it closes. A slow clock
 * gets a post a cycle, in its time; a fast one posts of many cycles, ahead of it.
 */

import { cycleMs } from "../../src/model/resolution.ts"
import { DemoError, type DemoClient } from "./demo-client.ts"
import type { CycleRange, Fleet } from "./fleet.ts"

export interface LoadSchedule {
  readonly cyclesPerPost: number
  /** How long before its cycle a sample is sent. */
  readonly leadCycles: number
  /** How far ahead of its clock the server must accept samples. */
  readonly acceptAheadMs: number
}

/** A post takes some milliseconds: on a fast clock, this real time should be between two. */
const postEveryMs = 250
/** Six hours; with what is sent ahead it stays within a day, the most that a server accepts. */
const cyclesPerPostMax = 72

export function loadScheduleOf(speed: number): LoadSchedule {
  const due = Math.ceil((speed * postEveryMs) / cycleMs)
  const cyclesPerPost = Math.min(cyclesPerPostMax, Math.max(1, due))
  const leadCycles = cyclesPerPost === 1 ? 0 : 2 * cyclesPerPost
  return { cyclesPerPost, leadCycles, acceptAheadMs: (leadCycles + cyclesPerPost + 1) * cycleMs }
}

interface PostingDeps {
  readonly client: DemoClient
  readonly fleet: Fleet
  readonly pace: LoadSchedule
  readonly speed: number
  readonly graceMs: number
  readonly wait: (ms: number) => Promise<unknown>
  readonly isAborted: () => boolean
  /** Called for each post. */
  readonly onPosted: (toCycle: number) => void
}

/** Posts cycles in order. Throws a DemoError if the clock was too fast for that. */
export async function postCycles(range: CycleRange, deps: PostingDeps): Promise<void> {
  const { client, fleet, pace, graceMs } = deps
  for (let from = range.from; from < range.to; from += pace.cyclesPerPost) {
    const to = Math.min(range.to, from + pace.cyclesPerPost)
    const body = fleet.body({ from, to })
    await waitFor((from - pace.leadCycles) * cycleMs, deps)
    await client.post(body)
    if ((await client.timeMs()) > (from + 1) * cycleMs + graceMs) {
      throw new DemoError("--clock: this machine is too slow for that speed; choose a lower one")
    }
    deps.onPosted(to)
  }
}

/** Real time between two polls of a clock that may be halted, or lag behind its speed. */
const pollMsMin = 5
const laggingPollMsMax = 250
const pollMsMax = 60_000

/** Waits until the server's clock has come to an instant. */
export async function waitFor(
  instantMs: number,
  { client, speed, wait, isAborted }: Pick<PostingDeps, "client" | "speed" | "wait" | "isAborted">,
): Promise<void> {
  for (let pauseMs = pollMsMin; !isAborted(); pauseMs = Math.min(2 * pauseMs, laggingPollMsMax)) {
    const restMs = instantMs - (await client.timeMs())
    if (restMs <= 0) return
    await wait(Math.min(pollMsMax, Math.max(pauseMs, restMs / speed)))
  }
  throw new DemoError("interrupted")
}
