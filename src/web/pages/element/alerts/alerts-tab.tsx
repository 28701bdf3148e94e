/** The alerts and events of an element in the last two weeks, by policy. */

import { useMemo } from "preact/hooks"
import { readIncidents } from "../../../api/element.ts"
import { useApp } from "../../../frame/app.ts"
import { useLoaded } from "../../../frame/use-loaded.ts"
import { Skeleton } from "../../../parts/states.tsx"
import type { TimeRange } from "../../../url/time-range.ts"
import { PagedEvents } from "../../events/paged-events.tsx"
import { useEvents } from "../../events/use-events.ts"
import { AlertTable } from "./alert-table.tsx"
import { Failed } from "../failed.tsx"
import style from "../element.module.css"
import type { TabProps } from "../metrics-tab.tsx"
import { text } from "../text.ts"

const windowMs = 14 * 86_400_000

export function AlertsTab(props: TabProps) {
  const { clock } = useApp()
  const { round } = props
  const range = useMemo(() => {
    const endMs = clock.nowMs()
    return { startMs: endMs - windowMs, endMs }
  }, [clock, round])
  return (
    <div class={style["part"]}>
      <h2>{text.incidents}</h2>
      <Alerts {...props} range={range} />
      <h2>{text.events}</h2>
      <Events {...props} range={range} />
    </div>
  )
}

interface PartProps extends TabProps {
  readonly range: TimeRange
}

function Alerts({ element: { fqn }, round, range }: PartProps) {
  const { api } = useApp()
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, (signal) =>
    readIncidents(api, { fqn, fromMs: range.startMs }, signal),
  )
  return (
    <>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {value === null && error === null && <Skeleton text={text.loading} rows={2} />}
      {value?.length === 0 && <p class="secondary">{text.noIncidents}</p>}
      {value !== null && value.length > 0 && <AlertTable incidents={value} />}
    </>
  )
}

function Events({ element: { fqn }, round, range }: PartProps) {
  const filter = { ...range, levels: [], text: "", elementId: fqn }
  const { events, error, reload, ...older } = useEvents(filter, fqn, round)
  return (
    <>
      {error !== null && <Failed error={error} onRetry={reload} />}
      {events === null && error === null && <Skeleton text={text.loading} rows={4} />}
      {events?.length === 0 && <p class="secondary">{text.noEvents}</p>}
      {events !== null && events.length > 0 && (
        <PagedEvents found={{ events, ...older }} by="policy" />
      )}
    </>
  )
}
