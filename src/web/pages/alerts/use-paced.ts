/** Loads that follow a stream at a pace: the longer an answer takes, the longer is the rest. */

import { useEffect, useRef, useState } from "preact/hooks"
import { after, elapsedMs } from "../../platform/timers.ts"

/** A load takes at most this part of the time. */
const busyShare = 0.05

export interface Paced {
  /** The number that was given, or an earlier one while it is too early. */
  readonly round: number
  /** Runs a load and keeps its time; the round stays until it ends. */
  readonly timed: <T>(load: () => Promise<T>) => Promise<T>
}

export function usePaced(newest: number): Paced {
  const [round, setRound] = useState(newest)
  /** When the next round may begin; null while a load is on its way. */
  const [freeAtMs, setFreeAtMs] = useState<number | null>(0)
  const loads = useRef(0)
  useEffect(() => {
    if (freeAtMs === null) return undefined
    return after(freeAtMs - elapsedMs(), () => setRound(newest))
  }, [newest, freeAtMs])
  return {
    round,
    async timed(load) {
      loads.current += 1
      const own = loads.current
      const startMs = elapsedMs()
      setFreeAtMs(null)
      try {
        return await load()
      } finally {
        const endMs = elapsedMs()
        // One that was overtaken ends nothing: the newer one is on its way.
        if (own === loads.current) setFreeAtMs(endMs + (endMs - startMs) / busyShare)
      }
    },
  }
}
