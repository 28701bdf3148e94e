/** Open alerts by policy, those of the highest level first. */

import check from "heroicons/20/solid/check.svg"
import type { IncidentGroup, ListedIncident } from "../../api/incident/listed.ts"
import type { SeriesLine } from "../../api/series-answer.ts"
import { RowSpark } from "../../chart/small/row-spark.tsx"
import { useApp } from "../../frame/app.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { comparedSide, comparedText } from "../../format/compared-text.ts"
import { durationText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { classNames } from "../../parts/class-names.ts"
import { Icon } from "../../parts/icon.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { alertsOfPolicy } from "../../url/alerts-address.ts"
import { elementAddress } from "../../url/element-address.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import { linkWithShared } from "../../url/shared-parameters.ts"
import style from "./home.module.css"
import type { ShownAlerts } from "./shown-alerts.ts"
import { text } from "./text.ts"
import { useAlertSparks } from "./use-alert-sparks.ts"

interface AlertsSectionProps {
  readonly alerts: Loaded<ShownAlerts>
  /** Elements fell silent together: that no alert is open says little. */
  readonly isSilent: boolean
}

export function AlertsSection({ alerts, isSilent }: AlertsSectionProps) {
  const { value, error, isFormer, reload } = alerts
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
      {value !== null && (
        <div class={style["alertsFrame"]} aria-busy={isFormer || undefined}>
          <AlertList found={value} isSilent={isSilent} />
        </div>
      )}
    </section>
  )
}

interface AlertListProps extends Pick<AlertsSectionProps, "isSilent"> {
  readonly found: ShownAlerts
}

function AlertList({ found: { groups, total }, isSilent }: AlertListProps) {
  const { sparkOf, error, reload } = useAlertSparks(groups)
  if (total === 0) return <p class="secondary">{isSilent ? text.noAlertsSilent : text.noAlerts}</p>
  const shown = groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <ul class={classNames(style["list"], style["alerts"])} aria-label={text.alerts}>
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} spark={sparkOf(group)} />
        ))}
      </ul>
      <LoadFailed error={error} title={text.sparksFailed} retryText={text.retry} onRetry={reload} />
      {total > shown && <p class="secondary">{text.moreAlerts(total - shown)}</p>}
    </>
  )
}

interface GroupRowProps {
  readonly group: IncidentGroup
  /** Of the newest alert. */
  readonly spark: SeriesLine | undefined
}

/** A policy with its number of alerts; a single alert tells its element and its value. */
function GroupRow({ group, spark }: GroupRowProps) {
  const { navigation } = useApp()
  const { id, level, count, incidents } = group
  const [newest] = incidents
  if (newest === undefined) return null
  const isAlone = count === 1
  const policy = visibleText(newest.policyName ?? text.unnamedPolicy)
  const element = visibleText(newest.elementName)
  const elementPage = linkWithShared(elementAddress(newest.elementFqn), navigation.address.value)
  return (
    <li class={classNames(style["row"], style["alert"])}>
      <LevelMark level={level} word={text.levels[level]} isAlone />
      <a
        class={style["what"]}
        dir="auto"
        title={policy}
        href={isAlone ? incidentAddress(newest.incidentId) : alertsOfPolicy(id, "open")}
      >
        {policy}
      </a>
      {isAlone ? (
        <a class={style["who"]} dir="auto" title={element} href={elementPage}>
          {element}
        </a>
      ) : (
        <span class={style["who"]}>{text.countOfGroup(count)}</span>
      )}
      <span class={style["value"]}>{isAlone && <Value incident={newest} />}</span>
      <span class={style["spark"]} title={spark && sparkTitle(spark)}>
        {spark !== undefined && <RowSpark values={spark.values.actual ?? []} />}
      </span>
      <Since group={group} />
    </li>
  )
}

/** The value of its first condition; events and checks compare nothing. */
function Value({ incident }: { readonly incident: ListedIncident }) {
  const numbers = useApp().preferences.numberStyle.value
  const [first] = incident.compared
  const value = first === undefined ? null : comparedSide(first, numbers)
  if (first === undefined || value === null) return null
  const compared = comparedText(first, numbers) ?? value
  return (
    <span title={visibleText(text.valueOf(first.metricFqn, compared))} dir="auto">
      {visibleText(value)}
    </span>
  )
}

function Since({ group: { acked, count, tsFirstFired } }: Pick<GroupRowProps, "group">) {
  const { clock, preferences } = useApp()
  return (
    <span class={style["when"]} title={timeText(tsFirstFired, preferences.timeStyle.value)}>
      {acked === count && (
        <span title={text.acked}>
          <Icon paths={check} size={16} />
          <span class="visually-hidden">{text.acked}</span>
        </span>
      )}
      {durationText(clock.nowMs() - tsFirstFired)}
    </span>
  )
}

function sparkTitle({ elementName, metricFqn }: SeriesLine): string {
  return visibleText(text.sparkOf(elementName, metricFqn))
}
