/** Live pages: what they show is loaded again when the stream says that it changed. */

import { useEffect, useRef } from "preact/hooks"
import type { StreamMessage } from "../../api/event-parser.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import type { LiveTopic } from "./live-stream.ts"

/** Many changes of one moment are one load. */
const gatherMs = 500

/** Calls `reload` after messages of the topics, and after messages that were missed. */
export function useReloadOn(topics: readonly LiveTopic[], reload: () => void): void {
  const { live } = useApp()
  const newest = useRef(reload)
  newest.current = reload
  const wanted = topics.join(",")
  useEffect(() => {
    let cancel: (() => void) | null = null
    const end = live.listen((message: StreamMessage) => {
      const isWanted = message.event === "reset" || wanted.split(",").includes(message.event)
      if (!isWanted || cancel !== null) return
      cancel = after(gatherMs, () => {
        cancel = null
        newest.current()
      })
    })
    return () => {
      end()
      cancel?.()
    }
  }, [live, wanted])
}
