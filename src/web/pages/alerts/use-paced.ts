/** Loads that follow a stream at a pace: the longer an answer takes, the longer is the rest. */

import { useEffect, useRef, useState } from "preact/hooks"
import { after, elapsedMs } from "../../platform/timers.ts"

/** A load takes at most this part of the time. */
const busyShare = 0.05

export interface Paced {
  /** The number that was given, or an earlier one while it is too early. */
  readonly round: number
  /** Runs a load and keeps its time. */
  readonly timed: <T>(load: () => Promise<T>) => Promise<T>
}

export function usePaced(newest: number): Paced {
  const [round, setRound] = useState(newest)
  const freeAtMs = useRef(0)
  useEffect(() => after(freeAtMs.current - elapsedMs(), () => setRound(newest)), [newest])
  return {
    round,
    async timed(load) {
      const startMs = elapsedMs()
      const answer = await load()
      const endMs = elapsedMs()
      freeAtMs.current = endMs + (endMs - startMs) / busyShare
      return answer
    },
  }
}
