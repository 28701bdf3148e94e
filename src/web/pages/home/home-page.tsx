/** Home: what is wrong now, on one screen. Everything follows the stream. */

import { useEffect } from "preact/hooks"
import { ownType } from "../../api/element-words.ts"
import { statusMap, type StatusMap, openIncidents, serverStatus } from "../../api/overview.ts"
import { useApp } from "../../frame/app.ts"
import { FilterBar } from "../../frame/filter/filter-bar.tsx"
import { usePageFilter } from "../../frame/filter/page-filter.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { useLoaded } from "../../frame/use-loaded.ts"
import { keep, readKept } from "../../platform/storage.ts"
import { countText } from "../../format/numbers.ts"
import { LoadFailed } from "../../parts/states.tsx"
import { AlertsSection } from "./alerts-section.tsx"
import { ElementsSection } from "./elements-section.tsx"
import { EventsSection } from "./events-section.tsx"
import style from "./home.module.css"
import { SummaryLine } from "./summary-line.tsx"
import { text } from "./text.ts"

export default function HomePage() {
  const { api, preferences } = useApp()
  const filter = usePageFilter()
  const status = useLoaded(`status ${filter.text}`, async (signal) => {
    const map = await statusMap(api, filter.groups, signal)
    return { ...map, isFirst: filter.text === "" && isEmpty(map) }
  })
  const server = useLoaded("server", (signal) => serverStatus(api, signal))
  const alerts = useLoaded("alerts", (signal) => openIncidents(api, signal))
  useReloadOn(["cycle", "incident", "check"], status.reload)
  useReloadOn(["cycle", "ingest"], server.reload)
  useReloadOn(["incident"], alerts.reload)
  useWelcome(status.value?.isFirst === true)
  const numbers = preferences.numberStyle.value
  const total = status.value?.counts.total ?? null
  return (
    <div class={style["page"]}>
      <PageHeading text={text.title} isHidden />
      <SummaryLine status={status.value} server={server.value} />
      <LoadFailed
        error={server.error}
        title={text.serverFailed}
        retryText={text.retry}
        onRetry={server.reload}
      />
      <FilterBar>
        {total !== null && (
          <span class="secondary">{text.count(total, countText(total, numbers))}</span>
        )}
      </FilterBar>
      <div class={style["columns"]}>
        <ElementsSection
          status={status}
          isFiltered={filter.text !== ""}
          onClear={() => filter.set("")}
        />
        <div class={style["side"]}>
          <AlertsSection alerts={alerts} isSilent={(status.value?.silences.length ?? 0) > 0} />
          <EventsSection />
        </div>
      </div>
    </div>
  )
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
