/** Open alerts, the newest first. */

import type { OpenIncidents } from "../../api/overview/overview-answer.ts"
import { useApp } from "../../frame/app.ts"
import type { Loaded } from "../../frame/use-loaded.ts"
import { durationText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { elementAddress } from "../../url/element-address.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import { linkWithShared } from "../../url/shared-parameters.ts"
import style from "./home.module.css"
import type { ShownAlerts } from "./shown-alerts.ts"
import { text } from "./text.ts"

interface AlertsSectionProps {
  readonly alerts: Loaded<ShownAlerts>
  /** Elements fell silent together: that no alert is open says little. */
  readonly isSilent: boolean
}

export function AlertsSection({ alerts, isSilent }: AlertsSectionProps) {
  const { value, error, reload } = alerts
  const address = useApp().navigation.address.value
  return (
    <section class={style["section"]}>
      <h2>
        <a href={linkWithShared("alerts", address)}>
          {value === null ? text.alerts : text.alertsCount(value.total)}
        </a>
      </h2>
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={4} />}
      {value?.isOfAll === true && <p class="secondary">{text.ofAllElements}</p>}
      {value !== null && <AlertList found={value} isSilent={isSilent} />}
    </section>
  )
}

interface AlertListProps extends Pick<AlertsSectionProps, "isSilent"> {
  readonly found: OpenIncidents
}

function AlertList({ found: { incidents, total }, isSilent }: AlertListProps) {
  const { clock, preferences, navigation } = useApp()
  if (total === 0) return <p class="secondary">{isSilent ? text.noAlertsSilent : text.noAlerts}</p>
  const nowMs = clock.nowMs()
  return (
    <>
      <ul class={style["list"]}>
        {incidents.map((one) => {
          const sinceMs = Date.parse(one.tsFirstFired)
          return (
            <li key={one.incidentId} class={style["row"]}>
              <LevelMark
                level={one.level ?? "info"}
                word={text.levels[one.level ?? "info"]}
                isAlone
              />
              <a class={style["what"]} dir="auto" href={incidentAddress(one.incidentId)}>
                {visibleText(one.policyName ?? text.unnamedPolicy)}
              </a>
              <a
                class={style["who"]}
                dir="auto"
                href={linkWithShared(elementAddress(one.elementFqn), navigation.address.value)}
              >
                {visibleText(one.elementName)}
              </a>
              <span class={style["when"]} title={timeText(sinceMs, preferences.timeStyle.value)}>
                {one.acked && <span class="secondary">{text.acked} </span>}
                {durationText(nowMs - sinceMs)}
              </span>
            </li>
          )
        })}
      </ul>
      {total > incidents.length && (
        <p class="secondary">{text.moreAlerts(total - incidents.length)}</p>
      )}
    </>
  )
}
