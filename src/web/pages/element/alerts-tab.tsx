/** The incidents and events of an element in the last two weeks. */

import {
  readEvents,
  readIncidents,
  readPolicies,
  type ElementEvent,
  type ElementIncident,
} from "../../api/element.ts"
import { timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { closedText } from "../../parts/level-words.ts"
import { Skeleton } from "../../parts/states.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import type { TabProps } from "./metrics-tab.tsx"
import { text } from "./text.ts"

const windowMs = 14 * 86_400_000

export function AlertsTab({ element, round }: TabProps) {
  const { api, clock } = useApp()
  const { fqn } = element
  const { value, error, reload } = useLoaded(`${fqn} ${round}`, async (signal) => {
    const toMs = clock.nowMs()
    const span = { fqn, fromMs: toMs - windowMs, toMs }
    const [incidents, events, policies] = await Promise.all([
      readIncidents(api, span, signal),
      readEvents(api, span, signal),
      readPolicies(api, fqn, signal),
    ])
    return { incidents, events, names: new Map(policies.map(({ id, name }) => [id, name])) }
  })
  if (value === null && error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} />
  const { incidents, events, names } = value
  return (
    <div class={style["part"]}>
      {error !== null && <Failed error={error} onRetry={reload} />}
      <h2>{text.incidents}</h2>
      {incidents.length === 0 ? (
        <p class="secondary">{text.noIncidents}</p>
      ) : (
        <IncidentTable incidents={incidents} names={names} />
      )}
      <h2>{text.events}</h2>
      {events.length === 0 ? (
        <p class="secondary">{text.noEvents}</p>
      ) : (
        <EventTable events={events} />
      )}
    </div>
  )
}

interface IncidentTableProps {
  readonly incidents: readonly ElementIncident[]
  /** Of policies by id. */
  readonly names: ReadonlyMap<string, string>
}

function IncidentTable({ incidents, names }: IncidentTableProps) {
  const times = useApp().preferences.timeStyle.value
  return (
    <div tabIndex={0} role="region" aria-label={text.incidents}>
      <table class={style["table"]} aria-label={text.incidents}>
        <thead>
          <tr>
            <th scope="col">{text.policy}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.since}</th>
            <th scope="col">{text.until}</th>
            <th scope="col">{text.violating}</th>
          </tr>
        </thead>
        <tbody>
          {incidents.map((one) => (
            <tr key={one.incidentId}>
              <th scope="row" dir="auto">
                <a href={incidentAddress(one.incidentId)}>
                  {visibleText(names.get(one.policyId) ?? one.policyId)}
                </a>
              </th>
              <td>{one.tsClosed === null ? text.open : closedText(one.closeReason)}</td>
              <td>{timeText(Date.parse(one.tsFirstFired), times)}</td>
              <td>{timeText(Date.parse(one.tsLastFired), times)}</td>
              <td dir="auto">{visibleText(one.violatingMetricFqns.join(", "))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EventTable({ events }: { readonly events: readonly ElementEvent[] }) {
  const times = useApp().preferences.timeStyle.value
  return (
    <div tabIndex={0} role="region" aria-label={text.events}>
      <table class={style["table"]} aria-label={text.events}>
        <thead>
          <tr>
            <th scope="col">{text.time}</th>
            <th scope="col">{text.level}</th>
            <th scope="col">{text.title}</th>
            <th scope="col">{text.source}</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, timestamp, category: { name }, title, source, policy }) => (
            <tr key={id}>
              <td>{timeText(Date.parse(timestamp), times)}</td>
              <td>
                <LevelMark level={name} word={text.levels[name]} />
              </td>
              <td dir="auto">{visibleText(title ?? policy?.name ?? text.noValue)}</td>
              <td dir="auto">{visibleText(source ?? text.noValue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
