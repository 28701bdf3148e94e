/**
 * Values of tiles: one call for the main metrics of the types, then one for the tiles in sight,
 * again after each cycle.
 */

import { useEffect, useMemo, useState } from "preact/hooks"
import { queryNamedSeries } from "../../../api/series.ts"
import type { SeriesLine } from "../../../api/series-answer.ts"
import { useApp } from "../../../frame/app.ts"
import { useReloadOn } from "../../../frame/live/use-live.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import type { TimeRange } from "../../../url/time-range.ts"
import { mainMetrics } from "./main-metrics.ts"
import { fqnsToAsk, samplesOf, type TileGroup } from "./tile-groups.ts"

const sparkMs = 3 * 3_600_000
/** Points of a spark of 40 pixels. */
const sparkPoints = 20

export interface TileValues {
  /** Main metric of each type that has one. */
  readonly metrics: ReadonlyMap<string, string>
  /** By FQN of the element. */
  readonly lines: ReadonlyMap<string, SeriesLine>
  /** Why the last call failed; null after a success. */
  readonly error: Error | null
  readonly reload: () => void
}

export function useTileValues(
  groups: readonly TileGroup[],
  inSight: ReadonlySet<string>,
): TileValues {
  const { api, clock } = useApp()
  const range = (): TimeRange => {
    const endMs = clock.nowMs()
    return { startMs: endMs - sparkMs, endMs }
  }
  const samples = useMemo(() => samplesOf(groups), [groups])
  const named = useLoaded(JSON.stringify(samples), (signal) =>
    mainMetrics(api, { samples, range: range() }, signal),
  )
  const metrics = named.value ?? noMetrics
  const series = useMemo(() => seriesOf(groups, inSight, metrics), [groups, inSight, metrics])
  const key = series.length === 0 ? null : JSON.stringify(series)
  const loaded = useLoaded(key, (signal) =>
    queryNamedSeries(api, { series, range: range(), width: sparkPoints }, signal),
  )
  const reload = (): void => {
    // Types that had no values may have some now.
    if (metrics.size < groups.length) named.reload()
    loaded.reload()
  }
  useReloadOn(["cycle"], reload)
  return { metrics, lines: useKept(loaded.value), error: named.error ?? loaded.error, reload }
}

const noMetrics: TileValues["metrics"] = new Map()

function seriesOf(
  groups: readonly TileGroup[],
  inSight: ReadonlySet<string>,
  metrics: TileValues["metrics"],
) {
  const wanted = new Set(fqnsToAsk(groups, inSight))
  return groups.flatMap(({ type, cells }) => {
    const metricId = metrics.get(type)
    if (metricId === undefined) return []
    const fqns = cells.map(({ fqn }) => fqn).filter((fqn) => wanted.has(fqn))
    return fqns.sort().map((elementId) => ({ elementId, metricId }))
  })
}

/** Values of tiles that were in sight before stay. */
function useKept(loaded: readonly SeriesLine[] | null): TileValues["lines"] {
  const [lines, setLines] = useState<TileValues["lines"]>(new Map())
  useEffect(() => {
    const fresh = (loaded ?? []).map((line): [string, SeriesLine] => [line.elementFqn, line])
    if (fresh.length > 0) setLines((former) => new Map([...former, ...fresh]))
  }, [loaded])
  return lines
}
