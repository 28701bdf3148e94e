/** Arrivals by the stream: the newest element, and the last points of its first metrics. */

import { useEffect, useState } from "preact/hooks"
import * as v from "valibot"
import { arrivedElement, type ArrivedElement } from "../../api/first-steps.ts"
import { ingestMessage, seriesMessage, type IngestMessage } from "../../api/stream-answer.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"

/** Metrics that are shown, the first ones of the element. */
export const shownMetricsMax = 5
const pointsMax = 60

export type Point = readonly [timeMs: number, value: number]

export interface Arrivals {
  /** Null: nothing came since the page was opened. */
  readonly ingest: IngestMessage | null
  readonly element: ArrivedElement | null
  /** Of each shown metric by its id, oldest first. */
  readonly points: ReadonlyMap<string, readonly Point[]>
}

export function useArrivals(): Arrivals {
  const { api, live } = useApp()
  const [ingest, setIngest] = useState<IngestMessage | null>(null)
  const [points, setPoints] = useState<Arrivals["points"]>(new Map())
  const id = ingest?.newestElement?.id ?? null
  const { value, reload } = useLoaded(id, (signal) => arrivedElement(api, id!, signal))
  const element = value?.id === id ? value : null
  useEffect(() => {
    return live.listen(({ event, data }) => {
      if (event === "ingest") {
        const message = v.safeParse(ingestMessage, data)
        if (message.success) setIngest(message.output)
      } else if (event === "series") {
        const message = v.safeParse(seriesMessage, data)
        if (message.success) setPoints((former) => appended(former, message.output.series))
      }
    })
  }, [live])
  // A first post may have a part of the metrics only.
  useEffect(() => {
    if (ingest !== null && (element === null || element.metrics.length < 2)) reload()
  }, [ingest])
  const names = element?.metrics.slice(0, shownMetricsMax).map((one) => `${element.id}.${one.id}`)
  const followed = names?.join(",") ?? ""
  useEffect(() => {
    return followed === "" ? undefined : live.follow(followed.split(","))
  }, [live, followed])
  return { ingest, element, points }
}

function appended(
  former: Arrivals["points"],
  series: readonly { readonly metricId: string; readonly points: readonly Point[] }[],
): Arrivals["points"] {
  const next = new Map(former)
  for (const { metricId, points } of series) {
    const known = next.get(metricId) ?? []
    const lastMs = known.at(-1)?.[0] ?? -Infinity
    // A stream that was opened again has some of them once more.
    const fresh = points.filter(([timeMs]) => timeMs > lastMs)
    next.set(metricId, [...known, ...fresh].slice(-pointsMax))
  }
  return next
}
