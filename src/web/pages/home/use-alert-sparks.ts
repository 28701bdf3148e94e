/**
 * Courses of the newest alert of each listed policy: one call for all rows, after the page has its
 * first data, again after each cycle.
 */

import { queryNamedSeries } from "../../api/series.ts"
import type { IncidentGroup } from "../../api/incident/listed.ts"
import type { SeriesLine } from "../../api/series-answer.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { useRested } from "../../frame/live/use-rested.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { alertSparkMs, comparedSeries } from "../alerts/alert-sparks.ts"

/** Points of a spark of 64 pixels. */
const sparkPoints = 32

export interface AlertSparks {
  readonly sparkOf: (group: IncidentGroup) => SeriesLine | undefined
  readonly error: Error | null
  readonly reload: () => void
}

export function useAlertSparks(groups: readonly IncidentGroup[]): AlertSparks {
  const { api, clock } = useApp()
  const isRested = useRested()
  const series = groups.flatMap((group) => seriesOf(group) ?? [])
  const key = isRested && series.length > 0 ? JSON.stringify(series) : null
  const { value, error, reload } = useLoaded(key, async (signal) => {
    const endMs = clock.nowMs()
    const range = { startMs: endMs - alertSparkMs, endMs }
    return await queryNamedSeries(api, { series, range, width: sparkPoints }, signal)
  })
  useReloadOn(["cycle"], reload)
  const sparkOf = (group: IncidentGroup): SeriesLine | undefined => {
    const own = seriesOf(group)
    return value?.find((line) => {
      return line.elementFqn === own?.elementId && line.metricFqn === own.metricId
    })
  }
  return { sparkOf, error, reload }
}

function seriesOf({ incidents: [newest] }: IncidentGroup) {
  return newest === undefined ? null : comparedSeries(newest)
}
