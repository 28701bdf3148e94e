/** Home: what is wrong now, on one screen. Everything follows the stream. */

import { useEffect } from "preact/hooks"
import { ownType } from "../../api/element-words.ts"
import { openGroups, openIncidents, statusMap } from "../../api/overview/overview.ts"
import type { StatusMap } from "../../api/overview/overview-answer.ts"
import { useApp } from "../../frame/app.ts"
import { FilterBar } from "../../frame/filter/filter-bar.tsx"
import { usePageFilter, type PageFilter } from "../../frame/filter/page-filter.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { useMedia } from "../../frame/use-media.ts"
import type { Loaded } from "../../frame/loaded.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { keep, readKept } from "../../platform/storage.ts"
import { countText } from "../../format/numbers.ts"
import { LoadFailed } from "../../parts/states.tsx"
import { AlertsSection } from "./alerts-section.tsx"
import { ElementsSection } from "./elements-section.tsx"
import { EventsSection } from "./events-section.tsx"
import style from "./home.module.css"
import {
  comparedMax,
  listedMax,
  shownAlerts,
  type FoundAlerts,
  type ShownAlerts,
} from "./shown-alerts.ts"
import { SummaryLine } from "./summary-line.tsx"
import { text } from "./text.ts"

/** As in home.module.css: then the alerts come before the elements, which may fill ten windows. */
const oneColumn = "(max-width: 1023px)"

export default function HomePage() {
  const { preferences, server } = useApp()
  const filter = usePageFilter()
  const isFiltered = filter.text !== ""
  const status = useStatus(filter)
  const alerts = useAlerts(isFiltered, status)
  useWelcome(status.value?.isFirst === true)
  const numbers = preferences.numberStyle.value
  const total = status.value?.counts.total ?? null
  const isNarrow = useMedia(oneColumn)
  const alertsSection = (
    <AlertsSection alerts={alerts} isSilent={(status.value?.silences.length ?? 0) > 0} />
  )
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <SummaryLine status={status} server={server.value?.value ?? null} />
      <LoadFailed
        error={server.value?.error ?? null}
        title={text.serverFailed}
        retryText={text.retry}
        onRetry={() => server.value?.reload()}
      />
      <FilterBar>
        {total !== null && (
          <span class="secondary" aria-busy={status.isFormer || undefined}>
            {text.count(total, countText(total, numbers))}
          </span>
        )}
      </FilterBar>
      <div class={style["columns"]}>
        {isNarrow && alertsSection}
        <ElementsSection status={status} isFiltered={isFiltered} onClear={() => filter.set("")} />
        <div class={style["side"]}>
          {!isNarrow && alertsSection}
          <EventsSection isFiltered={isFiltered} />
        </div>
      </div>
    </div>
  )
}

/** Without a filter it also has the silences that all pages show. */
function useStatus(filter: PageFilter) {
  const { api, silences } = useApp()
  const isWhole = filter.text === ""
  const status = useLoaded(`status ${filter.text}`, async (signal) => {
    const map = await statusMap(api, filter.groups, signal)
    return { ...map, isWhole, isFirst: isWhole && isEmpty(map) }
  })
  useReloadOn(["cycle", "incident", "check"], status.reload)
  const { value } = status
  useEffect(() => {
    if (value?.isWhole === true) silences.value = value.silences
  }, [value])
  return status
}

function useAlerts(isFiltered: boolean, status: Loaded<StatusMap>): Loaded<ShownAlerts> {
  const { api } = useApp()
  const alerts = useLoaded(`alerts ${isFiltered}`, (signal): Promise<FoundAlerts> => {
    return isFiltered ? openIncidents(api, comparedMax, signal) : openGroups(api, listedMax, signal)
  })
  useReloadOn(["incident"], alerts.reload)
  const isFormer = alerts.isFormer || status.isFormer
  return { ...alerts, isFormer, value: shownAlerts(alerts.value, status.value) }
}

/** Whether no element is there but the server itself. */
function isEmpty({ counts }: StatusMap): boolean {
  return counts.types.every(({ type }) => type === ownType)
}

/** An account without elements begins with the first steps, once in a browser. */
function useWelcome(isFirst: boolean): void {
  const { navigation } = useApp()
  useEffect(() => {
    if (!isFirst || readKept("welcome") !== null) return
    keep("welcome", "shown")
    navigation.replace("welcome")
  }, [isFirst])
}
