/**
 * Alerts of the range by time, and the elements that have most of them: loaded after the list, and
 * kept while it is grouped in another way.
 */

import { useState } from "preact/hooks"
import type { EventHistogram } from "../../api/events.ts"
import { incidentHistogram, topViolators, type Violator } from "../../api/incident/groups.ts"
import { barsOf } from "../../chart/strip/bar-mark.ts"
import { useApp } from "../../frame/app.ts"
import { useRested } from "../../frame/live/use-rested.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { phoneWindow, useMedia } from "../../frame/use-media.ts"
import type { AlertsState } from "./alerts-state.ts"
import { usePaced } from "./use-paced.ts"

const violatorsMax = 5

export interface Overview {
  /** Of all levels: those of the page are chosen among its bars. */
  readonly counts: Loaded<EventHistogram>
  readonly violators: Loaded<readonly Violator[]>
  /** Whether the violators are shown: on a phone they are opened to be loaded. */
  readonly isOpen: boolean
  readonly toggle: () => void
}

export function useOverview(state: AlertsState, newest: number): Overview {
  const { api } = useApp()
  const { overview, overviewKey, topBy } = state
  const isRested = useRested()
  const isPhone = useMedia(phoneWindow)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? !isPhone
  const counts = useLoaded(
    isRested ? `${newest} ${overviewKey}` : null,
    (signal) => incidentHistogram(api, { ...overview, levels: [] }, barsOf(overview.range), signal),
    overviewKey,
  )
  const { round, timed } = usePaced(newest)
  const subject = JSON.stringify([overviewKey, topBy])
  const violators = useLoaded(
    isRested && isOpen ? `${round} ${subject}` : null,
    (signal) => {
      // Of an element that alone is listed the others are shown too, to go to them.
      const filter = { ...overview, elementId: undefined }
      const asked = { sort: topBy, limit: violatorsMax }
      return timed(() => topViolators(api, filter, asked, signal))
    },
    subject,
  )
  return { counts, violators, isOpen, toggle: () => setChosen(!isOpen) }
}
