/** The alerts of an element as a table: a row for each policy, which opens to its alerts. */

import { useMemo, useState } from "preact/hooks"
import type { ElementIncident } from "../../../api/incident/watching.ts"
import { comparedText } from "../../../format/compared-text.ts"
import { shortTimeText, timeText } from "../../../format/times.ts"
import { visibleText } from "../../../format/visible-text.ts"
import { wholeText } from "../../../format/words.ts"
import { useApp } from "../../../frame/app.ts"
import { LevelMark } from "../../../parts/level-mark.tsx"
import { closedText } from "../../../parts/level-words.ts"
import { incidentAddress } from "../../../url/incident-address.ts"
import { alertsByPolicy, type PolicyAlerts } from "./alert-groups.ts"
import style from "../element.module.css"
import { text } from "../text.ts"

export function AlertTable({ incidents }: { readonly incidents: readonly ElementIncident[] }) {
  const groups = useMemo(() => alertsByPolicy(incidents), [incidents])
  return (
    <div tabIndex={0} role="region" aria-label={text.incidents}>
      <table class={style["table"]} aria-label={text.incidents}>
        <thead>
          <tr>
            <th scope="col">{text.level}</th>
            <th scope="col">{text.policy}</th>
            <th scope="col">{text.lastValue}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.since}</th>
            <th scope="col">{text.until}</th>
          </tr>
        </thead>
        {groups.map((group) => (
          <GroupRows key={group.policyId} group={group} />
        ))}
      </table>
    </div>
  )
}

const nameOf = ({ policyName }: ElementIncident): string =>
  visibleText(policyName ?? text.unnamedPolicy)

function GroupRows({ group }: { readonly group: PolicyAlerts }) {
  const [isOpen, setOpen] = useState(false)
  const { incidents, level, open } = group
  const [newest] = incidents
  const name = nameOf(newest)
  if (incidents.length === 1) {
    return (
      <tbody>
        <tr>
          <Facts incident={newest} />
        </tr>
      </tbody>
    )
  }
  return (
    <tbody>
      <tr>
        <td>
          <LevelMark level={level} word={text.levels[level]} />
        </td>
        <th scope="row">
          <button
            type="button"
            class={style["opener"]}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
            <bdi>{name}</bdi>
            <span class={style["count"]}>
              {wholeText(incidents.length)}
              <span class="visually-hidden"> {text.alertsWord}</span>
            </span>
          </button>
        </th>
        <td dir="auto">
          <LastValue incident={newest} />
        </td>
        <td>{text.openOf(open)}</td>
        <Times first={incidents.at(-1)!.tsFirstFired} last={newest.tsLastFired} />
      </tr>
      {isOpen &&
        incidents.map((one) => (
          <tr key={one.incidentId} class={style["below"]}>
            <Facts incident={one} />
          </tr>
        ))}
    </tbody>
  )
}

interface IncidentProps {
  readonly incident: ElementIncident
}

/** The value that its policy compared when it fired last. */
function LastValue({ incident }: IncidentProps) {
  const numbers = useApp().preferences.numberStyle.value
  const [first] = incident.compared
  const value = first === undefined ? null : comparedText(first, numbers)
  return <>{value === null ? text.noValue : visibleText(value)}</>
}

/** The cells of one alert. */
function Facts({ incident }: IncidentProps) {
  const { incidentId, level, tsClosed, closeReason, tsFirstFired, tsLastFired } = incident
  return (
    <>
      <td>
        <LevelMark level={level} word={text.levels[level]} />
      </td>
      <th scope="row" class={style["name"]} dir="auto">
        <a href={incidentAddress(incidentId)}>{nameOf(incident)}</a>
      </th>
      <td dir="auto">
        <LastValue incident={incident} />
      </td>
      <td>{tsClosed === null ? text.open : closedText(closeReason)}</td>
      <Times first={tsFirstFired} last={tsLastFired} />
    </>
  )
}

interface TimesProps {
  readonly first: number
  readonly last: number
}

function Times({ first, last }: TimesProps) {
  const { clock, ranges } = useApp()
  const times = ranges.current.value.style
  return (
    <>
      {[first, last].map((ms, i) => (
        <td key={i} title={timeText(ms, times, true)}>
          {shortTimeText(ms, clock.nowMs(), times)}
        </td>
      ))}
    </>
  )
}
