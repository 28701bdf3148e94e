/**
 * Live pages: what they show is loaded again when the stream says that it changed, and once a
 * minute while the stream is wanted and not connected.
 */

import { useEffect, useRef } from "preact/hooks"
import type { StreamMessage } from "../../api/event-parser.ts"
import { after, every } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import type { LiveTopic } from "./live-stream.ts"

/** Many changes of one moment are one load. */
const gatherMs = 500
/** Without the stream: five times a cycle. */
const fallbackMs = 60_000

/**
 * Calls `reload` after messages of the topics, and after messages that were missed; not while
 * `isOn` is false.
 */
export function useReloadOn(topics: readonly LiveTopic[], reload: () => void, isOn = true): void {
  const { live } = useApp()
  const newest = useRef(reload)
  newest.current = reload
  const wanted = topics.join(",")
  useEffect(() => {
    if (!isOn) return undefined
    let cancel: (() => void) | null = null
    const gather = (): void => {
      cancel ??= after(gatherMs, () => {
        cancel = null
        newest.current()
      })
    }
    const take = ({ event }: StreamMessage): void => {
      if (event === "reset" || wanted.split(",").includes(event)) gather()
    }
    const fallBack = (): void => {
      // A stream that is closed belongs to a tab that is not seen.
      const { kind } = live.state.peek()
      if (kind === "lost" || kind === "connecting") gather()
    }
    const ends = [live.listen(take), every(fallbackMs, fallBack)]
    return () => {
      for (const end of ends) end()
      cancel?.()
    }
  }, [live, wanted, isOn])
}

/** Calls back when the stream is connected again. */
export function useOnReturn(callback: () => void): void {
  const count = useApp().live.connectionCount.value
  const known = useRef(count)
  useEffect(() => {
    if (count > 1 && count > known.current) callback()
  }, [count])
}
