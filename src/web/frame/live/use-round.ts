/** Counts the loads of a page that has a range: part of the key of what it loads. */

import { useState } from "preact/hooks"
import { useApp } from "../app.ts"
import type { LiveTopic } from "./live-stream.ts"
import { useReloadOn } from "./use-live.ts"

export interface Round {
  readonly round: number
  /** Loads again. */
  readonly reload: () => void
}

/** The refresh of the top bar and messages of the topics load again, too. */
export function useRound(topics: readonly LiveTopic[]): Round {
  const [own, setOwn] = useState(0)
  const reload = (): void => setOwn((count) => count + 1)
  useReloadOn(topics, reload)
  return { round: own + useApp().ranges.current.value.round, reload }
}
