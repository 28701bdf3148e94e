/**
 * The events of the page: the newest ones, which are loaded again when something happens, and the
 * older ones that were asked for, which stay meanwhile.
 */

import { useRef, useState } from "preact/hooks"
import { isAborted } from "../../api/client.ts"
import type { ListedEvent } from "../../api/event/event-answer.ts"
import { eventPage, type EventFilter, type EventPage } from "../../api/events.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"

interface Kept extends EventPage {
  readonly key: string
}

export interface Events {
  /** Newest first; null before the first answer. */
  readonly events: readonly ListedEvent[] | null
  readonly error: Error | null
  readonly isLoading: boolean
  /** The events are those of the former list. */
  readonly isFormer: boolean
  readonly reload: () => void
  /** Of the newest ones. */
  readonly cancel: () => void
  /** Whether there are older ones than these. */
  readonly hasOlder: boolean
  /** Loads older ones; null if there are none, and while some are loaded. */
  readonly showOlder: (() => void) | null
}

/** Another `key` is another list; another `round` loads the newest events of the same one again. */
export function useEvents(filter: EventFilter, key: string, round: number): Events {
  const { api, toasts } = useApp()
  const [kept, setKept] = useState<Kept | null>(null)
  const [isOlder, setOlder] = useState(false)
  const newest = useRef(key)
  newest.current = key
  const first = useLoaded(`${round} ${key}`, async (signal) => {
    const page = await eventPage(api, filter, null, signal)
    setKept((former) => withNewest(former, { ...page, key }))
  })
  const showOlder = (cursor: string) => (): void => {
    setOlder(true)
    eventPage(api, filter, cursor, new AbortController().signal)
      .then(
        (page) => setKept((former) => (newest.current === key ? withOlder(former, page) : former)),
        (error: Error) => {
          if (!isAborted(error)) toasts.show(error.message, "error")
        },
      )
      .finally(() => setOlder(false))
  }
  return {
    events: kept?.events ?? null,
    error: first.error,
    isLoading: first.isLoading || isOlder,
    isFormer: kept !== null && kept.key !== key,
    reload: first.reload,
    cancel: first.cancel,
    hasOlder: kept !== null && kept.next !== null,
    showOlder: kept === null || kept.next === null || isOlder ? null : showOlder(kept.next),
  }
}

/** The newest page before those that were known; without a gap, or alone. */
export function withNewest(former: Kept | null, page: Kept): Kept {
  const last = page.events.at(-1)
  if (former === null || former.key !== page.key || last === undefined) return page
  const at = former.events.findIndex(({ id }) => id === last.id)
  const older = at < 0 ? [] : former.events.slice(at + 1)
  if (older.length === 0) return page
  return { ...former, events: [...page.events, ...older] }
}

function withOlder(former: Kept | null, page: EventPage): Kept | null {
  if (former === null) return null
  const known = new Set(former.events.map(({ id }) => id))
  const added = page.events.filter(({ id }) => !known.has(id))
  return { ...former, events: [...former.events, ...added], next: page.next }
}
